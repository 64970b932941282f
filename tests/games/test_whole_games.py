"""Games from the opening to the end: some of every kind, and a thousand of each variant with `make games`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from domain.store import Games
from tests.games.tables import entropy
from tests.games.whole_games import (
    ALL,
    KINDS,
    Clock,
    Kind,
    changes,
    check,
    play,
)

EACH = {"pitch": 48, "setback": 200, "blackout": 334, "corellian": 53}
"""Games of each kind of table in the slow run: a thousand of each variant and more."""
UNREST = 0.04
LONGEST = 21
FEW = [kind for kind in KINDS if kind.players in (2, 4) and kind.options.get("win") != LONGEST]
"""Each option once, and the fewest and the usual number of players."""


@contextmanager
def store(data: Path) -> Iterator[tuple[Games, Clock]]:
    """Open a SQLite store with its own clock and random bytes: the games are the same in every run."""
    clock = Clock()
    with Games(data, clock=clock, entropy=entropy(7)) as games:
        yield games, clock


@pytest.mark.parametrize("kind", FEW, ids=str)
def test_a_game_ends_and_verifies(tmp_path: Path, kind: Kind) -> None:
    with store(tmp_path) as (games, clock):
        check(games, play(games, clock, 1, kind, UNREST), kind)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ALL, ids=str)
def test_a_thousand_games_of_each_variant_under_every_option(tmp_path: Path, kind: Kind) -> None:
    with store(tmp_path) as (games, clock):
        logs = []
        for number in range(EACH[kind.variant]):
            game = play(games, clock, number, kind, UNREST * (number % 2))
            logs.append([entry.event for entry in check(games, game, kind)])
        if kind.options.get("randomizer"):
            assert sum(map(changes, logs)) >= 3 * len(logs)
