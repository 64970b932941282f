"""The clock: games end at their time, once, however many clocks run."""

import threading
from typing import Any

import pytest
from flask import Flask

from api.worker import Worker
from tests.api.conftest import Caller, services_of
from tests.api.past_times import clock_one_hour_late, time_ago


def open_overdue_games(app: Flask, ann: Caller, number: int) -> list[str]:
    """Return that many games whose end came after they were opened."""
    body = {"variant": "pitch", "timing": {"ends_at": time_ago(minutes=30)}, "seats": ["ann", "bot:simple"]}
    with clock_one_hour_late(app):
        return [ann.post("/games", body).get_json()["id"] for _ in range(number)]


def test_a_game_that_fails_to_end_does_not_block_the_others(
    app: Flask, ann: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    games = open_overdue_games(app, ann, 2)
    here = services_of(app)
    here.followers.catch_up()
    act, failed = here.games.act, list[str]()

    def fails_once(game: str, *more: Any, **named: Any) -> Any:
        if not failed:
            failed.append(game)
            raise ArithmeticError("a fault of ours")
        return act(game, *more, **named)

    monkeypatch.setattr(here.games, "act", fails_once)
    assert Worker(here).tick() == 2
    over = {game: here.games.state(game).result is not None for game in games}
    assert over == {game: game != failed[0] for game in games}
    assert "failed and will be tried again" in caplog.text


def test_the_autoplayer_works_on_if_the_clock_fails(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("api.worker.INTERVAL_S", 0.01)
    stop, worker = threading.Event(), Worker(services_of(app))
    monkeypatch.setattr(worker, "tick", lambda: 1 // 0)
    monkeypatch.setattr(worker, "play_waiting_games", stop.set)
    worker.run(stop)
    assert "applying deadlines failed and will be tried again" in caplog.text


def test_an_end_in_the_past_is_accepted_and_ends_the_game_at_once(ann: Caller) -> None:
    body = {"variant": "pitch", "timing": {"ends_at": time_ago(seconds=1)}, "seats": ["ann", "bot:simple"]}
    view = ann.get(f"/games/{ann.post('/games', body).get_json()['id']}").get_json()
    assert (view["status"], view["result"]["reason"], view["turn"]["seats"]) == ("finished", "time", [])
