"""Games of a server, as the commands read those of a store: the log is downloaded and checked here.

Exports are read while they arrive, as far as a file of games would be: no answer fills the memory.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import click
import httpx
import msgspec

from api.cli.common.config import CannotAnswer
from api.cli.common.corrupt_log import CorruptLog
from api.cli.common.files import bounded_lines
from api.cli.sources.interface import ExportRun
from api.client import Refusal, Server
from api.evidence.services.exports import GameExport
from domain.protocols.signed_notes import ED25519, Key, NotANote, parse_key
from domain.store.aggregate import Corrupt
from projections.views.audience import revealed_ceremonies, visible
from replay.history import History, read_export
from replay.history.bundle import split_exports
from replay.history.receipts import KEPT, ReceiptChecks, check_receipts

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


NDJSON = {"Accept": "application/x-ndjson"}


class ResponseFile(io.RawIOBase):
    """A response's body as a file."""

    def __init__(self, response: httpx.Response) -> None:
        self._chunks, self._rest = response.iter_bytes(), b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read what has arrived, at most a buffer; 0 bytes at the end."""
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = chunk
        free = memoryview(buffer)
        count = min(len(free), len(self._rest))
        free[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


@contextmanager
def open_download(server: Server, path: str) -> Iterator[tuple[httpx.Headers, Iterator[bytes]]]:
    """Yield the headers and the lines of an export at a path; raise CannotAnswer for one that is too long."""
    with server.connection.stream(path, NDJSON) as response:
        yield response.headers, bounded_lines(server.url, io.BufferedReader(ResponseFile(response)))


def download_export(server: Server, game: str) -> bytes:
    with open_download(server, f"/games/{game}/export") as (_, lines):
        return b"".join(lines)


BROKEN = "the server can't read the rest of its log"


@contextmanager
def open_exports(server: Server, query: Mapping[str, Any]) -> Iterator[ExportRun]:
    """Open the exports that the query selects, as of the server's position."""
    path = f"/exports/games?{urlencode(query, doseq=True)}" if query else "/exports/games"
    with open_download(server, path) as (headers, lines):
        yield ExportRun(_exports(lines), headers.get("Trickbook-Position", ""))


def _exports(lines: Iterator[bytes]) -> Iterator[GameExport]:
    for passed, text in enumerate(split_exports(lines), 1):
        if text:
            history = read_export(text)
            header = history.header
            broken = None if history.trailer is not None else Corrupt(header.game, len(history.lines) + 1, BROKEN)
            yield GameExport(passed, header.game, header.board, text, broken)


KEYS_PATH = "/.well-known/trickbook/keys"
OWN_CARDS = "note: This includes what only your seat may see, because you are logged in."
NO_RECEIPT = "{game}: The server has made no receipt yet. A player of the game gets a new one: log in, without --size."
OTHER_SIZE = "{game}: The server has no receipt over {size} events. The newest one before covers {found}."


def read_history(server: Server, game: str) -> History:
    """Return a game's history; raise CorruptLog with the server's report if its log is corrupt."""
    try:
        history = read_export(download_export(server, game))
    except Refusal as refusal:
        if refusal.type != "corrupt-log":
            raise
        raise _corrupt_log(server.get(f"/games/{game}/audit")) from None
    _say_if_private(history)
    return _as_stored(history)


def _as_stored(history: History) -> History:
    """Return the history of an export without keys and receipt, as the store's own is; they're read apart."""
    trailer = history.trailer
    bare = None if trailer is None else msgspec.structs.replace(trailer, receipt=None, header="")
    return replace(history, header=msgspec.structs.replace(history.header, keys=()), trailer=bare)


def _say_if_private(history: History) -> None:
    revealed = revealed_ceremonies(history.events)
    if not all(visible(event, None, revealed) for event in history.events):
        click.echo(OWN_CARDS, err=True)


def _corrupt_log(report: Mapping[str, Any]) -> CorruptLog:
    """Return the error for a corrupt log, as it is for the store's own, from the server's audit."""
    finding = report["log"]["findings"][0]
    error = Corrupt(report["game"], finding["version"] or 1, finding["says"])
    return CorruptLog(error, report["board"], tuple(report["journal"]))


def read_checked(
    server: Server, game: str, given: Sequence[tuple[str, str]], keys: Sequence[Key]
) -> tuple[History, ReceiptChecks]:
    """Return a history, checked against every receipt that the server shows and `given` ones (name, note).

    With a server's key in `keys`, only those count, and not what the server publishes now.
    """
    history = read_history(server, game)
    report = server.get(f"/games/{game}/audit")
    sizes = [size for size in _kept_sizes(report) if size <= len(history.lines)]
    kept = [server.get(f"/games/{game}/receipt?size={size}")["note"] for size in sizes]
    if any(each.kind == ED25519 for each in keys):
        shown = [*given, *((KEPT, note) for note in kept)]
        checks = check_receipts(history, shown, keys=keys, file_roots=())
    else:
        checks = check_receipts(history, given, kept, keys=keys, store=_server_keys(server))
    return replace(history, admin_log=tuple(report["journal"])), checks


def _kept_sizes(report: Mapping[str, Any]) -> Iterator[int]:
    receipts = report["log"]["receipts"]
    return (each["size"] for each in receipts if each["source"] == KEPT) if isinstance(receipts, list) else iter(())


def _server_keys(server: Server) -> list[Key]:
    try:
        return [parse_key(each) for each in server.get(KEYS_PATH)["keys"]]
    except NotANote as error:
        raise CannotAnswer(f"{server.url} publishes an invalid key: {error}.") from None


def read_receipt(server: Server, game: str, size: int | None) -> tuple[History, str]:
    """Return a history and a receipt: a new one for a player of the game, otherwise the newest that there is."""
    receipt = _new_receipt(server, game) if size is None else None
    history = read_history(server, game)
    found = receipt or _newest_receipt(server, game, size)
    if size is not None and found["size"] != size:
        raise CannotAnswer(OTHER_SIZE.format(game=game, size=size, found=found["size"]))
    if found["size"] < len(history.lines) and size is None:
        click.echo(f"note: The receipt covers {found['size']} of {len(history.lines)} events.", err=True)
    return history, found["note"]


def _newest_receipt(server: Server, game: str, size: int | None) -> Mapping[str, Any]:
    try:
        found: Mapping[str, Any] = server.get(f"/games/{game}/receipt" + ("" if size is None else f"?size={size}"))
    except Refusal as refusal:
        if refusal.type != "not-found":
            raise
        raise CannotAnswer(NO_RECEIPT.format(game=game)) from None
    return found


def _new_receipt(server: Server, game: str) -> Mapping[str, Any] | None:
    """Return a receipt over the whole log, which only a player of the game can have made; None for others."""
    if server.token is None:
        return None
    try:
        made: Mapping[str, Any] = server.post(f"/games/{game}/receipts", {})
    except Refusal as refusal:
        if refusal.status != 403:
            raise
        return None
    return made
