"""A database that hangs or is locked: requests get 503 in time, others go on, and nothing is lost or made twice."""

import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from tests.api.remote_server import RemoteServer
from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database
from tests.logs.tables import log_tables
from tests.postgres import Cluster
from tests.waiting import wait_for, wait_until

TABLE = {"variant": "pitch", "seats": ["ann", "bob"], "options": {"win": 21}}
READS = ("/games/1", "/games", "/games/1/seats/0", "/games/1/events", "/games/1/export", "/games/1/scoreboard")
CLIENTS = 24
IN_TIME = timedelta(seconds=20)
"""Each wait for a database ends after a few seconds; the rest is for a busy machine."""


def check_unavailable(answers: Sequence[httpx.Response]) -> None:
    """Check for problems of status 503 that say when to try again, in time."""
    assert {(each.status_code, each.headers["Content-Type"]) for each in answers} == {(503, "application/problem+json")}
    assert all(each.headers["Retry-After"] for each in answers)
    assert max(each.elapsed for each in answers) < IN_TIME


class Room:
    """A server with one game, in which it's ann's turn or bob's to bid."""

    def __init__(self, serving: ServerProcess, client: httpx.Client) -> None:
        remote, self.client = RemoteServer(serving.url), client
        self.ann, tokens = remote["ann"], [remote[name].token for name in ("ann", "bob")]
        turn = self.ann.post("/games", TABLE).get_json()["view"]["turn"]["seats"]
        self._reader, self._mover = ({"Authorization": f"Bearer {token}"} for token in (tokens[0], tokens[turn[0]]))

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path, headers=self._reader)

    def bid(self) -> httpx.Response:
        """Pass the first bid, under a key that makes it one move however often it's sent."""
        headers = self._mover | {"Idempotency-Key": "the-bid"}
        return self.client.post("/api/v1/games/1/moves", json={"text": "pass"}, headers=headers)

    def load(self, *paths: str) -> list[httpx.Response]:
        """Read these paths with many clients at the same time."""
        with ThreadPoolExecutor(CLIENTS) as pool:
            return list(pool.map(lambda at: self.get(f"/api/v1{paths[at % len(paths)]}"), range(CLIENTS)))

    def check_one_bid(self) -> None:
        """Wait until the bid is made, and check that the log has no gap, and one passed bid."""
        wait_until(lambda: self.bid().status_code == 201)
        lines = self._read("/games/1/events")["items"]
        assert [line["version"] for line in lines] == list(range(1, len(lines) + 1))
        assert [line["event"]["fact"] for line in lines if "event" in line].count("BidPassed") == 1
        assert self._read("/games/1/audit")["verdict"]["findings"] == 0

    def _read(self, path: str) -> Any:
        """Return an answer, once the process that reads asks the database again."""
        return wait_for(lambda: self.ann.get(path), lambda answer: answer.status_code == 200).get_json()


@contextmanager
def open_room(database: Database) -> Iterator[Room]:
    """Start a server, and yield its room. At the end, stop the server."""
    with (
        start_server(database, LIMITS="off") as serving,
        httpx.Client(base_url=serving.url, timeout=60) as client,
    ):
        yield Room(serving, client)
        assert serving.stop() == 0


@contextmanager
def stopped(cluster: Cluster) -> Iterator[None]:
    """Stop every process of a PostgreSQL that this test started."""
    first = int((cluster.data / "postmaster.pid").read_text(encoding="ascii").split()[0])
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True, check=True)
    processes = [first, *map(int, listed.stdout.split())]
    try:
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def test_a_stopped_postgres_is_a_503_in_time_and_play_goes_on_afterwards(
    postgres_cluster: Cluster, tmp_path: Path
) -> None:
    with open_room(Database(postgres_cluster.server.dsn, tmp_path)) as room:
        with stopped(postgres_cluster), ThreadPoolExecutor(1) as pool:
            bidding = pool.submit(room.bid)
            check_unavailable(room.load(*READS))
            check_unavailable([bidding.result(), room.bid(), room.get("/health/ready")])
            assert room.get("/health/live").status_code == 200
        room.check_one_bid()
        wait_until(lambda: room.get("/health/ready").status_code == 200)
        assert room.bid().status_code == 201


@pytest.mark.slow
@pytest.mark.parametrize("table", ["log", "office.tokens"])
def test_a_table_lock_is_a_503_in_time(fresh_postgres: str, tmp_path: Path, table: str) -> None:
    seat = "/games/1/seats/0"
    with open_room(Database(fresh_postgres, tmp_path)) as room:
        with psycopg.connect(fresh_postgres) as other:
            other.execute(f"LOCK TABLE {', '.join(log_tables(fresh_postgres) if table == 'log' else [table])}".encode())
            wait_until(lambda: room.get(f"/api/v1{seat}").status_code == 503)  # a token is known for half a second
            check_unavailable([*room.load(seat), room.bid()])
            assert [room.client.get(path).status_code for path in ("/health/live", "/api/v1/variants")] == [200, 200]
        room.check_one_bid()


@pytest.mark.slow
def test_a_write_lock_of_another_program_stops_no_reads(tmp_path: Path) -> None:
    with open_room(Database(None, tmp_path)) as room, ExitStack() as held:
        for name in ("log.db", "office.db", "views.db"):
            other = held.enter_context(closing(sqlite3.connect(tmp_path / name, isolation_level=None)))
            other.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor(CLIENTS) as pool:
            check_unavailable(list(pool.map(lambda _: room.bid(), range(48))))
        assert {each.status_code for each in room.load("/games/1", "/games", "/games/1/events")} == {200}
        assert room.get("/health/live").status_code == 200
        held.close()
        room.check_one_bid()
