"""The mutants that may survive, each with the reason, and the share of a sample that must not."""

import json
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from tests.campaigns.mutants.source import Mutant

STORED = Path(__file__).parent / "baseline.json"


@dataclass(frozen=True)
class Survivor:
    """A mutant that no test can tell from the original, and why."""

    name: str
    path: str
    scope: str
    was: str
    now: str
    reason: str


@dataclass(frozen=True)
class Baseline:
    """The contents of `baseline.json`. `at_least` is the share of a sample that must be killed."""

    at_least: float
    equivalent: dict[str, Survivor]

    def lists(self, mutant: Mutant) -> bool:
        """Return whether a mutant may survive."""
        return mutant.name in self.equivalent


def load(path: Path = STORED) -> Baseline:
    """Read the stored baseline."""
    read = json.loads(path.read_text(encoding="utf-8"))
    survivors = [Survivor(**each) for each in read["equivalent"]]
    return Baseline(read["at_least"], {each.name: each for each in survivors})


def interval(killed: int, of: int) -> tuple[float, float]:
    """Return the bounds of the true share at 95 %, by Wilson."""
    z, share = 1.96, killed / of
    middle, spread = share + z * z / (2 * of), z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - spread) / (1 + z * z / of), min(1.0, (middle + spread) / (1 + z * z / of))
