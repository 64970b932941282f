"""Games from the opening to the end: some at every number of players and every goal, a thousand under `make games`."""

from pathlib import Path

import pytest

from domain.store import Games
from tests.whole_games import COMBINATIONS, check, play

EACH = 56
"""Games at each combination in the slow run: 1,008 in all."""


FEW = [(players, goal) for players, goal in COMBINATIONS if goal == 7 or players == 4]


@pytest.mark.parametrize(("players", "goal"), FEW)
def test_a_game_ends_verifies_and_looks_the_same_live_replayed_and_projected(
    tmp_path: Path, players: int, goal: int
) -> None:
    with Games(tmp_path) as games:
        check(games, play(games, players * 100 + goal, players, goal), players, goal, refold=True)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "goal"), COMBINATIONS)
def test_more_than_fifty_games_at_every_number_of_players_and_goal(tmp_path: Path, players: int, goal: int) -> None:
    with Games(tmp_path) as games:
        for number in range(1, EACH + 1):
            check(games, play(games, number, players, goal), players, goal, refold=number % 10 == 0)
