"""Exports of many games from a server, one after another while they arrive."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from api.cli.sources.interface import ExportRun
from api.client import Server
from api.services.exports import GameExport
from domain.store.aggregate import Corrupt
from replay.history import read_export
from replay.history.bundle import split_exports

BROKEN = "the server can't read the rest of its log"


@contextmanager
def open_exports(server: Server, query: Mapping[str, Any]) -> Iterator[ExportRun]:
    """Open the exports that the query selects, as of the server's position."""
    path = f"/exports/games?{urlencode(query)}" if query else "/exports/games"
    with server.connection.stream(path, {"Accept": "application/x-ndjson"}) as response:
        position = response.headers.get("Trickbook-Position", "")
        yield ExportRun(_exports(_lines(response.iter_bytes())), position)


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield whole lines with their ends."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in whole)
    if rest:
        yield rest


def _exports(lines: Iterator[bytes]) -> Iterator[GameExport]:
    for passed, text in enumerate(split_exports(lines), 1):
        if text:
            history = read_export(text)
            header = history.header
            broken = None if history.trailer is not None else Corrupt(header.game, len(history.lines) + 1, BROKEN)
            yield GameExport(passed, header.game, header.board, text, broken)
