"""The rows of the lists are removed or damaged while servers run: they are built again from the log."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, LiteralString
from urllib.error import HTTPError
from urllib.request import urlopen

import psycopg

from api.client import Refusal, Server
from tests.api.server_process import run_program, start_server
from tests.conftest import Database

PASSWORD = "correct-horse"
PATIENCE_S = 60.0
TABLE = {"variant": "pitch", "seats": ["ann", "bot:random"]}


def wait_for_lists(player: Server, games: list[str]) -> None:
    """Wait until the lobby has exactly these games, and the newest of them has a scoreboard."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            found = [item["id"] for item in player.get("/games?limit=100")["items"]]
            if found == games[::-1] and player.get(f"/games/{games[-1]}/scoreboard")["game"] == games[-1]:
                return
        except Refusal as error:
            assert error.status == 503
        assert time.monotonic() < until
        time.sleep(0.1)


def ready_answer(url: str) -> tuple[int, dict[str, Any]]:
    try:
        with urlopen(f"{url}/health/ready", timeout=30) as answer:
            return answer.status, json.load(answer)
    except HTTPError as refused:
        return refused.code, json.load(refused)


def remove_files(data: Path) -> None:
    for file in sorted(data.glob("views.db*")):
        file.unlink()


def remove_database_file(data: Path) -> None:
    (data / "views.db").unlink()


def remove_write_ahead_log(data: Path) -> None:
    (data / "views.db-wal").unlink()


def empty_file(data: Path) -> None:
    (data / "views.db").write_bytes(b"")


def flip_bytes_of_first_page(data: Path) -> None:
    with (data / "views.db").open("r+b") as file:
        file.write(bytes(byte ^ 0xFF for byte in file.read(100)))
        file.seek(0)
        file.write(b"not a database at all")


def flip_page_headers(data: Path) -> None:
    """Change the kind of every page."""
    content = bytearray((data / "views.db").read_bytes())
    for page in range(0, len(content), 4096):
        content[page or 100] ^= 0x5A
    (data / "views.db").write_bytes(content)


LOSSES: tuple[Callable[[Path], None], ...] = (
    remove_files,
    remove_database_file,
    remove_write_ahead_log,
    empty_file,
    flip_bytes_of_first_page,
)
SCHEMA_LOSSES: tuple[LiteralString, ...] = (
    "DROP SCHEMA views CASCADE",
    "DROP TABLE views.followers",
    "DROP TABLE views.lobby_1_seats",
)


def test_122_lost_or_damaged_files_are_built_again_while_servers_run(tmp_path: Path) -> None:
    """One server has a worker, and the other one has none."""
    database = Database(None, tmp_path)
    with start_server(database) as serving, start_server(database, "--no-worker") as other:
        with Server(serving.url, patience_s=0) as ann, Server(other.url, patience_s=0) as reader:
            ann.register("ann", PASSWORD)
            games = [ann.post("/games", TABLE)["id"] for _ in range(3)]
            for lose in LOSSES:
                for player in (ann, reader):
                    wait_for_lists(player, games)
                lose(tmp_path)
                games.append(ann.post("/games", TABLE)["id"])
            for player in (ann, reader):
                wait_for_lists(player, games)
            for url in (serving.url, other.url):
                assert ready_answer(url)[0] == 200
        assert (serving.stop(), other.stop()) == (0, 0)


def test_122_a_damaged_file_does_not_stop_the_start_and_is_kept(tmp_path: Path) -> None:
    database = Database(None, tmp_path)
    with start_server(database) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", PASSWORD)
        game = ann.post("/games", TABLE)["id"]
        wait_for_lists(ann, [game])
        assert serving.stop() == 0
    flip_bytes_of_first_page(tmp_path)
    assert run_program("store", "rebuild", "--data", str(tmp_path)).returncode == 0
    assert (tmp_path / "views.db.damaged").read_bytes()[:10] == b"not a data"
    flip_page_headers(tmp_path)
    with start_server(database) as serving, Server(serving.url, patience_s=0) as ann:
        wait_for_lists(ann, [game])
        assert serving.stop() == 0


def test_122_a_dropped_schema_is_built_again_while_servers_run(fresh_postgres: str, tmp_path: Path) -> None:
    database = Database(fresh_postgres, tmp_path)
    with start_server(database) as serving, start_server(database, "--no-worker") as other:
        with Server(serving.url, patience_s=0) as ann, Server(other.url, patience_s=0) as reader:
            ann.register("ann", PASSWORD)
            games = [ann.post("/games", TABLE)["id"] for _ in range(3)]
            wait_for_lists(reader, games)
            for statement in SCHEMA_LOSSES:
                with psycopg.connect(fresh_postgres, autocommit=True) as operator:
                    operator.execute(statement)
                games.append(ann.post("/games", TABLE)["id"])
                for player in (ann, reader):
                    wait_for_lists(player, games)
        assert (serving.stop(), other.stop()) == (0, 0)
