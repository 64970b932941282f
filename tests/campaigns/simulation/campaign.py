"""Worlds of many seeds, and the shortest story of one in which something was violated."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.campaigns.simulation.observer import Violation
from tests.campaigns.simulation.planted import BUGS
from tests.campaigns.simulation.world import Outcome, Step, draw_steps, run_steps
from tests.conftest import Database
from tests.postgres import memory_folder

STEPS = 400
"""The steps of a world unless somebody chooses another number."""
MOST_TRIES = 200
"""How many shorter stories are tried."""
MOST_GAMES = 1000
"""Within how many games a planted bug must be found."""

NewStore = Callable[[], AbstractContextManager[str | None]]
"""Yields the URL of a new PostgreSQL database, or None for SQLite."""


@dataclass(frozen=True)
class Failure:
    """A seed whose world violated a rule, the steps that are needed for it, and their story."""

    seed: str
    violation: Violation
    steps: Sequence[Step]
    story: Sequence[str]

    def lines(self) -> list[str]:
        """Return what to print."""
        steps = f"after {len(self.steps)} of its steps (repeat it with --seed {self.seed} --worlds 1)"
        return [f"seed {self.seed} violates: {self.violation}, {steps}", *self.story]


@dataclass
class Tally:
    """The outcome of the worlds of a campaign."""

    worlds: int = 0
    steps: int = 0
    variants: Counter[str] = field(default_factory=Counter)
    """The number of games by variant."""
    faults: Counter[str] = field(default_factory=Counter)
    """How often each fault was met."""

    def add(self, outcome: Outcome) -> None:
        """Count a world."""
        self.worlds += 1
        self.steps += outcome.steps
        self.variants += outcome.variants
        self.faults += outcome.faults

    @property
    def games(self) -> int:
        """The number of games."""
        return self.variants.total()

    def lines(self) -> list[str]:
        """Return what to print."""
        found = [f"{self.worlds} worlds, {self.games} games, {self.steps} steps"]
        for what, counts in (("games", self.variants), ("faults", self.faults)):
            found.append(f"{what}: {', '.join(f'{name} {times}' for name, times in sorted(counts.items()))}")
        return found


@contextmanager
def quiet() -> Iterator[None]:
    """Leave out the log of the servers: it reports the faults that the simulation sets."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def run_seed(seed: str, steps: Sequence[Step], new_store: NewStore = nullcontext) -> Outcome:
    """Run the world of a seed on a store of its own, in memory if there's room."""
    with TemporaryDirectory(dir=memory_folder()) as folder, new_store() as url, quiet():
        return run_steps(Database(url, Path(folder)), seed, steps)


def shorten(
    seed: str, steps: Sequence[Step], rule: str, new_store: NewStore = nullcontext
) -> tuple[list[Step], Outcome]:
    """Leave out steps as long as the same rule is violated. Return those that are left, and what becomes of them."""
    left, outcome, tries = list(steps), run_seed(seed, steps, new_store), 0
    size = max(1, len(left) // 2)
    while size and tries < MOST_TRIES:
        at, shorter = 0, False
        while at < len(left) and tries < MOST_TRIES:
            tried = left[:at] + left[at + size :]
            found, tries = run_seed(seed, tried, new_store), tries + 1
            if found.violation is not None and found.violation.rule == rule:
                left, outcome, shorter = tried[: found.steps], found, True
            else:
                at += size
        size = size if shorter and size == 1 else size // 2
    return left, outcome


def run_campaign(
    seeds: Sequence[str],
    steps: int = STEPS,
    on_outcome: Callable[[Outcome], None] = lambda _: None,
    new_store: NewStore = nullcontext,
) -> tuple[Tally, Failure | None]:
    """Run the worlds of seeds until one violates a rule. Return the tally, and the failure or None."""
    tally = Tally()
    for seed in seeds:
        drawn = draw_steps(seed, steps)
        outcome = run_seed(seed, drawn, new_store)
        tally.add(outcome)
        on_outcome(outcome)
        if outcome.violation is not None:
            left, shortest = shorten(seed, drawn[: outcome.steps], outcome.violation.rule, new_store)
            return tally, Failure(seed, shortest.violation or outcome.violation, left, shortest.story)
    return tally, None


def hunt(
    bug: str, first_seed: int = 1, steps: int = STEPS, new_store: NewStore = nullcontext
) -> tuple[int, Violation | None]:
    """Plant a bug and run worlds until one violates a rule. Return how many games it took, and the violation."""
    games = 0
    with pytest.MonkeyPatch.context() as patch:
        BUGS[bug](patch)
        for seed in map(str, count(first_seed)):
            outcome = run_seed(seed, draw_steps(seed, steps), new_store)
            games += outcome.games
            if outcome.violation is not None or games >= MOST_GAMES:
                return games, outcome.violation
    raise AssertionError("seeds never end")
