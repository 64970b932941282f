"""Exports that are read while they arrive, as far as a file of games would be: no answer fills the memory."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx

from api.cli.common.input_files import bounded_lines
from api.client import Server

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
