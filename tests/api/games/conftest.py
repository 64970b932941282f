"""A server for tests that play several games on it."""

from collections.abc import Iterator
from contextlib import ExitStack, nullcontext

import pytest

from tests.api.live_server import GameServer, open_server
from tests.conftest import STORES


@pytest.fixture(scope="module", params=STORES)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server of the module's own, with two arbiters and a moderator."""
    with ExitStack() as stack:
        fresh = request.getfixturevalue("postgres_server").fresh() if request.param == "postgres" else nullcontext()
        opened = stack.enter_context(open_server(tmp_path_factory.mktemp("games"), stack.enter_context(fresh)))
        for name, role in (("rhea", "arbiter"), ("sol", "arbiter"), ("mod", "moderator")):
            opened.role(name, role)
        yield opened
