"""Rulebooks that nobody means well with: each is refused with a reason, or its check ends at a limit."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask

from api.cli.main import main
from api.tables.services.rulebook_document import read_document
from replay.rulebook_check import MOST_HANDS, check_by_playing
from tests.api.conftest import Caller as HttpCaller
from tests.api.conftest import app, caller, config, make_app, services_of

__all__ = ["app", "caller", "config", "make_app"]
CODES = "Ours\x1b[2J\x9b31m"
POINT = {"name": "ace", "award": "card", "rank": "A"}
DEEP: Any = 1
for _ in range(60):
    DEEP = {"auction": DEEP}
RULES: dict[str, dict[str, Any]] = {
    "nested deeply": DEEP,
    "a field of another class": {"auction": {"ranks": ["A"]}},
    "a field of Python": {"__class__": "Rules"},
    "billions to reach": {"goal": 10**12},
    "a goal of nothing": {"goal": 0},
    "a negative goal": {"goal": -7},
    "no goal": {"goal": None},
    "nobody": {"seats": []},
    "one player": {"seats": [1]},
    "fifty players": {"seats": list(range(2, 52))},
    "players twice": {"seats": [3, 3]},
    "hands of no cards": {"hand_sizes": [0]},
    "no hands": {"hand_sizes": []},
    "a thousand hands": {"hand_sizes": [1] * 1000},
    "hands beyond the deck": {"hand_sizes": [54]},
    "a negative kitty": {"kitty": -1},
    "a kitty beyond the deck": {"trump": "named", "fill": "kitty", "kitty": 52, "kept_cards": 6},
    "a kitty before a pitched trump": {"fill": "kitty", "kitty": 2, "kept_cards": 6},
    "nothing kept of a discard": {"trump": "named", "fill": "discard", "kept_cards": 0},
    "no bids": {"auction": {"bids": []}},
    "bids that fall": {"auction": {"bids": [4, 3, 2]}},
    "a bid that nobody can make": {"auction": {"bids": [2, 99]}},
    "negative bids": {"auction": {"bids": [-5, 2]}},
    "a hook in a contract": {"auction": {"hook": True}},
    "no points": {"points": []},
    "a thousand points": {"points": [POINT] * 1000},
    "a point twice": {"points": [POINT, POINT]},
    "points of nothing": {"points": [POINT | {"worth": 0}]},
    "points of a million": {"points": [POINT | {"worth": 10**6}]},
    "a card point without a card": {"points": [{"name": "ace", "award": "card"}]},
    "a sweep that needs itself": {"points": [POINT, {"name": "all", "award": "sweep", "needs": ["all"]}]},
    "a joker point without jokers": {"points": [{"name": "joker", "award": "jokers"}]},
    "ranks that lack one": {"ranks": ["2", "3"]},
    "ranks twice": {"ranks": ["2"] * 13},
    "the whole deck removed": {"removed": [f"{rank}{suit}" for rank in "23456789JQKA" for suit in "CDHS"]},
    "a card that isn't in the deck": {"removed": ["X1"]},
    "every deal a misdeal": {"misdeal": ["X"]},
    "jokers and a pitched trump": {"jokers": True},
    "a moon for three alone": {"auction": {"moon": "game"}},
    "a difference of three": {"tally": "difference"},
    "teams of three": {"partners": "teams"},
    "a fixed trump of no suit": {"trump": "fixed"},
    "an ending without hands": {"ending": "hands", "goal": None, "hand_sizes": []},
    "cards that nobody sees": {"sights": []},
    "quirks of long ago": {"quirks": ["empty_draws"]},
    "rules of tomorrow": {"rules_v": 99},
}
DOCUMENTS: dict[str, Any] = {
    "a list": [],
    "a name of a mile": {"name": "x" * 1000, "from": "setback"},
    "a text of a mile": {"name": "x", "text": "x" * 5000, "from": "setback"},
    "rules as a list": {"name": "x", "from": "setback", "rules": []},
    "an option of Python": {"name": "x", "from": "setback", "options": {"__init__": 1}},
    "players of no number": {"name": "x", "from": "setback", "by_players": {"4; DROP TABLE": {}}},
    "players that can't play": {"name": "x", "from": "setback", "by_players": {"7": {"goal": 5}}},
    "an unknown field": {"name": "x", "from": "setback", "exec": "rm"},
}


def test_each_is_refused_with_a_reason_and_none_is_stored(app: Flask, caller: HttpCaller) -> None:
    ann, reasons = caller.join("ann"), dict[str, str]()
    bodies = {name: {"name": "x", "from": "setback", "rules": rules} for name, rules in RULES.items()}
    for name, body in (bodies | DOCUMENTS).items():
        answer = ann.post("/rulebooks", body)
        assert answer.status_code == 400, (name, answer.text)
        reasons[name] = answer.get_json()["detail"]
        assert len(reasons[name]) > 10, name
    assert len(reasons) >= 50
    assert ann.get("/me/rulebooks").get_json()["items"] == []
    assert services_of(app).accounts.rulebooks.take_waiting() is None


@pytest.mark.slow
def test_a_goal_that_nobody_reaches_ends_the_check_at_a_limit() -> None:
    rules = {"goal": 10_000, "hand_sizes": [1], "seats": [3]}
    rulebook = read_document({"name": "x", "from": "setback", "rules": rules}).rulebook
    rulebook.require_playable()
    *_, progress = check_by_playing(rulebook, 4)
    assert progress.fault is not None
    assert progress.hands >= MOST_HANDS
    assert "goal may be out of reach" in progress.fault.says


@pytest.mark.parametrize("name", ["  ", "a\u202eb", "a\u2028b", "\u200b", "\ufeffOurs"])
def test_attack_185_no_rulebook_has_a_name_that_nobody_sees_or_that_turns_lines_around(
    caller: HttpCaller, name: str
) -> None:
    answer = caller.join("ann").post("/rulebooks", {"name": name, "from": "setback"})
    assert (answer.status_code, list(answer.get_json()["errors"])) == (400, ["name"])


def test_attack_186_a_file_writes_no_codes_to_the_terminal_that_shows_it(tmp_path: Path) -> None:
    """The file of a rulebook comes from a player, and its words are in what the command prints."""
    for place in {"name": CODES}, {"rules": {CODES: 1}}, {"options": {CODES: 1}}, {"from": CODES}:
        (tmp_path / "ours.json").write_text(json.dumps({"name": "Ours", "from": "setback"} | place), encoding="utf-8")
        shown = CliRunner().invoke(main, ["rulebook", "show", str(tmp_path / "ours.json")], color=True)
        assert shown.exit_code == 2
        assert "\x1b" not in shown.output
        assert "\x9b" not in shown.output
