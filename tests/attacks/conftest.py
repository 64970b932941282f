"""Servers in this process for the attacks of a module, which leave each other alone."""

from collections.abc import Iterator

import pytest

from tests.api.live_server import GameServer, open_server_on
from tests.attacks.running import Target, running
from tests.plugins.rings import STORES


@pytest.fixture(scope="module", params=STORES)
def attacked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server on a new store, without limits."""
    with open_server_on(request, tmp_path_factory.mktemp("attacked")) as server:
        yield server


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A server with a game in play, for raw requests."""
    with running(tmp_path_factory.mktemp("target")) as found:
        yield found
