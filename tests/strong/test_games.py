"""Whole games of the strong bot with a small budget; tests/strong/test_choices.py plays each variant to the end."""

from collections import Counter
from typing import Any

from projections.bots import WORLDS, bot_of, strategy_of, worlds_of
from projections.bots.strong import KINDS
from tests.projections.bots.bot_table import BotTable, bot_table

QUICK = "strong/1:5"
GAMES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "pitch": ((QUICK, QUICK), {"win": 7}),
    "setback": ((QUICK, QUICK, QUICK), {}),
    "blackout": ((QUICK, "simple", QUICK, "simple"), {}),
    "corellian": ((QUICK,) * 4, {}),
}


def test_strong_bots_choose_in_every_phase_of_corellian_pitch() -> None:
    """Each kind of choice comes up, so that each is legal: a table refuses nothing."""
    kinds = Counter[str]()

    class Watched(BotTable):
        def think(self, seat: int, worlds: int) -> Any:
            thought = super().think(seat, worlds)
            kinds[thought.label.split()[-1]] += 1
            return thought

    for seed in range(5):
        bot_table(seed, "corellian", ("strong/1:1",) * 4, make=Watched).play()
        if "call_partner" in kinds:
            break
    assert set(kinds) == {"play", *KINDS.values()}


def test_a_game_records_the_version_and_the_worlds_of_the_strong_bot() -> None:
    assert strategy_of("strong") == f"strong/1:{WORLDS}"
    assert strategy_of("simple") == bot_of("simple") == "simple"
    assert bot_of("strong/1:400") == "strong"
    assert worlds_of("strong/1:400") == 400
    assert [worlds_of(each) for each in (None, "simple", "strong", "strong/1:0", "strong/2:5")] == [None] * 5


def test_the_strong_bot_beats_the_simple_one() -> None:
    won = Counter[str]()
    for seed in range(12):
        seated = ("strong/1:10", "simple") if seed % 2 else ("simple", "strong/1:10")
        result = bot_table(seed, "pitch", seated, win=7).play().game.state.result
        won.update(seated[seat] for seat in (result.winners if result else ()))
    assert won["strong/1:10"] >= 9
