"""Servers for tests of inboxes."""

from collections.abc import Iterator

import pytest

from tests.api.live_server import GameServer, open_server
from tests.conftest import Database


@pytest.fixture
def server(database: Database) -> Iterator[GameServer]:
    """Return a server on each store in turn, without rate limits."""
    with open_server(database.data, database.url) as opened:
        yield opened
