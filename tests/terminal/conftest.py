"""One server for all tests of the terminal, which one of them starts again on the same port."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from api.client import Server
from tests.api.server_process import ServerProcess, start_server
from tests.client.guests import guest_of
from tests.conftest import Database
from tests.ports import free_port


class PlayServer:
    """A server on SQLite that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._database, self._stack = Database(None, folder), ExitStack()
        self._process: ServerProcess | None = None

    def start(self) -> None:
        """Start the server, and return once it listens."""
        options = ("--port", str(self._port))
        self._process = self._stack.enter_context(start_server(self._database, *options, LOG="error"))

    def kill(self) -> None:
        """Kill the server, like a power cut."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """Kill whatever runs."""
        self._stack.close()


@pytest.fixture(scope="package")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    """Return a running server."""
    server = PlayServer(tmp_path_factory.mktemp("terminal"))
    server.start()
    yield server
    server.close()


@pytest.fixture
def ann(serving: PlayServer) -> Iterator[Server]:
    """Return a guest of the server."""
    with guest_of(serving.url) as server:
        yield server


@pytest.fixture
def bob(serving: PlayServer) -> Iterator[Server]:
    """Return another guest of the server."""
    with guest_of(serving.url) as server:
        yield server
