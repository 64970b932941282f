"""Guests of a running server, the fixture `serving`."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from api.client import Server
from tests.api.thread_server import ThreadServer


@contextmanager
def guest_of(url: str) -> Iterator[Server]:
    """Yield the client of a new guest."""
    with Server(url) as server:
        server.guest()
        yield server


@pytest.fixture
def ann(serving: ThreadServer) -> Iterator[Server]:
    """Return a guest of the server."""
    with guest_of(serving.url) as server:
        yield server


@pytest.fixture
def bob(serving: ThreadServer) -> Iterator[Server]:
    """Return another guest of the server."""
    with guest_of(serving.url) as server:
        yield server
