"""The chat of games that watchers see late, or not at all (docs/moderation.md)."""

from typing import Any

import pytest
from flask import Flask

from tests.api.conftest import check_problem
from tests.conduct.conftest import Court, open_court


def play(court: Court, moves: int) -> None:
    """Play the first legal move of the seat to move, some times."""
    for _ in range(moves):
        seat = seat_view(court)["turn"]["seats"][0]
        name = ("ann", "bob")[seat]
        legal = court[name].get(f"/games/{court.game}/seats/{seat}").get_json()["you"]["legal"]
        assert court[name].post(f"/games/{court.game}/moves", legal[-1]).status_code == 201


def seat_view(court: Court) -> Any:
    return court["ann"].get(f"/games/{court.game}/seats/0").get_json()


@pytest.fixture
def late(app: Flask) -> Court:
    """A court whose game is seen three facts late."""
    court = open_court(app, watch={"public": True, "delay": 3})
    play(court, 4)
    return court


def head(court: Court) -> int:
    """Return the version that a watcher sees."""
    return int(court["eve"].get(f"/games/{court.game}").get_json()["version"])


def test_a_late_watcher_reads_what_the_table_writes_as_late_as_the_game(late: Court) -> None:
    late.wrote("ann", "my ace is gone")
    version = seat_view(late)["version"]
    assert late.texts("bob") == ["my ace is gone"]
    while head(late) < version:
        assert late.texts("eve") == []
        play(late, 1)
    assert late.texts("eve") == ["my ace is gone"]


@pytest.mark.both_stores
def test_a_late_watcher_who_follows_the_chat_misses_nothing(late: Court) -> None:
    early = late.wrote("ann", "early")
    last = late.wrote("eve", "what a game", to="watchers")
    version = seat_view(late)["version"]
    while head(late) < version:
        play(late, 1)
    newer = late.wrote("eve", "indeed", to="watchers")
    assert late.texts("eve", f"?after={last}") == ["early", "indeed"]
    assert late.texts("eve", "?limit=2") == ["early", "indeed"]
    assert late.texts("eve", f"?before={newer}") == ["what a game", "early"]
    assert late.report("eve", "ann", game=late.game, message=early).status_code == 201


def test_a_late_watcher_comments_only_on_events_that_they_see(late: Court) -> None:
    seen = head(late)
    assert seen < seat_view(late)["version"]
    assert late.write("eve", to="watchers", event=seen).status_code == 201
    check_problem(late.write("eve", to="watchers", event=seen + 1), 404, "not-found")


def test_all_is_read_once_the_game_is_over(late: Court) -> None:
    late.wrote("ann", "gg")
    late.wrote("eve", "well played", to="watchers")
    late["bob"].post(f"/games/{late.game}/moves", {"type": "resign"})
    assert set(late.texts("eve")) == set(late.texts("ann")) == {"gg", "well played"}


def test_a_message_of_a_private_game_is_reported_by_its_readers_and_erased_by_moderators(app: Flask) -> None:
    court = open_court(app, watch={"public": False, "delay": 0})
    message = court.wrote("ann", "hello")
    for game in (court.game, "0f8fad5b-d9cb-469f-a165-70867728950e"):
        report = check_problem(court.report("eve", "ann", game=game, message=message), 404, "not-found")
        assert report["detail"] == "There is no such game, or you may not see it."
    check_problem(court["moira"].get(court.chat), 404, "not-found")
    assert court.report("bob", "ann", game=court.game, message=message).status_code == 201
    assert court["moira"].delete(f"{court.chat}/{message}").status_code == 204
