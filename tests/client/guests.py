"""Guests of a running server."""

from collections.abc import Iterator
from contextlib import contextmanager

from api.client import Server


@contextmanager
def guest_of(url: str) -> Iterator[Server]:
    """Yield the client of a new guest."""
    with Server(url) as server:
        server.guest()
        yield server
