"""A server whose clock is a month ahead ends no game, and time-outs go on afterwards."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from api.client import Refusal, Server
from api.services.worker import Worker
from domain.events import Player, Timing
from tests.api.conftest import services_of
from tests.api.live_server import open_server
from tests.api.past_times import time_ago
from tests.api.server.test_abandoned import PEOPLE, Past, facts
from tests.api.server.test_serve import PASSWORD, first
from tests.api.server_process import run_program, start_server
from tests.conftest import Database
from tests.waiting import wait_for

MONTH_S = 30 * 24 * 3600
TABLE: dict[str, Any] = {"variant": "pitch", "seats": ["ann", "bot:simple"], "timing": {"total_days": 25}}


class WrongClock:
    """The clock of the server of a test."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.set(0)

    def set(self, ahead_s: int) -> None:
        """Put the clock ahead by that many seconds."""
        new = self.file.with_suffix(".new")
        new.write_text(str(ahead_s))
        new.rename(self.file)

    @contextmanager
    def server(self, database: Database) -> Iterator[Server]:
        """Start a server with this clock, and its worker."""
        program = sys.executable, "-m", "tests.attacks.server.wrong_clock", str(self.file)
        with (
            start_server(database, program=program, stderr=None) as started,
            Server(started.url, patience_s=0) as server,
        ):
            yield server


@pytest.fixture
def sqlite(tmp_path: Path) -> Database:
    return Database(None, tmp_path / "data")


@pytest.fixture
def wrong_clock(tmp_path: Path) -> WrongClock:
    return WrongClock(tmp_path / "ahead")


def server_clock(database: Database) -> tuple[int, str]:
    """Run `trickbook store clock status`, with the right clock."""
    done = run_program("store", "clock", "status", "--data", str(database.data), url=database.url)
    return done.returncode, done.stdout


def open_overdue_game(database: Database, players: tuple[Player, ...]) -> str:
    """Open a game that began 22 days ago, so that a seat is out of time since yesterday."""
    past = Past(database, 22)
    try:
        return past.opened("pitch", players, Timing())
    finally:
        past.games.close()


@pytest.mark.parametrize(("jump_s", "status"), [(3600, "active"), (10**7, "finished")])
def test_attack_120_a_clock_a_month_ahead_ends_no_game_unless_it_may_jump_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump_s: int, status: str
) -> None:
    with open_server(tmp_path, clock_jump_s=jump_s) as server:
        services, usual = services_of(server.app), time.time_ns
        worker = Worker(services)
        game = server.open(["ann", "bot:simple"], timing={"total_days": 5})
        server.follow()
        services.clock.beat()
        monkeypatch.setattr(time, "time_ns", lambda: usual() + MONTH_S * 10**9)
        worker.tick()
        assert game.public["status"] == status
        if status == "active":
            moved = game.move(0, first(game.view(0)))
            assert moved.status_code == 201
            monkeypatch.undo()
            assert game.read().events[-1]["at"] < time_ago(hours=-1), "a move has the time that goes on"
        monkeypatch.setattr(time, "time_ns", usual)
        services.clock.beat()
        worker.tick()
        assert game.public["status"] == status


@pytest.mark.slow
def test_attack_120_a_held_clock_ends_no_turn_until_it_is_released(sqlite: Database, wrong_clock: WrongClock) -> None:
    with wrong_clock.server(sqlite) as ann:
        ann.register("ann", PASSWORD)
        seated = ann.post("/games", TABLE)["view"]["seats"][0]["player"]
        wait_for(lambda: server_clock(sqlite)[1], lambda said: "heartbeat of" in said)
        wrong_clock.set(MONTH_S)
        wait_for(lambda: server_clock(sqlite)[0], lambda code: code == 1)
        overdue = open_overdue_game(sqlite, (Player(seated, "human"), *PEOPLE[1:]))
        before = facts(ann, overdue)
        with pytest.raises(Refusal) as refused:
            ann.post(f"/games/{overdue}/moves", {"type": "bid", "bid": 2})
        assert (refused.value.status, refused.value.problem["type"].rpartition("/")[2]) == (503, "not-ready")
        assert facts(ann, overdue) == before
        wrong_clock.set(0)
        wait_for(lambda: facts(ann, overdue), lambda told: "SeatForfeited" in told)
        log = ann.get(f"/games/{overdue}/events")["items"]
        (forfeit,) = [line["event"] for line in log if line.get("event", {}).get("fact") == "SeatForfeited"]
        assert forfeit["data"]["held_ms"] > 0
        assert forfeit["at"] < time_ago(hours=-1)
        assert ann.get(f"/games/{overdue}/audit")["verdict"]["code"] == 2, "the hand isn't over; nothing is wrong"
