"""Servers for tests of inboxes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast
from zlib import crc32

import httpx
import pytest

from tests.api.conftest import PASSWORD, Caller
from tests.api.live_server import GameServer, ServedGame, first_move
from tests.api.remote_server import RemoteCaller, RemoteServer
from tests.api.server_process import ServerProcess
from tests.inbox.mailbox import Mailbox, open_sender, patient_poster
from tests.inbox.receivers import open_receiver
from tests.people.conftest import server
from tests.waiting import wait_until

__all__ = ["server"]


@pytest.fixture
def mailbox(server: GameServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailbox]:
    """A server and a receiver."""
    with open_receiver(tmp_path_factory.mktemp("receiver")) as receiver:
        yield Mailbox(server, receiver, open_sender(server, patient_poster(receiver)))


@dataclass(frozen=True)
class Duel:
    """A game of two new players and a bot at the shared server."""

    served: ServedGame
    ann: RemoteCaller
    bob: RemoteCaller
    url: str
    data: Path

    @property
    def events(self) -> str:
        """The address of the events that are to come."""
        return f"{self.served.path}/events?after={self.served.public['version']}"

    def move(self) -> None:
        """Make the first legal move for the seat in turn."""
        (seat,) = self.served.public["turn"]["seats"]
        assert self.served.move(seat, first_move(self.served.view(seat))).status_code == 201

    def token(self) -> RemoteCaller:
        """Return ann with another token."""
        name = self.ann.get("/me").get_json()["name"]
        made = self.ann.post("/tokens", {"name": name, "password": PASSWORD}).get_json()
        return replace(self.ann, token=made["token"])

    def wait_for_listeners(self, count: int) -> None:
        """Wait until that many streams and requests that wait are open."""
        gauge = re.compile(r"^trickbook_event_streams(?:\{.*\})? (.*)$", re.MULTILINE)
        wait_until(lambda: sum(map(float, gauge.findall(httpx.get(f"{self.url}/metrics").text))) >= count)


@pytest.fixture
def duel(shared_server: ServerProcess, request: pytest.FixtureRequest) -> Duel:
    """A game of players whose names come from the test's."""
    names = [f"{name}-{crc32(request.node.nodeid.encode()):x}" for name in ("ann", "bob")]
    server = RemoteServer(shared_server.url)
    ann, bob = (server[name] for name in names)
    made = ann.post("/games", {"variant": "pitch", "seats": [*names, "bot:simple"], "options": {"win": 21}})
    assert made.status_code == 201, made.text
    game = ServedGame(
        cast("GameServer", server), made.get_json()["id"], {0: cast("Caller", ann), 1: cast("Caller", bob)}
    )
    arguments = cast("list[str]", shared_server.process.args)
    return Duel(game, ann, bob, shared_server.url, Path(arguments[arguments.index("--data") + 1]))
