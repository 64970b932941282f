"""Choices are explained after the reveal, and hints are given at a table of practice; neither writes anything."""

from typing import Any

from flask import Flask

from projections.bots import WORLDS
from tests.api.conftest import Caller, check_problem
from tests.step_limit import steps
from tests.strong.test_server import Game

PRACTICE = {"seats": ["ann", "bot:simple"], "undo": "practice"}


def test_choices_are_explained_once_the_hand_is_revealed(app: Flask) -> None:
    game, spent = Game(app), steps(400)
    path = f"/games/{game.id}/hands/1/choices"
    check_problem(game.ann.get(path), 409, "not-revealed")
    while game.view()["hand"]["number"] == 1:
        next(spent)
        game.plays()
    answer = game.ann.get(path).get_json()
    assert answer["code"] == 0
    assert answer["choices"]
    assert all(each["right"] and each["seat"] == 1 for each in answer["choices"])
    one = answer["choices"][-1]
    assert game.ann.get(f"{path}?at={one['version']}").get_json()["choices"] == [one]
    assert "couldn't rule out" in game.ann.get(path, Accept="text/plain").text
    check_problem(game.ann.get(f"/games/{game.id}/hands/99/choices"), 404, "not-found")


def test_own_moves_are_compared_for_their_player_alone_and_after_the_game(app: Flask) -> None:
    game, spent = Game(app), steps(400)
    path = f"/games/{game.id}/hands/1/choices?seat=0"
    while game.view()["hand"]["number"] == 1:
        next(spent)
        game.plays()
    check_problem(game.ann.get(path), 409, "not-revealed")
    game.ann.post(f"/games/{game.id}/moves", {"type": "resign"})
    found = game.ann.get(path).get_json()
    assert found["code"] == 0
    assert {each["seat"] for each in found["choices"]} == {0}
    check_problem(Caller(app.test_client()).join("bob").get(path), 404, "not-found")
    check_problem(Caller(app.test_client()).get(path), 404, "not-found")
    check_problem(game.ann.get(path.replace("seat=0", "seat=1")), 404, "not-found")


def test_a_hint_is_a_legal_move_and_the_same_each_time(app: Flask) -> None:
    game = Game(app, **PRACTICE)
    path, before = f"/games/{game.id}/hint", game.version
    hint = game.ann.get(path).get_json()
    assert game.ann.get(path).get_json() == hint
    assert hint["chosen"] in game.view()["you"]["legal"]
    assert hint["version"] == game.version == before
    assert hint["worlds"] == 100
    assert max(hint["options"], key=gain)["move"] == hint["chosen"]
    assert game.ann.post(f"/games/{game.id}/moves", hint["chosen"]).status_code == 201


def gain(option: Any) -> float:
    return float(option["gain"])


def test_hints_are_only_for_the_player_of_a_practice_table_in_their_turn(app: Flask) -> None:
    game, other = Game(app), Caller(app.test_client()).join("bob")
    check_problem(game.ann.get(f"/games/{game.id}/hint"), 409, "no-hints")
    check_problem(other.get(f"/games/{game.id}/hint"), 403, "not-seated")
    practice = game.ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:strong"], "undo": "practice"})
    path = f"/games/{practice.get_json()['id']}"
    view = game.ann.get(f"{path}/seats/0").get_json()
    if not view["you"]["legal"]:
        check_problem(game.ann.get(f"{path}/hint"), 409, "conflict")
    else:
        game.ann.post(f"{path}/moves", view["you"]["legal"][0])
        check_problem(game.ann.get(f"{path}/hint"), 409, "conflict")


def test_a_rematch_seats_the_same_bot(app: Flask) -> None:
    game = Game(app, seats=["ann", "bot:strong"])
    game.ann.post(f"/games/{game.id}/moves", {"type": "resign"})
    again = game.ann.post("/games", {"rematch_of": game.id}).get_json()
    seats = game.ann.get(f"/games/{again['id']}").get_json()["seats"]
    assert [each["player"] for each in seats][1] == "bot:strong:1"
    assert game.here.games.opening(again["id"]).players[1].bot == f"strong/1:{WORLDS}"
