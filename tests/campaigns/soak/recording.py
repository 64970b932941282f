"""Samples as a soak writes them, for tests: two nodes for two hours, the second one killed every six minutes."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.campaigns.soak.samples import Record

EVERY_S, KILL_EVERY_S = 10, 360
WARM_S = 60


@dataclass(frozen=True)
class Recording:
    """How processes grow with their age and with the data, and how noisy those are that live."""

    leak_mb_h: float = 0.0
    data_mb_h: float = 0.0
    descriptors_h: float = 0.0
    noise_mb: float = 0.3
    seconds: int = 7200

    def samples(self) -> list[Record]:
        """Return the samples, the same each time."""
        return list(self._samples(Random("recording")))

    def _samples(self, chance: Random) -> Iterator[Record]:
        for at in range(0, self.seconds, EVERY_S):
            if at and at % KILL_EVERY_S == 0:
                yield {"at": at, "of": "kill", "node": 1}
            yield self._process(chance, 0, at, at)
            yield self._process(chance, 1, at, at % KILL_EVERY_S)
            yield {"at": at, "of": "store", "wal_mb": 32.0, "lag": chance.choice((0, 0, 3)),
                   "p50_ms": 20 + chance.random(), "p99_ms": 60 + 10 * chance.random()}  # fmt: skip

    def _process(self, chance: Random, node: int, at: int, age: int) -> Record:
        grown = (self.leak_mb_h * age + self.data_mb_h * at) / 3600
        noise = chance.gauss(0, 0.3 if node else self.noise_mb)
        own = 60 + 20 * min(1, age / WARM_S) + grown + noise
        return {
            "at": at, "of": "process", "kind": "requests", "node": node, "pid": 100 + node * (at // KILL_EVERY_S + 1),
            "own_mb": own, "threads": 12,
            "descriptors": 40 + int(self.descriptors_h * age / 3600) + chance.choice((0, 1)),
        }  # fmt: skip
