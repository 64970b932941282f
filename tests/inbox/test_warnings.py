"""Warnings that a turn ends soon, in the inbox of the player in turn alone, each once (R-P10, R-P15)."""

from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask

from api.inbox.services.outbox_follower import DeadlineWarner
from domain.commands import Tick
from domain.state import SERVER
from projections.lists.deadlines import games_to_warn
from tests.api.conftest import Caller, app, config, make_app, services_of
from tests.api.past_times import time_ago
from tests.domain.store.storing import command_id
from tests.inbox.test_notes import entries_of

__all__ = ["app", "config", "make_app"]
PACE = {"timing": {"pace": {"kind": "daily", "move_s": 8 * 3600}}}


@contextmanager
def at(app: Flask, **long: float) -> Any:
    """Let the store's clock stand that long before now."""
    games, then = services_of(app).games, time_ago(**long)
    usual, games._clock = games._clock, lambda: then
    try:
        yield
    finally:
        games._clock = usual


def open_game(
    app: Flask, timing: dict[str, Any], names: tuple[str, str] = ("ann", "bob"), **long: float
) -> tuple[str, Caller, Caller]:
    """Open a game that long ago; return its id, the player in turn, and the other one."""
    opener, other = (Caller(app.test_client()).join(name) for name in names)
    with at(app, **long):
        view = opener.post("/games", {"variant": "pitch", "seats": list(names)} | timing).get_json()["view"]
    services_of(app).followers.catch_up()
    return view["id"], *((opener, other) if view["you"]["seat"] in view["turn"]["seats"] else (other, opener))


@pytest.mark.parametrize(
    ("timing", "before", "after"),
    [
        pytest.param({}, {"days": 19, "hours": 23}, {"days": 20, "hours": 1}, id="21 days"),
        pytest.param(PACE, {"hours": 5, "minutes": 50}, {"hours": 6, "minutes": 10}, id="8 hours"),
        pytest.param(PACE | {"autopilot": "claim"}, {"hours": 5}, {"hours": 6, "minutes": 10}, id="claim"),
    ],
)
def test_a_player_hears_that_their_turn_ends_soon(
    app: Flask, timing: dict[str, Any], before: dict[str, float], after: dict[str, float]
) -> None:
    open_game(app, timing, ("ann", "bob"), **before)
    assert DeadlineWarner(services_of(app)).run_once() == 0
    later, turn, other = open_game(app, timing, ("cat", "dan"), **after)
    warner = DeadlineWarner(services_of(app))
    assert warner.run_once() == 1
    (entry,) = entries_of(app, turn, "deadline")
    assert (entry["game"], entry["version"] > 0, "seat" in entry) == (later, True, True)
    assert entries_of(app, other, "deadline") == []
    # another worker, or the same one later, warns nobody twice
    assert [each.run_once() for each in (warner, DeadlineWarner(services_of(app)))] == [0, 0]


@pytest.mark.both_stores
def test_a_turn_of_an_hour_has_no_warning(app: Flask) -> None:
    open_game(app, {"timing": {"pace": {"kind": "daily", "move_s": 3600}}}, minutes=59)
    assert DeadlineWarner(services_of(app)).run_once() == 0
    with services_of(app).rows.snapshot("agenda") as reading:
        assert games_to_warn(reading, "", "9", 10) == []


def test_who_has_moved_meanwhile_is_not_warned(app: Flask) -> None:
    game, turn, _ = open_game(app, PACE, hours=6, minutes=30)
    assert turn.post(f"/games/{game}/moves", {"type": "bid", "bid": 2}).status_code == 201
    assert DeadlineWarner(services_of(app)).run_once() == 0  # the lists are behind


def test_R_P10_a_reminder_is_an_entry_of_the_seat_that_is_reminded(app: Flask) -> None:
    game, turn, other = open_game(app, {"timing": {"nag_days": 7, "forfeit_days": None}}, days=8)
    commit = services_of(app).games.act(game, Tick(), by=SERVER, command_id=command_id(1))
    assert [entry.event.fact for entry in commit.entries] == ["TurnReminded"]
    (entry,) = entries_of(app, turn, "deadline")
    assert (entry["version"], entry["game"]) == (commit.state.version, game)
    assert entries_of(app, other, "deadline") == []
