"""A server for tests of the client, and free ports for servers that are started again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.client import Server
from tests import ports
from tests.api.server_process import ServerProcess, start_server
from tests.client.guests import guest_of
from tests.conftest import Database

PASSWORD = "correct-horse"


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return a running server on SQLite that asks people first."""
    folder: Path = tmp_path_factory.mktemp("client")
    with start_server(Database(None, folder), SEATING="asked", LOG="error") as process:
        yield process


@pytest.fixture
def ann(serving: ServerProcess) -> Iterator[Server]:
    """Return a guest of the server."""
    with guest_of(serving.url) as server:
        yield server


@pytest.fixture
def bob(serving: ServerProcess) -> Iterator[Server]:
    """Return another guest of the server."""
    with guest_of(serving.url) as server:
        yield server


@pytest.fixture
def free_port() -> int:
    """Return a port that nobody listens on."""
    return ports.free_port()
