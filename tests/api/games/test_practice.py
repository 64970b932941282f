"""A game of practice over HTTP: one person and bots, and moves taken back across the bots' moves (R-P7)."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from api.config import Config
from tests.api.conftest import Caller, MakeApp, check_problem
from tests.step_limit import steps

UNDO = {"type": "undo"}
TABLE = {"variant": "pitch", "options": {"win": 7}, "seats": ["ann", "bot:simple", "bot:simple"], "undo": "practice"}


@pytest.fixture
def app(make_app: MakeApp, config: Config) -> Flask:
    """An app at whose tables a seat may make three proposals in a hand, on each store in turn."""
    return make_app(replace(config, hand_proposals=3))


class Practice:
    """A game of practice; ann has seat 0."""

    def __init__(self, app: Flask, **body: object) -> None:
        self.ann = Caller(app.test_client()).join("ann")
        opened = self.ann.post("/games", TABLE | body)
        assert opened.status_code == 201, opened.text
        self.path = f"/games/{opened.get_json()['id']}"

    def view(self) -> Any:
        return self.ann.get(f"{self.path}/seats/0").get_json()

    def move(self, move: object) -> Any:
        """Post a move and return the answer's body; the bots have moved too."""
        answer = self.ann.post(f"{self.path}/moves", move)
        assert answer.status_code == 201, answer.text
        return answer.get_json()

    def plays(self) -> None:
        self.move(self.view()["you"]["legal"][-1])

    def until(self, phase: str) -> Any:
        """Play until it's ann's turn in that phase and something can be taken back; return the view of seat 0."""
        spent = steps(300)
        while (view := self.view())["phase"] != phase or "undo" not in view["you"]["may"]:
            next(spent)
            self.plays()
        return view


def of_play(view: Any) -> dict[str, Any]:
    """Return what an undo restores of a view."""
    return {name: view[name] for name in ("phase", "hand", "seats", "sides")} | {"cards": view["you"]["cards"]}


def test_R_P7_ann_practises_a_game_to_its_end(app: Flask) -> None:
    game = Practice(app)
    assert game.view()["rules"] == {"goal": 7, "undo": "practice"}
    before = game.until("play")
    game.plays()
    after = game.view()
    assert of_play(after) != of_play(before)
    back = game.move(UNDO)
    assert [line["event"]["fact"] for line in back["events"]] == ["UndoAsked", "MovesTakenBack"]
    assert of_play(back["view"]) == of_play(before)
    assert back["view"]["you"]["legal"] == before["you"]["legal"]
    game.move(UNDO)
    game.plays()
    game.move(UNDO)
    game.plays()
    refused = check_problem(game.ann.post(f"{game.path}/moves", UNDO), 409, "too-many")
    assert "3 proposals in this hand" in str(refused["detail"])
    spent = steps(1000)
    while (view := game.view())["status"] == "active":
        next(spent)
        game.plays()
    assert view["result"]["reason"] == "goal"
    report = game.ann.get(f"{game.path}/audit").get_json()
    assert report["verdict"] == {"code": 0, "says": "all green", "findings": 0}
