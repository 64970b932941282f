"""A server with games that are over and one that isn't, and commands that read it from afar and on its disk."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.cli.demo import play_game
from api.cli.main import main
from api.client import Server, Table
from api.config import Config
from tests.api.remote_server import wait_until_lists_follow
from tests.api.thread_server import serve_in_thread
from tests.commands import BARE
from tests.conftest import Database

PASSWORD = "correct-horse"
FINISHED, RUNNING = "1", "2"
"""Board numbers: a game of Pitch that is over and disputed, and one of Setback that is being played."""
LISTS = ("/games", "/standings?variant=pitch", "/ratings?variant=pitch", "/players/ann/history")
"""Lists that commands print: they come later than the moves."""


def command(*words: str, given: str | None = None, **environ: str) -> Result:
    """Run the program in this process, with the named variables alone of those that begin with TRICKBOOK_."""
    settings = dict(BARE) | {f"TRICKBOOK_{name}": value for name, value in environ.items()}
    return CliRunner().invoke(main, words, input=given, env=settings, catch_exceptions=False)


@dataclass
class Place:
    """A running server and its store; `ann` plays on it, and `mod` is to be an arbiter."""

    url: str
    ann: Server
    mod: Server
    database: Database = field(repr=False)

    def here(self, *words: str) -> Result:
        """Run a command on the server's disk."""
        given = {"DATABASE_URL": self.database.url} if self.database.url else {}
        return command(*words, DATA=str(self.database.data), **given)

    def remote(self, *words: str, given: str | None = None) -> Result:
        """Run a command with `--server`."""
        return command("--server", self.url, *words, given=given)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tokens in a folder of the test's own, and return it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "trickbook"


@pytest.fixture(autouse=True)
def wait_for_lists(request: pytest.FixtureRequest) -> None:
    """Wait until all lists of `place` have reached the log, since commands compare them with those on the disk."""
    if "place" in request.fixturenames:
        wait_until_lists_follow(request.getfixturevalue("place").url)


@pytest.fixture(scope="package")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Return a server on SQLite."""
    database = Database(None, tmp_path_factory.mktemp("remote"))
    with open_place(database) as opened:
        yield opened


@contextmanager
def open_place(database: Database) -> Iterator[Place]:
    """Start a server, and play on it."""
    config = Config(data=database.data, database_url=database.url, hashing="cheapest", seating="at-once")
    with serve_in_thread(config) as serving, Server(serving.url) as ann, Server(serving.url) as mod:
        place = Place(serving.url, ann, mod, database)
        ann.register("ann", PASSWORD)
        mod.register("mod", PASSWORD)
        assert place.here("user", "role", "mod", "arbiter").exit_code == 0
        play_game(ann, {"variant": "pitch", "seats": ["ann", "bot:simple"], "options": {"win": 7}})
        Table.open(ann, "setback", ["ann", "bot:simple", "bot:random"])
        dispute = {"hand": 1, "kind": "revoke", "text": "look at the second trick"}
        ann.post(f"/games/{FINISHED}/disputes", dispute)
        for path in LISTS:
            ann.get(ann.after_write(path))
        yield place
