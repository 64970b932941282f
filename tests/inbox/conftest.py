"""Servers for tests of inboxes."""

from collections.abc import Iterator

import pytest

from tests.api.live_server import GameServer, open_server
from tests.conftest import Database
from tests.inbox.mailbox import Mailbox, open_sender, patient_poster
from tests.inbox.receivers import open_receiver


@pytest.fixture
def server(database: Database) -> Iterator[GameServer]:
    """Return a server on each store in turn, without rate limits."""
    with open_server(database.data, database.url) as opened:
        yield opened


@pytest.fixture
def mailbox(server: GameServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailbox]:
    """A server and a receiver."""
    with open_receiver(tmp_path_factory.mktemp("receiver")) as receiver:
        yield Mailbox(server, receiver, open_sender(server, patient_poster(receiver)))
