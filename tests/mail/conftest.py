"""Fixtures: a server that plays by mail, on SQLite unless a test names the database."""

from collections.abc import Iterator

import pytest

from tests.conftest import Database
from tests.mail.post_office import PostOffice, Relay, open_office, open_relay


@pytest.fixture
def relay() -> Iterator[Relay]:
    """A mail server on this machine that takes the server's mails."""
    with open_relay() as opened:
        yield opened


@pytest.fixture
def office(database: Database, relay: Relay) -> Iterator[PostOffice]:
    """A server that sends to the relay, and reads replies."""
    with open_office(database, relay) as opened:
        yield opened
