"""A server for tests that play several games on it."""

from collections.abc import Iterator

import pytest

from tests.api.live_server import GameServer, open_server_on
from tests.plugins.rings import STORES


@pytest.fixture(scope="module", params=STORES)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server of the module's own, with two arbiters and a moderator."""
    with open_server_on(request, tmp_path_factory.mktemp("games")) as opened:
        for name, role in (("rhea", "arbiter"), ("sol", "arbiter"), ("mod", "moderator")):
            opened.role(name, role)
        yield opened
