"""Bots play every value of rules: the presets with their fewest and most players, and rules drawn at random."""

from dataclasses import replace
from typing import Any

import pytest

from domain.rules.variants import VARIANTS
from projections.bots import STRATEGIES
from tests.games.random_rules import sound_rules
from tests.games.whole_games import FIRST, OTHER_WAYS
from tests.projections.bots.bot_table import bot_table
from tests.replay.playing import Table

TABLES = [
    pytest.param(name, seats, id=f"{name}, {seats} players")
    for name, variant in VARIANTS.items()
    for seats in sorted({variant.rules.seats[0], variant.rules.seats[-1]})
    if name not in FIRST
]


def opened(variant: str, seats: int, strategies: tuple[str, ...], **opening: Any) -> Table:
    return bot_table(1, variant, [strategies[seat % len(strategies)] for seat in range(seats)], **opening)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_bots_play_each_preset_to_the_end(variant: str, seats: int) -> None:
    assert opened(variant, seats, tuple(STRATEGIES)).play().over


@pytest.mark.parametrize("variant", OTHER_WAYS)
def test_strong_bots_play_to_the_end(variant: str) -> None:
    assert opened(variant, VARIANTS[variant].rules.seats[-1], ("strong/1:1", "simple")).play().over


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 80))])
def test_bots_play_rules_that_no_preset_has(seed: int) -> None:
    """Some of these games hardly end."""
    rules = sound_rules(seed)
    rules = replace(rules, variant="house", seats=rules.seats[-1:])
    made = opened("house", rules.seats[0], ("simple", "random", "strong/1:1"), rules=rules, rulebook="0" * 64)
    made.play(most=250)
    assert made.over or made.state.last_hand is not None
