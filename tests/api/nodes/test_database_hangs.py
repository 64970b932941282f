"""A database that hangs or is locked: requests get 503 in time, others go on, and nothing is lost or made twice."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import psycopg
import pytest

from api.client import Server
from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database
from tests.logs.tables import log_tables
from tests.postgres import Cluster
from tests.waiting import wait_until

PASSWORD = "grey-heron-lands"
TABLE = {"variant": "pitch", "seats": ["ann", "bob"], "options": {"win": 21}}
READS = ("/games/1", "/games", "/games/1/seats/0", "/games/1/events", "/games/1/export", "/games/1/scoreboard")
LIMIT_S = 5.0
PATIENCE_S = 60.0


class Answered(NamedTuple):
    """The status of an answer, the seconds that it took, and its headers Content-Type and Retry-After."""

    status: int
    seconds: float
    kind: str
    retry_after: str


def ask(url: str, path: str, token: str | None = None, body: str | None = None, key: str = "") -> Answered:
    """Send one request on a connection of its own."""
    parts, start = urlsplit(url), time.monotonic()
    headers = {"Content-Type": "application/json", "Idempotency-Key": key} if body else {}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    with closing(HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)) as connection:
        connection.request("POST" if body else "GET", path, body, headers)
        answer = connection.getresponse()
        answer.read()
    seconds, found = time.monotonic() - start, answer.headers
    return Answered(answer.status, seconds, found["Content-Type"] or "", found["Retry-After"] or "")


def check_unavailable(answers: Sequence[Answered]) -> None:
    """Check for problems of status 503 that say when to try again, in time."""
    assert {answer[::2] for answer in answers} == {(503, "application/problem+json")}, answers
    assert all(answer.retry_after for answer in answers)
    assert max(answer.seconds for answer in answers) < LIMIT_S, answers


class Room:
    """A server with one game, in which it's ann's turn or bob's to bid."""

    def __init__(self, serving: ServerProcess) -> None:
        self.url = serving.url
        self.tokens = [self._join(name) for name in ("ann", "bob")]
        with Server(self.url, self.tokens[0], patience_s=0) as ann:
            turn = ann.post("/games", TABLE)["view"]["turn"]["seats"]
        self.mover = self.tokens[turn[0]]

    def _join(self, name: str) -> str:
        with Server(self.url, patience_s=0) as player:
            player.register(name, PASSWORD)
            return player.token or ""

    def read(self, path: str) -> Answered:
        return ask(self.url, f"/api/v1{path}", self.tokens[0])

    def bid(self, key: str) -> Answered:
        """Pass the first bid, under a key that makes it one move however often it's sent."""
        return ask(self.url, "/api/v1/games/1/moves", self.mover, '{"text":"pass"}', key)

    def live(self) -> Answered:
        return ask(self.url, "/health/live")

    def load(self, paths: Sequence[str], clients: int = 24) -> list[Answered]:
        """Read these paths with that many clients at the same time."""
        with ThreadPoolExecutor(clients) as pool:
            return list(pool.map(lambda number: self.read(paths[number % len(paths)]), range(clients)))

    def check_one_bid(self) -> None:
        """Check that the log has no gap, and one passed bid."""
        with Server(self.url, self.tokens[0], patience_s=0) as ann:
            lines = ann.get("/games/1/events")["items"]
            assert [line["version"] for line in lines] == list(range(1, len(lines) + 1))
            assert [line["event"]["fact"] for line in lines if "event" in line].count("BidPassed") == 1
            assert ann.get("/games/1/audit")["verdict"]["findings"] == 0


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
    with start_server(Database(postgres_cluster.server.dsn, tmp_path), LIMITS="off") as serving:
        room = Room(serving)
        with stopped(postgres_cluster), ThreadPoolExecutor(1) as pool:
            bidding = pool.submit(room.bid, "the-bid")
            check_unavailable(room.load(READS))
            check_unavailable([bidding.result(), room.bid("the-bid"), ask(room.url, "/health/ready")])
            assert (room.live().status, room.live().seconds < 1) == (200, True)
        wait_until(lambda: room.bid("the-bid").status == 201)
        wait_until(lambda: ask(room.url, "/health/ready").status == 200)
        assert room.bid("the-bid").status == 201
        room.check_one_bid()
        assert serving.stop() == 0


@pytest.mark.slow
@pytest.mark.parametrize("table", ["log", "office.tokens"])
def test_a_table_lock_is_a_503_in_time(fresh_postgres: str, tmp_path: Path, table: str) -> None:
    with start_server(Database(fresh_postgres, tmp_path), LIMITS="off") as serving:
        room = Room(serving)
        with psycopg.connect(fresh_postgres) as other:
            other.execute(f"LOCK TABLE {', '.join(log_tables(fresh_postgres) if table == 'log' else [table])}".encode())
            wait_until(lambda: room.read("/games/1/seats/0").status == 503)  # a valid token is known for half a second
            check_unavailable([*room.load(["/games/1/seats/0"]), room.bid("the-bid")])
            assert room.live().status == 200
            assert ask(room.url, "/api/v1/variants").status == 200
        wait_until(lambda: room.bid("the-bid").status == 201)
        room.check_one_bid()


@pytest.mark.slow
def test_a_write_lock_of_another_program_stops_no_reads(tmp_path: Path) -> None:
    with start_server(Database(None, tmp_path), LIMITS="off") as serving, ExitStack() as held:
        room = Room(serving)
        for name in ("log.db", "office.db", "views.db"):
            other = held.enter_context(closing(sqlite3.connect(tmp_path / name, isolation_level=None)))
            other.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor(24) as pool:
            bids = list(pool.map(lambda _: room.bid("the-bid"), range(48)))
        check_unavailable(bids)
        assert {answer.status for answer in room.load(["/games/1", "/games", "/games/1/events"])} == {200}
        assert (room.live().status, room.live().seconds < 1) == (200, True)
        held.close()
        wait_until(lambda: room.bid("the-bid").status == 201)
        room.check_one_bid()
