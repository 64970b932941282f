"""Servers in this process for the attacks of a module, which leave each other alone."""

from collections.abc import Iterator

import pytest

from tests.api.live_server import GameServer, open_server
from tests.attacks.running import Target, running


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server on a new SQLite store, without limits."""
    with open_server(tmp_path_factory.mktemp("attacked")) as server:
        yield server


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A server with a game in play, for raw requests."""
    with running(tmp_path_factory.mktemp("target")) as found:
        yield found
