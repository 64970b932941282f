"""Whole games of each preset with each answer of an option; tests/games has those with each number of players."""

from random import Random
from typing import Any

import pytest

from domain.rules.choices import Phase
from domain.rules.variants import VARIANTS
from tests.games.tables import Table
from tests.step_limit import steps

PRESETS = {name: variant for name, variant in VARIANTS.items() if variant.sheet.letter not in "STBC"}


def play_out(variant: str, players: int, seed: int, **options: Any) -> Table:
    """Play random moves, but pass or bid the least in most auctions, so that a side comes to the goal."""
    table, chance, spent = Table(players, variant=variant, seed=seed, **options), Random(seed), steps(5000)
    while table.state.result is None:
        next(spent)
        low = table.state.phase is Phase.AUCTION and chance.random() < 0.8
        table.moves(chance.choice((0, 0, 0, 1)) if low else chance.randrange(1000))
    return table


@pytest.mark.parametrize("variant", PRESETS)
def test_a_game_ends_under_each_answer_of_an_option(variant: str) -> None:
    most = max(PRESETS[variant].rules.seats)
    for option in PRESETS[variant].options:
        for value in option.values[1:]:
            if value != "double":  # a moon for points rarely reaches the goal by random moves
                assert play_out(variant, most, 1, **{option.name: value}).state.result is not None
