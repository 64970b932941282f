"""Many event streams at once, over plain sockets."""

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.api.remote_server import RemoteCaller

TIMEOUT_S = 60
RESET = struct.pack("ii", 1, 0)
"""A linger time of 0: the connection is reset instead of closed in order."""


@dataclass
class StreamSocket:
    """A connection on which a stream was asked for, with the bytes read so far."""

    connection: socket.socket
    data: bytes = b""

    @property
    def status(self) -> int:
        return int(self.data.split(None, 2)[1])

    def read_head(self) -> None:
        """Read the status and the headers."""
        while b"\r\n\r\n" not in self.data:
            more = self.connection.recv(65536)
            assert more, "closed without an answer"
            self.data += more

    def vanish(self) -> None:
        """Reset the connection."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.connection.close()


@contextmanager
def open_streams(caller: RemoteCaller, game: str, count: int) -> Iterator[list[StreamSocket]]:
    """Ask for `count` streams, and close them all in the end."""
    address = urlsplit(caller.url)
    token = f"Authorization: Bearer {caller.token}\r\n" if caller.token else ""
    request = f"GET /api/v1/games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n{token}\r\n"
    with ExitStack() as opened:
        sockets = []
        for _ in range(count):
            place = (str(address.hostname), int(address.port or 80))
            connection = opened.enter_context(
                socket.create_connection(place, timeout=TIMEOUT_S, source_address=(caller.source, 0))
            )
            connection.sendall(request.encode())
            sockets.append(StreamSocket(connection))
        for each in sockets:
            each.read_head()
        yield sockets
