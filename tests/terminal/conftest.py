"""One server for all tests of the terminal."""

from collections.abc import Iterator

import pytest

from api.client import Server
from api.config import NO_LIMITS, Config
from tests.api.thread_server import ThreadServer, serve_in_thread
from tests.client.guests import guest_of


@pytest.fixture(scope="package")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    """Return a running server."""
    data = tmp_path_factory.mktemp("terminal")
    with serve_in_thread(Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once")) as server:
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
