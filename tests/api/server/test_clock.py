"""The clock: games end at their time, once, however many clocks run."""

import threading
from typing import Any

import pytest
from flask import Flask

from api.container import Services, open_services
from api.worker import Worker
from domain.events import CeremonyRevealed, GameEnded
from tests.api.conftest import Caller, config_for, services_of
from tests.api.past_times import clock_one_hour_late, time_ago
from tests.conftest import Database


@pytest.fixture
def due(app: Flask, ann: Caller) -> tuple[Services, str]:
    """A game whose end is due, and its services, without a worker."""
    (game,) = open_overdue_games(app, ann, 1)
    services_of(app).followers.catch_up()
    return services_of(app), game


def open_overdue_games(app: Flask, ann: Caller, number: int) -> list[str]:
    """Return that many games whose end came after they were opened."""
    body = {"variant": "pitch", "timing": {"ends_at": time_ago(minutes=30)}, "seats": ["ann", "bot:simple"]}
    with clock_one_hour_late(app):
        return [ann.post("/games", body).get_json()["id"] for _ in range(number)]


def test_several_clocks_end_a_game_once(due: tuple[Services, str], database: Database) -> None:
    here, game = due
    others = [open_services(config_for(database)) for _ in range(3)]
    workers = [Worker(each) for each in (here, *others) for _ in range(2)]
    threads = [threading.Thread(target=worker.tick) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    facts = [entry.event.data for entry in here.games.entries(game)]
    assert [type(fact) for fact in facts[-2:]] == [CeremonyRevealed, GameEnded]
    assert sum(isinstance(fact, GameEnded) for fact in facts) == 1
    assert Worker(here).tick() == 1  # the list of deadlines is behind; no harm is done
    here.followers.catch_up()
    assert Worker(here).tick() == 0
    assert len(here.games.entries(game)) == len(facts)
    for each in others:
        each.close()


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
