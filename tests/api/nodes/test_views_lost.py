"""The rows of the lists are removed or damaged while servers run: they are built again from the log."""

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from api.app import create_app
from tests.api.conftest import Caller, MakeApp, config_for, services_of
from tests.api.worker_thread import running_worker
from tests.commands import run
from tests.conftest import Database
from tests.waiting import wait_until

TABLE = {"variant": "pitch", "seats": ["ann", "bot:random"]}
NO_DATABASE = b"not a database at all".ljust(100, b"\xff")


def remove_files(data: Path) -> None:
    for file in sorted(data.glob("views.db*")):
        file.unlink()


def damage_first_page(data: Path) -> None:
    """Write in another process: SQLite's locks of this one end if it closes the file."""
    command = ["dd", f"of={data / 'views.db'}", "conv=notrunc", "status=none"]
    subprocess.run(command, input=NO_DATABASE, check=True)


def flip_page_headers(data: Path) -> None:
    """Change the kind of every page."""
    content = bytearray((data / "views.db").read_bytes())
    for page in range(0, len(content), 4096):
        content[page or 100] ^= 0x5A
    (data / "views.db").write_bytes(content)


LOSSES: tuple[Callable[[Path], object], ...] = (
    remove_files,
    lambda data: (data / "views.db").unlink(),
    lambda data: (data / "views.db-wal").unlink(),
    lambda data: os.truncate(data / "views.db", 0),
    damage_first_page,
)
SCHEMA_LOSSES: tuple[LiteralString, ...] = (
    "DROP SCHEMA views CASCADE",
    "DROP TABLE views.followers",
    "DROP TABLE views.lobby_1_seats",
)


def wait_for_lists(players: Sequence[Caller], games: list[str]) -> None:
    """Wait until the lobby has exactly these games at each server, and the newest of them has a scoreboard."""

    def is_complete(player: Caller) -> bool:
        answers = [player.get(path) for path in ("/games?limit=100", f"/games/{games[-1]}/scoreboard")]
        if 503 in [answer.status_code for answer in answers]:
            return False
        lobby, board = [answer.get_json() for answer in answers]
        return [item["id"] for item in lobby["items"]] == games[::-1] and board.get("game") == games[-1]

    for each in players:
        wait_until(lambda player=each: is_complete(player))  # type: ignore[misc]


@pytest.fixture
def ann(make_app: MakeApp, database: Database) -> Iterator[list[Caller]]:
    """Yield ann at a server with a worker, and at one without."""
    one, two = (make_app(config_for(database)) for _ in range(2))
    ann = Caller(one.test_client()).join("ann")
    with running_worker(services_of(one)):
        yield [ann, replace(ann, client=two.test_client())]


def lose_in_turn(ann: list[Caller], losses: Sequence[Callable[[], object]]) -> None:
    """Lose rows in turn, and check each time that both servers list a new game beside the others."""
    games = [ann[0].post("/games", TABLE).get_json()["id"] for _ in range(3)]
    for lose in losses:
        wait_for_lists(ann, games)
        lose()
        games.append(ann[0].post("/games", TABLE).get_json()["id"])
    wait_for_lists(ann, games)
    assert [each.get("/health/ready").status_code for each in ann] == [200, 200]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_122_lost_or_damaged_files_are_built_again_while_servers_run(ann: list[Caller], tmp_path: Path) -> None:
    lose_in_turn(ann, [lambda lose=lose: lose(tmp_path) for lose in LOSSES])  # type: ignore[misc]


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_122_a_dropped_schema_is_built_again_while_servers_run(ann: list[Caller], database: Database) -> None:
    with psycopg.connect(str(database.url), autocommit=True) as operator:
        lose_in_turn(ann, [lambda statement=statement: operator.execute(statement) for statement in SCHEMA_LOSSES])  # type: ignore[misc]


def test_122_a_damaged_file_does_not_stop_the_start_and_is_kept(tmp_path: Path) -> None:
    config = config_for(Database(None, tmp_path))
    app = create_app(config)
    ann = Caller(app.test_client()).join("ann")
    game = ann.post("/games", TABLE).get_json()["id"]
    services_of(app).followers.catch_up()
    services_of(app).close()
    damage_first_page(tmp_path)
    assert run("store", "rebuild", at=config).exit_code == 0
    assert (tmp_path / "views.db.damaged").read_bytes()[:10] == b"not a data"
    flip_page_headers(tmp_path)
    app = create_app(config)
    with closing(services_of(app)), running_worker(services_of(app)):
        wait_for_lists([replace(ann, client=app.test_client())], [game])
