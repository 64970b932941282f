"""The parts of the demonstration: an early end of its game, and options that make changes likely."""

from pathlib import Path
from typing import Any

from api.cli.demo.games import DEMO_OPTIONS, play_game, tables
from api.client import Server
from domain.rules.variants import VARIANTS
from tests.api.conftest import Caller
from tests.api.server_process import start_server
from tests.conftest import Database


def test_a_game_that_ends_before_our_first_move_is_shown(tmp_path: Path) -> None:
    at_once = {"randomizer": {"end": [1, 1]}}
    table = {"variant": "corellian", "options": at_once, "seats": ["ann", *["bot:random"] * 3]}
    with start_server(Database(None, tmp_path)) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", "correct-horse")
        played = play_game(ann, table)
    assert played.moves == 0
    said = played.summary()
    assert said.startswith("board 1: corellian, 4 players, 1 hands, ")
    winners = "ann and bot:random:1 and bot:random:2 and bot:random:3"
    assert said.endswith(f"ended by randomizer, won by {winners} with 0 (before any move of ours)")


def options_of(caller: Caller, variant: str) -> dict[str, Any]:
    """Return the options of the game that the demonstration opens."""
    opened = tables(caller.get("/variants").get_json()["items"], "ann")
    found: dict[str, Any] = next(table["options"] for table in opened if table["variant"] == variant)
    return found


def test_the_demonstration_rarely_ends_early_and_its_rules_change_often(caller: Caller) -> None:
    randomizer = options_of(caller, "corellian")["randomizer"]
    (ends, turns), (changes, among) = randomizer["end"], randomizer["when"]
    assert ends / turns <= 1 / 400
    assert changes / among >= 1 / 16


def test_the_demonstration_keeps_the_other_options_at_their_defaults(caller: Caller) -> None:
    for variant in VARIANTS.values():
        usual = {option.name: option.default for option in variant.options}
        assert options_of(caller, variant.name) == usual | {
            name: DEMO_OPTIONS[name] for name in DEMO_OPTIONS if name in usual
        }
