"""Search for planted bugs: after how many games a world violates a rule, and which one."""

from contextlib import nullcontext
from dataclasses import dataclass
from itertools import count

import pytest

from tests.campaigns.simulation.campaign import STEPS, NewStore, run_seed
from tests.campaigns.simulation.observer import Violation
from tests.campaigns.simulation.planted import Bug
from tests.campaigns.simulation.world import draw_steps

MOST_GAMES = 1000
"""Within how many games a planted bug must be found."""


@dataclass(frozen=True)
class Hunt:
    """A search for a planted bug: the worlds and games that it took, and the violation, or None if it wasn't found."""

    bug: Bug
    worlds: int
    games: int
    violation: Violation | None


def hunt(
    bug: Bug, first_seed: int = 1, most_games: int = MOST_GAMES, steps: int = STEPS, new_store: NewStore = nullcontext
) -> Hunt:
    """Plant a bug and run worlds until one violates a rule, or `most_games` games have begun."""
    games = 0
    with pytest.MonkeyPatch.context() as patch:
        bug.plant(patch)
        for worlds in count(1):
            seed = str(first_seed + worlds - 1)
            outcome = run_seed(seed, draw_steps(seed, steps), new_store)
            games += outcome.games
            if outcome.violation is not None or games >= most_games:
                return Hunt(bug, worlds, games, outcome.violation)
    raise AssertionError("seeds never end")


def header_of_table() -> tuple[str, str]:
    """Return the first lines of the table of hunts."""
    return "| planted bug | found after | violates |", "|---|---:|---|"


def row_of_table(found: Hunt) -> str:
    """Return the row of a hunt: the bug, the games until it was found, and the rule that the world violates."""
    if found.violation is None:
        return f"| {found.bug.name} | not in {found.games} games | |"
    return f"| {found.bug.name} | {found.games} games | {found.violation.rule} |"
