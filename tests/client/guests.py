"""Guests of a running server, and ports for servers that are started again."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from api.client import Server


@contextmanager
def guest_of(url: str) -> Iterator[Server]:
    """Yield the client of a new guest."""
    with Server(url) as server:
        server.guest()
        yield server


def find_free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
