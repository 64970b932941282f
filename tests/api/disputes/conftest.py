"""Fixtures for disputes: a table in the middle of a game, and a server with arbiters."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.api.disputed_table import DisputedTable, open_disputed_table
from tests.api.live_server import GameServer, open_server


@pytest.fixture
def here(app: Flask) -> DisputedTable:
    """A disputed table on one store."""
    return open_disputed_table(app)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server with two arbiters, a moderator and a player without a role."""
    with open_server(tmp_path_factory.mktemp("disputes")) as found:
        for name, role in (("rhea", "arbiter"), ("sol", "arbiter"), ("mod", "moderator"), ("eve", "")):
            found.people[name] = found.role(name, role) if role else found[name]
        yield found
