"""The parts of the demonstration: an early end of its game, and options that make changes likely."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.cli.demo import DEMO_OPTIONS, DemoResult, play_game, replay_and_audit, tables
from api.client import Server
from domain.rules.variants import VARIANTS
from tests.api.conftest import Caller
from tests.api.live_server import open_server
from tests.api.server_process import ServerProcess


@pytest.fixture
def ann(shared_server: ServerProcess) -> Iterator[Server]:
    """A player of the shared server whom no other test uses."""
    with Server(shared_server.url, patience_s=0) as player:
        player.register("ann-of-the-demo", "correct-horse")
        yield player


def test_a_game_is_played_to_its_end_and_one_that_ends_before_our_first_move_is_shown(ann: Server) -> None:
    me = "ann-of-the-demo"
    played = play_game(ann, {"variant": "pitch", "options": {"win": 7}, "seats": [me, "bot:simple"]})
    assert played.moves > 0
    assert f"board {played.board}: pitch, 2 players, {played.hands} hands, " in played.summary()
    assert f" ({played.moves} moves of ours, " in played.summary()
    at_once = {"randomizer": {"end": [1, 1]}}
    played = play_game(ann, {"variant": "corellian", "options": at_once, "seats": [me, *["bot:random"] * 3]})
    assert played.moves == 0
    said = played.summary()
    assert said.startswith(f"board {played.board}: corellian, 4 players, 1 hands, ")
    winners = f"{me} and bot:random:1 and bot:random:2 and bot:random:3"
    assert said.endswith(f"ended by randomizer, won by {winners} with 0 (before any move of ours)")


def test_a_hand_is_replayed_and_its_game_audited(tmp_path: Path) -> None:
    with open_server(tmp_path) as server:
        game = server.open(["ann", "bob"])
        game.play_hand()
        game.finish()
    said: list[str] = []
    assert replay_and_audit(tmp_path, DemoResult(1, 1, (1,)), said.append)
    assert said[-1] == "board 1: verdict: all green"
    assert len(said) > 10


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
