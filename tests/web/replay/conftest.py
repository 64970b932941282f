"""A server, and games on it: one with a revealed hand and a live one, and some that not everybody may see."""

from collections.abc import Iterator

import pytest

from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database
from tests.web.replay.playing import play
from tests.web.table.room import Person, Room, opened


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A running server."""
    with (
        (tmp_path_factory.mktemp("log") / "log").open("wb") as log,
        start_server(Database(None, tmp_path_factory.mktemp("data")), stderr=log) as serving,
    ):
        yield serving
        assert serving.stop() == 0


@pytest.fixture(scope="session")
def people(server: ServerProcess) -> list[Person]:
    """Three players."""
    return [Person(server.url, name).register() for name in ("ann", "bob", "cyd")]


@pytest.fixture(scope="session")
def room(people: list[Person]) -> Room:
    """A game of Pitch: the first hand is over and revealed, and the second one has begun."""
    made = opened(people, "pitch")
    play(made, lambda view: bool(view["last_hand"]) and view["phase"] == "play")
    return made
