"""A server with two players, two arbiters, a moderator and somebody else."""

from collections.abc import Iterator

import pytest

from tests.api.server_process import start_server
from tests.commands import run
from tests.conftest import Database
from tests.web.disputes.scene import NAMES, Scene
from tests.web.table.room import Person

ROLES = {"rhea": "arbiter", "sol": "arbiter", "mod": "moderator"}


@pytest.fixture(scope="package")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A running server and its people, of whom rhea and sol are arbiters and mod is a moderator."""
    folder = tmp_path_factory.mktemp("disputes")
    with (folder / "log").open("wb") as log, start_server(Database(None, folder), stderr=log) as serving:
        people = {name: Person(serving.url, name).register() for name in NAMES}
        for name, role in ROLES.items():
            done = run("user", "role", name, role, "--data", str(folder))
            assert done.exit_code == 0, done.output
        yield Scene(serving.url, people)
        assert serving.stop() == 0
