"""The demonstration's parts: a game that was over before our first move, and odds by which something is seen."""

from pathlib import Path
from typing import Any

from api.client import Client
from api.demo import SHOWING, play, tables
from domain.catalogue import VARIANTS
from tests.api.conftest import Caller
from tests.api.serving import server
from tests.conftest import Database


def test_a_session_that_ends_before_our_first_move_is_told_all_the_same(tmp_path: Path) -> None:
    at_once = {"randomizer": {"end": [1, 1]}}
    table = {"variant": "corellian", "options": at_once, "seats": ["ann", *["bot:random"] * 3]}
    with server(Database(None, tmp_path)) as serving, Client(serving.url) as ann:
        ann.join("ann", "correct-horse")
        played = play(ann, table)
    assert played.moves == 0
    said = played.says()
    assert said.startswith("board 1: corellian, 4 players, 1 hands, ")
    winners = "ann and bot:random:1 and bot:random:2 and bot:random:3"
    assert said.endswith(f"ended by randomizer, won by {winners} with 0 (before any move of ours)")


def options_of(caller: Caller, variant: str) -> dict[str, Any]:
    """How the demonstration opens it."""
    opened = tables(caller.get("/variants").get_json()["items"], "ann")
    found: dict[str, Any] = next(table["options"] for table in opened if table["variant"] == variant)
    return found


def test_the_session_of_the_demonstration_seldom_ends_early_and_its_rules_change_often(caller: Caller) -> None:
    randomizer = options_of(caller, "corellian")["randomizer"]
    (ends, turns), (changes, among) = randomizer["end"], randomizer["when"]
    assert ends / turns <= 1 / 400
    assert changes / among >= 1 / 16


def test_every_other_option_is_as_usual(caller: Caller) -> None:
    for variant in VARIANTS.values():
        usual = {option.name: option.default for option in variant.options}
        assert options_of(caller, variant.name) == usual | {name: SHOWING[name] for name in SHOWING if name in usual}
