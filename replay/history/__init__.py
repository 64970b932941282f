"""A game's history: its events as stored, from the store or from an export (docs/events.md).

    history = read_export(Path("f.ndjson").read_bytes())
    history.lines[6].event, history.lines[6].raw, history.faults

An export is a header line, one line for each event with its verbatim bytes, and a trailer line. Reading never repairs
anything: the lines stay as they are in the file, and `faults` lists what is wrong with them.
"""

import hashlib
import json
import re
from binascii import unhexlify
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, TypedDict

import msgspec

from domain.events import Event, GameOpened, SeatHandedOver
from domain.events.codec import Unreadable, WrongFields, decode, is_surely_canonical
from domain.json_fields import Hash, Uuid, one_of, says
from domain.protocols.merkle_log import EMPTY, canonical
from domain.store.aggregate import Entry
from domain.struct import Value, redacted_repr
from replay.history.findings import Finding

FORMAT = "trickbook-export/1"
BOM = b"\xef\xbb\xbf"
NO_HEADER = "its first line isn't the header of an export"
_LINE = re.compile(
    rb'\{(?:"event":(?P<event>\{.*\}),)?"leaf":"(?P<leaf>[0-9a-f]{64})","prev":"(?P<prev>[0-9a-f]{64})",'
    rb'"version":(?P<version>[1-9][0-9]{0,15})\}'
)


class NotAnExport(ValueError):
    """The bytes aren't an export that this program can read; the message says why."""


class NoSuchHand(LookupError):
    """The history has no hand with that number."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: the game, and its players' names at the time of the export, by player id."""

    format: str
    game: str
    board: int
    variant: str
    players: dict[str, str]
    keys: tuple[str, ...] = ()


class Trailer(msgspec.Struct, frozen=True, kw_only=True):
    """The last line: the number of events, the root over their leaves, and a signed receipt for it.

    `header` is the SHA-256 of the first line, in hex; empty until the export is written.
    """

    size: int
    root: str
    receipt: str | None
    header: str = ""


class LogLine(Value, frozen=True):
    """The line of one event. `raw` and `event` are None if the event is withheld; `unread` says why it can't be read.

    If the event can't be read, `event` is None, too. `fault` says which field is missing, wrong, or one too many in an
    event of a known fact and version; if only fields are too many, `event` is the event without them.
    """

    version: int
    leaf: bytes
    prev: bytes
    raw: bytes | None = None
    event: Event[Any] | None = None
    unread: str | None = None
    fault: str | None = None

    __repr__ = redacted_repr("raw")

    @property
    def withheld(self) -> bool:
        """Whether the line shows only the hashes."""
        return self.raw is None


@dataclass(frozen=True)
class History:
    """The events in the order of the file. `trailer` is None if it's missing; `faults` are faults of the file itself.

    `admin_log` has the operator's acts on the stores, each with `at` and `what`; it's empty for a file.
    `line_ends` says how the line ends of a file differ from those that a server writes. No event depends on them.
    """

    header: Header
    lines: tuple[LogLine, ...]
    trailer: Trailer | None
    faults: tuple[Finding, ...] = ()
    admin_log: tuple[Mapping[str, Any], ...] = ()
    line_ends: str | None = None

    @property
    def withheld(self) -> int:
        """The number of events that aren't shown."""
        return sum(line.withheld for line in self.lines)

    @cached_property
    def events(self) -> tuple[Event[Any], ...]:
        """The events that are shown and readable."""
        return tuple([line.event for line in self.lines if line.event is not None])

    @cached_property
    def cache(self) -> dict[object, Any]:
        """Results that readers computed from the history, by keys of their own; not part of its value."""
        return {}


def players_in(events: Iterable[Event[Any]]) -> list[str]:
    """Return the ids of all players who hold or held a seat by these events, which begin with the opening."""
    ids: list[str] = []
    for event in events:
        if isinstance(event.data, GameOpened):
            ids += [player.player for player in event.data.players]
        elif isinstance(event.data, SeatHandedOver):
            ids.append(event.data.to)
    return ids


def header_of(opened: Event[GameOpened], names: dict[str, str], players: Iterable[str] = ()) -> Header:
    """Return the header of a game's export; `players` are those who came later, and `names` may hold more than all."""
    ids = {*players_in((opened,)), *players}
    return Header(
        format=FORMAT,
        game=opened.game,
        board=opened.data.board,
        variant=opened.data.variant,
        players={each: names[each] for each in sorted(ids) if each in names},
    )


def from_entries(entries: Sequence[Entry], names: dict[str, str], shown: Sequence[bool] | None = None) -> History:
    """Return the history of a stored game. `shown` says of each entry whether the reader may see it; None shows all.

    Raise NotAnExport if there are no entries.
    """
    if not entries:
        raise NotAnExport("there are no events")
    may_see = [True] * len(entries) if shown is None else shown
    lines = tuple(_line_of(entry, shown=each) for entry, each in zip(entries, may_see, strict=True))
    players = players_in(entry.event for entry in entries)
    return History(header_of(entries[0].event, names, players), lines, trailer_of(line.leaf for line in lines))


def _line_of(entry: Entry, *, shown: bool) -> LogLine:
    version = entry.event.version
    return LogLine(version, entry.leaf, entry.prev, *((entry.raw, entry.event) if shown else ()))


def trailer_of(leaves: Iterable[bytes]) -> Trailer:
    """Return the trailer of a log with these leaf hashes, without a receipt."""
    frontier = EMPTY
    for leaf in leaves:
        frontier = frontier.append(leaf)
    return Trailer(size=frontier.size, root=frontier.root().hex(), receipt=None)


class ExportHeader(TypedDict):
    """The first line of an export."""

    format: Annotated[str, one_of(FORMAT)]
    game: Uuid
    board: int
    variant: str
    players: Annotated[dict[str, str], says("The name of each player by id.")]
    keys: Annotated[tuple[str, ...], says("The server's public keys.")]


class ExportTrailer(TypedDict):
    """The last line of an export."""

    header: Annotated[Hash, says("The hash of the header line.")]
    size: Annotated[int, says("How many events there are.")]
    root: Annotated[Hash, says("The root over all of them.")]
    receipt: Annotated[str | None, says("The newest signed receipt.")]


def write_export(header: Header, lines: Iterable[bytes], trailer: Trailer) -> Iterator[bytes]:
    """Yield the export line by line, with line ends; `lines` are the events' lines as the reader may see them."""
    first: ExportHeader = {
        "format": header.format,
        "game": header.game,
        "board": header.board,
        "variant": header.variant,
        "players": header.players,
        "keys": header.keys,
    }
    line_of_header = canonical(first)
    yield line_of_header + b"\n"
    for line in lines:
        yield line + b"\n"
    last: ExportTrailer = {
        "header": trailer.header or _sha256(line_of_header),
        "size": trailer.size,
        "root": trailer.root,
        "receipt": trailer.receipt,
    }
    yield canonical(last) + b"\n"


def _sha256(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def line_bytes(line: LogLine) -> bytes:
    """Return the export line of `line`, without a line end."""
    shown = b"" if line.raw is None else b'"event":%b,' % line.raw
    hashes = line.leaf.hex().encode(), line.prev.hex().encode()
    return b'{%b"leaf":"%b","prev":"%b","version":%d}' % (shown, *hashes, line.version)


def export_bytes(history: History) -> bytes:
    """Return the whole export of `history`; if its trailer is missing, compute one from the leaves."""
    trailer = history.trailer or trailer_of(line.leaf for line in history.lines)
    return b"".join(write_export(history.header, map(line_bytes, history.lines), trailer))


def read_export(data: bytes) -> History:
    """Return the history in an export. Raise NotAnExport unless it begins with a valid header of a known format."""
    (first, *rest), line_ends = _split_lines(data)
    header = _header(first)
    faults = _misfits("first", first, Header)
    if not rest or rest[-1]:
        faults.append(Finding(None, "the file is cut off in the middle of a line"))
    trailer = _trailer(rest[-2]) if len(rest) > 1 else None
    if trailer is None:
        faults.append(Finding(None, "the file has no trailer: it is cut off, or there are lines after its end"))
    else:
        faults += _misfits("last", rest[-2], Trailer)
        if trailer.header != _sha256(first):
            faults.append(Finding(None, "its first line isn't the one that its trailer was written for"))
    within = rest[:-1] if trailer is None else rest[:-2]
    lines = [_read_line(number, raw, faults) for number, raw in enumerate(within, 2)]
    read = tuple(line for line in lines if line is not None)
    return History(header, read, trailer, tuple(faults), line_ends=line_ends)


def _split_lines(data: bytes) -> tuple[list[bytes], str | None]:
    """Return the lines of a file as a server would have ended them, "" last, and how the file's own ends differ.

    An export holds no carriage return and no empty line, so that nothing in it can be taken for one of these ends.
    """
    text, differs = data.removeprefix(BOM), list[str]()
    if text != data:
        differs.append("a byte order mark at the beginning")
    if b"\r\n" in text:
        differs.append("CR LF in place of LF")
        text = text.replace(b"\r\n", b"\n")
    whole = text.rstrip(b"\n")
    if len(text) > len(whole) + 1:
        differs.append("an empty line at the end")
        text = whole + b"\n"
    elif text == whole and _trailer(whole.rpartition(b"\n")[2]):
        differs.append("no LF at the end")
        text += b"\n"
    return text.split(b"\n"), ", ".join(differs) or None


def _header(raw: bytes) -> Header:
    try:
        written = msgspec.json.decode(raw, type=dict[str, Any])
        named = written.get("format")
        if named != FORMAT:
            raise NotAnExport("its first line doesn't name a format that this program knows" if named else NO_HEADER)
        header = msgspec.convert(written, Header)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise NotAnExport(NO_HEADER) from error
    if not is_canonical(raw):
        raise NotAnExport("its first line isn't canonical JSON")
    return header


def _trailer(raw: bytes) -> Trailer | None:
    try:
        trailer = msgspec.json.decode(raw, type=Trailer)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return trailer if is_canonical(raw) else None


def _misfits(which: str, raw: bytes, struct: type[msgspec.Struct]) -> list[Finding]:
    """Return a finding if a line, which can be read, has a field more or less than a server writes."""
    names = sorted(struct.__struct_fields__)
    if msgspec.json.decode(raw, type=dict[str, Any]).keys() == set(names):
        return []
    return [Finding(None, f"the {which} line must have exactly the fields {', '.join(names)}")]


def _read_line(number: int, raw: bytes, faults: list[Finding]) -> LogLine | None:
    match = _LINE.fullmatch(raw)
    if match is None:
        faults.append(Finding(number - 1, f"line {number} of the file, where it should be, isn't a line of an export"))
        return None
    event_bytes, leaf, prev, written = match.groups()
    version, unread, event, fault = int(written), None, None, None
    if event_bytes is not None:
        try:
            event = decode(event_bytes)
        except WrongFields as error:
            event, fault = error.event, str(error)
            unread = fault if event is None else None
        except Unreadable as error:
            unread = str(error)
        if not ((event and is_surely_canonical(event_bytes, event)) or is_canonical(event_bytes)):
            faults.append(Finding(version, "its bytes are not canonical JSON"))
    return LogLine(version, unhexlify(leaf), unhexlify(prev), event_bytes, event, unread, fault)


def is_canonical(raw: bytes) -> bool:
    """Return whether `raw` is canonical JSON (cardlog/1)."""
    try:
        return canonical(json.loads(raw)) == raw
    except (ValueError, RecursionError):
        return False
