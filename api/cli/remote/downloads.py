"""Exports that are read while they arrive, as far as a file of games would be: no answer fills the memory."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import httpx

from api.cli.common.files import bounded_lines
from api.cli.sources.interface import ExportRun
from api.client import Server
from api.evidence.services.exports import GameExport
from domain.store.aggregate import Corrupt
from replay.history import read_export
from replay.history.bundle import split_exports

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
    """Return the export of a game."""
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
