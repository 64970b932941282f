"""A server that nobody uses asks its database for little. A clock that stands still counts the turns of its worker."""

from collections import Counter

import pytest
from flask import Flask

from api.worker import IDLE_INTERVAL_S, SETTLED_S, Worker
from tests.api.conftest import Caller, services_of
from tests.api.past_times import time_ago

ALL = {
    "applying deadlines", "autoplay", "queued moves", "dealing full tables", "issuing receipts", "accounts",
    "noting broadcasts",
}  # fmt: skip


class IdleServer:
    """A server with its worker, and the seconds since the last change."""

    def __init__(self, app: Flask) -> None:
        self.now = 0.0
        self.here = services_of(app)
        self.here.wakeups.timer = lambda: self.now
        self.worker = Worker(self.here)
        self.here.wakeups.ring()

    def turn(self) -> set[str]:
        """Ask the accounts what waits, take a turn of all tasks, and return their names."""
        self.worker._waiting = self.here.accounts.pending_work()
        tasks = self.worker.tasks()
        for _, task in tasks:
            task()
        return {name for name, _ in tasks}

    def turns(self, seconds: int) -> Counter[str]:
        """Return how often each task had its turn, one turn a second."""
        done = Counter[str]()
        for _ in range(seconds):
            self.now += 1
            done.update(self.turn())
        return done


@pytest.fixture
def idle(app: Flask) -> IdleServer:
    return IdleServer(app)


@pytest.mark.both_stores
def test_all_is_done_after_a_change_and_then_once_a_minute(idle: IdleServer, ann: Caller) -> None:
    ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]})
    assert idle.turns(int(SETTLED_S) - 1) == dict.fromkeys(ALL, SETTLED_S - 1)
    idle.turns(int(IDLE_INTERVAL_S))
    assert idle.turns(int(IDLE_INTERVAL_S)) == dict.fromkeys(ALL, 1) | {"accounts": IDLE_INTERVAL_S}
    idle.here.wakeups.ring()
    assert idle.turn() == ALL


@pytest.mark.both_stores
def test_a_deadline_is_applied_when_it_comes_and_work_in_the_accounts_when_it_is_left_there(
    idle: IdleServer, ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"], "timing": {"nag_days": 1}})
    idle.here.followers.catch_up()
    idle.turns(int(SETTLED_S) + 1)
    assert idle.turn() == {"accounts"}
    monkeypatch.setattr(idle.here.clock, "now", lambda: time_ago(days=-2))
    assert idle.turn() == {"accounts", "applying deadlines"}
    monkeypatch.undo()
    idle.here.accounts.database.run("INSERT INTO broadcasts VALUES ('b', 'p_x', 'hello', 1, 's', 'r', '')")
    assert idle.turn() >= {"accounts", "noting broadcasts"}
