"""A server on each store in turn, and helpers for its accounts."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import pytest

from api.app import create_app
from api.config import Config
from tests.api.conftest import Caller, services_of
from tests.api.live_server import GameServer, open_server
from tests.conftest import Database

OTHER = "violet otter lantern"


@pytest.fixture
def server(database: Database) -> Iterator[GameServer]:
    """Return a server without rate limits."""
    with open_server(database.data, database.url) as opened:
        yield opened


@pytest.fixture
def ann(server: GameServer) -> Caller:
    return server["ann"]


@contextmanager
def open_caller(config: Config) -> Iterator[Caller]:
    """Open a server with these settings, and yield a caller without a token."""
    app = create_app(config)
    with closing(services_of(app)):
        yield Caller(app.test_client())


def json_of(answer: Any, status: int = 200) -> Any:
    """Check the status of an answer and return its body."""
    assert answer.status_code == status, answer.text
    return answer.get_json()


def with_token(caller: Caller, body: Any) -> Caller:
    """Return the caller with the token of a response."""
    return replace(caller, token=body["token"])
