"""One server for all tests of the terminal."""

from collections.abc import Iterator

import pytest

from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.thread_server import ThreadServer, serve_in_thread
from tests.client.guests import ann, bob

__all__ = ["ann", "bob"]  # fixtures


@pytest.fixture(scope="package")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    """Return a running server."""
    data = tmp_path_factory.mktemp("terminal")
    with serve_in_thread(Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once")) as server:
        yield server
