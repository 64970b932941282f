"""A game's history: its events as they are kept, from the store or from an export (docs/events.md).

    history = read(Path("f.ndjson").read_bytes())
    history.lines[6].event, history.lines[6].raw, history.faults

An export is a header line, one line for each event with its verbatim bytes, and a trailer line. Reading it never
mends anything: what is out of place stands in `faults`, and the lines are given as they were found.
"""

import hashlib
import json
import re
from binascii import unhexlify
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from domain.events import Event, GameOpened
from domain.events.codec import Unreadable, decode, surely_canonical
from domain.protocols.merkle_log import EMPTY, canonical
from domain.store.aggregate import Entry
from domain.struct import Value, redacted_repr
from replay.history.findings import Finding

FORMAT = "trickbook-export/1"
_LINE = re.compile(
    rb'\{(?:"event":(?P<event>\{.*\}),)?"leaf":"(?P<leaf>[0-9a-f]{64})","prev":"(?P<prev>[0-9a-f]{64})",'
    rb'"version":(?P<version>[1-9][0-9]{0,15})\}'
)


class NotAnExport(ValueError):
    """The bytes are no export this program can read; the sentence says why."""


class NoSuchHand(LookupError):
    """The history deals no hand of that number."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: which game, and the names of its players by player id, as they were at the time."""

    format: str
    game: str
    board: int
    variant: str
    players: dict[str, str]
    keys: tuple[str, ...] = ()


class Trailer(msgspec.Struct, frozen=True, kw_only=True):
    """The last line: how many events there are, the root over their leaves, and a signed receipt for it.

    `header` is the SHA-256 of the first line, in hex; empty until it is written.
    """

    size: int
    root: str
    receipt: str | None
    header: str = ""


class LogLine(Value, frozen=True):
    """One event's line; `raw` and `event` are None where it is withheld, `event` also where it cannot be read.

    `unread` says why a line that is there could not be read.
    """

    version: int
    leaf: bytes
    prev: bytes
    raw: bytes | None = None
    event: Event[Any] | None = None
    unread: str | None = None

    __repr__ = redacted_repr("raw")

    @property
    def withheld(self) -> bool:
        """Whether only its hashes are shown."""
        return self.raw is None


@dataclass(frozen=True)
class History:
    """The events in the order found. `trailer` is None where there is none; `faults` is what the file itself lacks.

    `journal` is what the server that keeps the game has noted of its stores, with `at` and `what`; () in a file.
    """

    header: Header
    lines: tuple[LogLine, ...]
    trailer: Trailer | None
    faults: tuple[Finding, ...] = ()
    journal: tuple[Mapping[str, Any], ...] = ()

    @property
    def withheld(self) -> int:
        """How many events are not shown."""
        return sum(line.withheld for line in self.lines)

    @cached_property
    def events(self) -> tuple[Event[Any], ...]:
        """The events that are shown and can be read."""
        return tuple([line.event for line in self.lines if line.event is not None])

    @cached_property
    def cache(self) -> dict[object, Any]:
        """What readers have worked out from the history, by keys of their own; no part of its value."""
        return {}


def header_of(opened: Event[GameOpened], names: dict[str, str]) -> Header:
    """The header of a game's export; `names` may hold more players than are in the game."""
    ids = [player.player for player in opened.data.players]
    return Header(
        format=FORMAT,
        game=opened.game,
        board=opened.data.board,
        variant=opened.data.variant,
        players={each: names[each] for each in sorted(ids) if each in names},
    )


def from_entries(
    entries: Sequence[Entry], names: dict[str, str], shown: Callable[[Entry], bool] | None = None
) -> History:
    """The history of a game in the store, from its first event on; `shown` says what the reader may see,
    None that he may see all of it. An empty log raises NotAnExport.
    """
    if not entries:
        raise NotAnExport("there are no events")
    lines = tuple(_line_of(entry, shown=shown is None or shown(entry)) for entry in entries)
    return History(header_of(entries[0].event, names), lines, trailer_of(line.leaf for line in lines))


def _line_of(entry: Entry, *, shown: bool) -> LogLine:
    version = entry.event.version
    return LogLine(version, entry.leaf, entry.prev, *((entry.raw, entry.event) if shown else ()))


def trailer_of(leaves: Iterable[bytes]) -> Trailer:
    """The trailer of a log with these leaf hashes, without a receipt."""
    frontier = EMPTY
    for leaf in leaves:
        frontier = frontier.append(leaf)
    return Trailer(size=frontier.size, root=frontier.root().hex(), receipt=None)


def write_export(header: Header, lines: Iterable[bytes], trailer: Trailer) -> Iterator[bytes]:
    """The export, line by line with line ends: `lines` are the events' lines, verbatim, as the reader may see them."""
    first = _canonical(header)
    yield first
    for line in lines:
        yield line + b"\n"
    yield _canonical(trailer if trailer.header else msgspec.structs.replace(trailer, header=_sha256(first[:-1])))


def _sha256(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _canonical(struct: Header | Trailer) -> bytes:
    return canonical(msgspec.to_builtins(struct)) + b"\n"


def line_bytes(line: LogLine) -> bytes:
    """The export line of `line`, without its line end."""
    shown = b"" if line.raw is None else b'"event":%b,' % line.raw
    hashes = line.leaf.hex().encode(), line.prev.hex().encode()
    return b'{%b"leaf":"%b","prev":"%b","version":%d}' % (shown, *hashes, line.version)


def export(history: History) -> bytes:
    """The whole export of `history`; one without a trailer gets that of its leaves."""
    trailer = history.trailer or trailer_of(line.leaf for line in history.lines)
    return b"".join(write_export(history.header, map(line_bytes, history.lines), trailer))


def read(data: bytes) -> History:
    """The history in an export. NotAnExport unless it begins with the header of a format that is known here."""
    first, *rest = data.split(b"\n")
    header = _header(first)
    faults: list[Finding] = []
    if not rest or rest[-1]:
        faults.append(Finding(None, "the file is cut off in the middle of a line"))
    trailer = _trailer(rest[-2]) if len(rest) > 1 else None
    if trailer is None:
        faults.append(Finding(None, "the file has no trailer: it is cut off, or lines stand after its end"))
    elif trailer.header != _sha256(first):
        faults.append(Finding(None, "its first line is not the one that its trailer was written for"))
    within = rest[:-1] if trailer is None else rest[:-2]
    lines = [_read_line(number, raw, faults) for number, raw in enumerate(within, 2)]
    return History(header, tuple(line for line in lines if line is not None), trailer, tuple(faults))


def _header(raw: bytes) -> Header:
    try:
        written = msgspec.json.decode(raw, type=dict[str, Any])
        named = written.get("format")
        if named != FORMAT:
            raise NotAnExport("its first line names no format known here" if named else "its first line is no header")
        header = msgspec.convert(written, Header)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise NotAnExport("its first line is no header of an export") from error
    if not is_canonical(raw):
        raise NotAnExport("its first line is not canonical JSON")
    return header


def _trailer(raw: bytes) -> Trailer | None:
    try:
        trailer = msgspec.json.decode(raw, type=Trailer)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return trailer if is_canonical(raw) else None


def _read_line(number: int, raw: bytes, faults: list[Finding]) -> LogLine | None:
    found = _LINE.fullmatch(raw)
    if found is None:
        faults.append(Finding(number - 1, f"line {number} of the file, where it should stand, is no line of an export"))
        return None
    event_bytes, leaf, prev, written = found.groups()
    version, unread, event = int(written), None, None
    if event_bytes is not None:
        try:
            event = decode(event_bytes)
        except Unreadable as error:
            unread = str(error)
        if not ((event and surely_canonical(event_bytes, event)) or is_canonical(event_bytes)):
            faults.append(Finding(version, "its bytes are not canonical JSON"))
    return LogLine(version, unhexlify(leaf), unhexlify(prev), event_bytes, event, unread)


def is_canonical(raw: bytes) -> bool:
    """Whether `raw` is JSON in its one canonical spelling (cardlog/1)."""
    try:
        return canonical(json.loads(raw)) == raw
    except (ValueError, RecursionError):
        return False
