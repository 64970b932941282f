"""A server that nobody uses asks its database for little. A clock that stands still counts the turns of its worker."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from api.mail.outgoing.sender import LOG_POLL_S, Mailer
from api.worker import IDLE_INTERVAL_S, Worker
from domain.store.wakeups import SETTLED_S
from tests.api.conftest import Caller, MakeApp, config_for, services_of
from tests.api.past_times import time_ago
from tests.conftest import Database

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


@pytest.mark.both_stores
def test_mails_are_one_question_a_look_and_the_log_is_read_after_a_change_and_then_once_a_minute(
    database: Database, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = replace(config_for(database), smtp_url="smtp://127.0.0.1:9", mail_domain="cards.example.org")
    idle, asked = IdleServer(make_app(config)), Counter[str]()
    mailer, accounts = Mailer(idle.here), idle.here.accounts.database
    run = accounts.run

    def counted(statement: str, *values: Any) -> Any:
        asked["queue" if "deliveries" in statement else "log"] += 1
        return run(statement, *values)

    def look(seconds: int) -> Counter[str]:
        asked.clear()
        for _ in range(seconds):
            idle.now += 1
            mailer.run_once(reads_log=mailer.may_find_news())
        return asked

    monkeypatch.setattr(accounts, "run", counted)
    assert look(1)["log"] > 0
    one_read = look(1)["log"]
    look(int(SETTLED_S + LOG_POLL_S))
    assert look(int(LOG_POLL_S)) == {"queue": LOG_POLL_S, "log": one_read}
    idle.here.wakeups.ring()
    assert look(1) == {"queue": 1, "log": one_read}
