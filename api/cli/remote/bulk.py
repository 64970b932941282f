"""Exports of many games from a server, one after another while they arrive."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from api.cli.remote.downloads import open_download
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
