"""A sample of mutants that a text decides, such as the commit's id."""

import random
import subprocess
from collections.abc import Iterable
from functools import cache

from tests.campaigns.mutants.baseline import Baseline
from tests.campaigns.mutants.reach import Reach
from tests.campaigns.mutants.source import ROOT, Mutant, modules, mutants_of

NO_COMMIT = "no commit"
"""The seed if there is no git, or no repository."""
BYTES_A_MUTANT = 40
"""A guess for a module that wasn't counted yet."""


def commit() -> str:
    """Return the id of the commit that is checked out, or NO_COMMIT."""
    try:
        found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return NO_COMMIT
    return found.stdout.strip() if found.returncode == 0 else NO_COMMIT


def sample(count: int, seed: str, paths: Iterable[str], reach: Reach, baseline: Baseline) -> list[Mutant]:
    """Draw mutants that may not survive, each with the same chance; only the modules that are drawn are read."""
    chance, found = random.Random(seed), modules(paths)
    weights = [reach.counts.get(path) or (ROOT / path).stat().st_size // BYTES_A_MUTANT for path in found]
    drawn: dict[str, Mutant] = {}
    read = cache(mutants_of)
    for path in chance.choices(found, weights, k=count * 3):
        if mutants := [mutant for mutant in read(path) if not baseline.lists(mutant)]:
            mutant = chance.choice(mutants)
            drawn.setdefault(mutant.name, mutant)
        if len(drawn) == count:
            break
    return sorted(drawn.values(), key=lambda each: (each.path, each.first))
