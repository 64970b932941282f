"""The clock: games end at their time, once, however many clocks run."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from api.client import Server
from api.services.container import Services, open_services
from api.services.worker import INTERVAL_S, Worker
from domain.commands import Tick
from domain.events import CeremonyRevealed, GameEnded
from domain.state import SERVER
from projections.bots import choose
from tests.api.conftest import Caller, config_for, services_of
from tests.api.past_times import clock_one_hour_late, time_ago
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.step_limit import steps

PASSWORD = "correct-horse"
SIMPLE = ["bot:simple"] * 3
PATIENCE_S = 60


def open_ending_games(
    player: Server, tables: Callable[[str], list[dict[str, Any]]]
) -> tuple[str, float, list[dict[str, Any]]]:
    """Open games that end at a set time, before that time; return the time and the games.

    A slow machine gets more time to open them.
    """
    for seconds in (2, 10, 50):
        come, soon = time.monotonic() + seconds, time_ago(seconds=-seconds)
        games = [player.post("/games", table) for table in tables(soon)]
        if all(game["view"]["status"] == "active" for game in games):
            return soon, come, games
    raise AssertionError("the time came before the games were open")


def wait_for_end(player: Server, board: int) -> dict[str, Any]:
    """Return the game's public view once the game is over."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        view: dict[str, Any] = player.get(f"/games/{board}")
        if view["status"] == "finished":
            return view
        time.sleep(0.1)
    raise AssertionError(f"board {board} has not ended within {PATIENCE_S} s")


def first(view: dict[str, Any]) -> dict[str, Any]:
    return choose("simple", view, lambda _: 0)


def test_C6_R_C42_games_end_at_their_time_without_a_request(database: Database) -> None:
    with start_server(database) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", PASSWORD)
        soon, _, games = open_ending_games(ann, ending)
        results = [wait_for_end(ann, game["board"])["result"] for game in games]
        none = {"reason": "time", "winners": [], "scores": [0, 0, 0, 0], "ruled": None}
        assert results == [none | {"winners": [0, 1, 2, 3]}, none, none, none]  # R-C43: equal scores win together
        for game in games:
            log = ann.get(f"/games/{game['board']}/events")["items"]
            last = log[-1]["event"]
            assert (last["fact"], last["by"], last["at"] >= soon) == ("GameEnded", "server", True)
            assert ann.get(f"/games/{game['board']}/audit")["verdict"]["code"] == 0
        assert serving.stop() == 0


def ending(soon: str) -> list[dict[str, Any]]:
    """Open a game of each variant that ends at that time."""
    seats: dict[str, Any] = {"seats": ["ann", *SIMPLE]}
    session = seats | {"variant": "corellian", "options": {"ends_at": soon, "randomizer": None}}
    others = ("pitch", "setback", "blackout")
    return [session, *(seats | {"variant": name, "timing": {"ends_at": soon}} for name in others)]


def test_R_C42_after_hand_the_game_ends_with_the_hand_in_play(database: Database) -> None:
    with start_server(database) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", PASSWORD)
        _, come, (game,) = open_ending_games(ann, open_last_hand)
        board, view = game["board"], game["view"]
        while time.monotonic() < come + 2 * INTERVAL_S:
            assert ann.get(f"/games/{board}")["status"] == "active"
            time.sleep(0.2)
        spent = steps()
        while view["status"] == "active":
            next(spent)
            view = ann.post(f"/games/{board}/moves", first(view))["view"]
        assert (view["result"]["reason"], view["hand"]["number"]) == ("time", 1)
        assert view["result"]["scores"] == view["last_hand"]["scores"]
        assert ann.get(f"/games/{board}/audit")["verdict"]["code"] == 0
        assert serving.stop() == 0


def open_last_hand(soon: str) -> list[dict[str, Any]]:
    """Return a game that ends with the hand in play at that time."""
    options = {"ends_at": soon, "randomizer": None, "stop": "after_hand"}
    return [{"variant": "corellian", "options": options, "seats": ["ann", *SIMPLE]}]


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


def test_a_tick_that_is_not_due_stores_nothing(app: Flask, ann: Caller) -> None:
    body = {"variant": "pitch", "timing": {"ends_at": time_ago(hours=-1)}, "seats": ["ann", "bot:simple"]}
    game = ann.post("/games", body).get_json()["id"]
    here = services_of(app)
    here.followers.catch_up()
    assert Worker(here).tick() == 0
    position = here.games.log.last_numbers()
    commit = here.games.act(game, Tick(), by=SERVER, command_id="1-1")
    assert (commit.entries, here.games.log.last_numbers()) == ((), position)


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
    monkeypatch.setattr("api.services.worker.INTERVAL_S", 0.01)
    stop, worker = threading.Event(), Worker(services_of(app))
    monkeypatch.setattr(worker, "tick", lambda: 1 // 0)
    monkeypatch.setattr(worker, "play_waiting_games", stop.set)
    worker.run(stop)
    assert "applying deadlines failed and will be tried again" in caplog.text


def test_a_clock_ends_a_game_at_its_time(due: tuple[Services, str]) -> None:
    here, game = due
    assert here.games.state(game).result is None
    assert Worker(here).tick() == 1
    result = here.games.state(game).result
    assert result is not None
    assert (result.reason, result.winners) == ("time", ())


def test_an_end_in_the_past_is_accepted_and_ends_the_game_at_once(ann: Caller) -> None:
    body = {"variant": "pitch", "timing": {"ends_at": time_ago(seconds=1)}, "seats": ["ann", "bot:simple"]}
    view = ann.get(f"/games/{ann.post('/games', body).get_json()['id']}").get_json()
    assert (view["status"], view["result"]["reason"], view["turn"]["seats"]) == ("finished", "time", [])
