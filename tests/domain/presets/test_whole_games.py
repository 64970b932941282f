"""Whole games of each preset, with each number of players and each answer of an option, to their end."""

from random import Random
from typing import Any

import pytest

from domain.rules.choices import Phase
from domain.rules.variants import VARIANTS
from tests.games.tables import Table
from tests.step_limit import steps

PRESETS = {name: variant for name, variant in VARIANTS.items() if variant.sheet.letter not in "STBC"}
REASONS = {"goal", "moon", "hands"}


def play_out(variant: str, players: int, seed: int, **options: Any) -> Table:
    """Play random moves, but pass or bid the least in most auctions, so that a side comes to the goal."""
    table, chance, spent = Table(players, variant=variant, seed=seed, **options), Random(seed), steps(5000)
    while table.state.result is None:
        next(spent)
        low = table.state.phase is Phase.AUCTION and chance.random() < 0.8
        table.moves(chance.choice((0, 0, 0, 1)) if low else chance.randrange(1000))
    return table


@pytest.mark.parametrize("variant", PRESETS)
def test_a_game_of_random_moves_ends_with_a_winner(variant: str) -> None:
    for players in PRESETS[variant].rules.seats:
        result = play_out(variant, players, seed=players).state.result
        assert result is not None
        assert result.reason in REASONS
        assert result.winners


@pytest.mark.parametrize("variant", PRESETS)
def test_a_game_ends_under_each_answer_of_an_option(variant: str) -> None:
    most = max(PRESETS[variant].rules.seats)
    for option in PRESETS[variant].options:
        for value in option.values[1:]:
            if value != "double":  # a moon for points seldom reaches the goal by random moves
                assert play_out(variant, most, 1, **{option.name: value}).state.result is not None
