"""A server with a game of Pitch in its second hand, one that is over, and their player."""

from collections.abc import Iterator

import pytest

from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database
from tests.web.table.room import Person, Room, opened

BOTS = ["bot:simple", "bot:simple"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A running server."""
    with start_server(Database(None, tmp_path_factory.mktemp("data"))) as serving:
        yield serving
        assert serving.stop() == 0


@pytest.fixture(scope="module")
def ann(server: ServerProcess) -> Person:
    """A player."""
    return Person(server.url, "ann").register()


@pytest.fixture(scope="module")
def live(ann: Person) -> Room:
    """A game against bots, in the second hand."""
    room = opened([ann], "pitch", ["ann", *BOTS])
    while room.view(0)["hand"]["number"] < 2:
        room.move(0)
    return room


@pytest.fixture(scope="module")
def over(ann: Person) -> Room:
    """A game that ended because its player left in the second hand."""
    room = opened([ann], "pitch", ["ann", *BOTS])
    while room.view(0)["hand"]["number"] < 2:
        room.move(0)
    room.move(0, {"type": "resign"})
    return room
