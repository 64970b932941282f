"""A server for the pages of this folder, and four players."""

from collections.abc import Iterator

import pytest

from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database
from tests.web.table.room import Person


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A running server."""
    with (
        (tmp_path_factory.mktemp("log") / "log").open("wb") as log,
        start_server(Database(None, tmp_path_factory.mktemp("data")), stderr=log) as serving,
    ):
        yield serving
        assert serving.stop() == 0


@pytest.fixture(scope="module")
def people(server: ServerProcess) -> list[Person]:
    """Four players."""
    return [Person(server.url, name).register() for name in ("ann", "bob", "cyd", "dee")]
