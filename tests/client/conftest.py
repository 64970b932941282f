"""A server for tests of the client."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.config import Config
from tests.api.thread_server import ThreadServer, serve_in_thread
from tests.client.guests import ann, bob

PASSWORD = "correct-horse"

__all__ = ["ann", "bob"]  # fixtures


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    """Return a running server on SQLite that asks people first."""
    folder: Path = tmp_path_factory.mktemp("client")
    with serve_in_thread(Config(data=folder, hashing="cheapest", seating="asked")) as server:
        yield server
