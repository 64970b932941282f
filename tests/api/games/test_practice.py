"""A game of practice over HTTP: one person and bots, and moves taken back across the bots' moves (R-P7)."""

from pathlib import Path
from typing import Any

from tests.api.conftest import check_problem
from tests.api.live_server import ServedGame, open_server
from tests.step_limit import steps

UNDO = {"type": "undo"}


def make(game: ServedGame, move: object) -> Any:
    """Post a move of ann's and return the answer's body; the bots have moved too."""
    answer = game.move(0, move)
    assert answer.status_code == 201, answer.text
    return answer.get_json()


def play(game: ServedGame) -> None:
    make(game, game.view(0)["you"]["legal"][-1])


def of_play(view: Any) -> dict[str, Any]:
    """Return what an undo restores of a view."""
    return {name: view[name] for name in ("phase", "hand", "seats", "sides")} | {"cards": view["you"]["cards"]}


def test_R_P7_ann_practises_a_game_to_its_end(tmp_path: Path) -> None:
    with open_server(tmp_path, hand_proposals=3) as server:
        game = server.open(["ann", "bot:simple", "bot:simple"], options={"win": 7}, undo="practice")
        assert game.view(0)["rules"] == {"goal": 7, "undo": "practice"}
        spent = steps(1000)
        while (before := game.view(0))["phase"] != "play" or "undo" not in before["you"]["may"]:
            next(spent)
            play(game)
        play(game)
        assert of_play(game.view(0)) != of_play(before)
        back = make(game, UNDO)
        assert [line["event"]["fact"] for line in back["events"]] == ["UndoAsked", "MovesTakenBack"]
        assert of_play(back["view"]) == of_play(before)
        assert back["view"]["you"]["legal"] == before["you"]["legal"]
        make(game, UNDO)
        play(game)
        make(game, UNDO)
        play(game)
        refused = check_problem(game.move(0, UNDO), 409, "too-many")
        assert "3 proposals in this hand" in str(refused["detail"])
        while game.view(0)["status"] == "active":
            next(spent)
            play(game)
        assert game.public["result"]["reason"] == "goal"
        report = server.nobody.get(f"{game.path}/audit").get_json()
        assert report["verdict"] == {"code": 0, "says": "all green", "findings": 0}
