"""One server for the attacks of a module."""

from collections.abc import Iterator

import pytest

from tests.api.remote_server import RemoteServer
from tests.api.server_process import start_server
from tests.attacks.playing import ready_server
from tests.conftest import Database


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteServer]:
    """A server on a new SQLite store, without limits, for attacks that leave each other alone."""
    with start_server(Database(None, tmp_path_factory.mktemp("attacked")), LIMITS="off") as started:
        yield ready_server(started.url)
