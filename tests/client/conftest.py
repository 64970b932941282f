"""A server for tests of the client, and free ports for servers that are started again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.client import Server
from api.config import Config
from tests import ports
from tests.api.thread_server import ThreadServer, serve_in_thread
from tests.client.guests import guest_of

PASSWORD = "correct-horse"


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    """Return a running server on SQLite that asks people first."""
    folder: Path = tmp_path_factory.mktemp("client")
    with serve_in_thread(Config(data=folder, hashing="cheapest", seating="asked")) as server:
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


@pytest.fixture
def free_port() -> int:
    """Return a port that nobody listens on."""
    return ports.free_port()
