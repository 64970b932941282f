"""The findings in a soak's samples: for each quantity how fast it grows, and whether that is a leak.

A line is fitted by least squares to the means of blocks, since samples that follow each other are alike. Memory may
grow with the data for good reasons. The node that is killed again and again tells how much: each time it starts, it's
as young as before, and its store is larger. What a process grows by beyond that is a leak.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from pathlib import Path
from statistics import fmean, median

from tests.campaigns.soak.samples import Record

WARM_UP_SHARE, MOST_WARM_UP_H = 0.25, 0.25
"""Which part of the whole time is left out at its beginning, and at that of each process, and how much at most."""
BLOCKS, LEAST_BLOCKS = 16, 4
"""Into how many blocks the rest of the time is divided, and how many a series must have to count."""
LEAST_H = 0.25
"""How long a process must live beyond that for its growth to say anything."""
YOUNG, OLD = 0.5, 0.95
"""Between which parts of their usual life processes are compared that were killed again and again."""
ERRORS = 2.2
"""How many standard errors lie between a growth and the ends of its interval: Student's t for 12 blocks and 95 %."""
BOUNDS = {"own_mb": 3.0, "descriptors": 3.0, "threads": 1.0, "wal_mb": 64.0, "lag": 30.0, "p50_ms": 10.0,
          "p99_ms": 100.0}  # fmt: skip
"""By how much an hour each quantity may grow."""
Point = tuple[float, float]
"""A time in hours and a value."""


@dataclass(frozen=True)
class Growth:
    """A growth per hour, with the ends of its confidence interval."""

    per_hour: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.per_hour:+.1f} ({self.low:+.1f} to {self.high:+.1f})"


@dataclass(frozen=True)
class Finding:
    """The findings about a quantity of a kind of process, or of all."""

    kind: str
    name: str
    first: float
    last: float
    """The means of the first and of the last block."""
    growth: Growth | None
    later: Growth | None
    """The growth in the second half of the time: a warm-up slows down, and a leak doesn't."""
    with_data: Growth | None
    """How processes of one age grow with the data."""

    @property
    def verdict(self) -> str:
        """`flat`, `leak`, `grows with the data`, `slows down`, or why the samples can't tell.

        A leak must have grown by more than the bound in the time that was observed, too: a pool that opens its last
        connection in a short run isn't one. If the whole time can't tell, since a warm-up bends the line, the second
        half may: it's flat if its interval lies below the bound.
        """
        bound, data = BOUNDS[self.name], self.with_data
        if self.growth is None:
            return "too short"
        if self.growth.high <= bound:
            return "flat"
        if self.growth.low <= bound or self.last - self.first <= bound:
            return "flat" if self.later is not None and self.later.high <= bound else "can't tell"
        if data is not None and data.low > 0 and self.growth.low - data.high <= bound:
            return "grows with the data"
        return "leak" if self.later is not None and self.later.low > bound else "slows down"

    def __str__(self) -> str:
        said = f"{self.kind} {self.name}: {self.first:.1f} to {self.last:.1f}, {self.growth} an hour"
        return f"{said}, {self.later} in the later half; at most {BOUNDS[self.name]:g}: {self.verdict}"


def read_records(file: Path) -> list[Record]:
    """Return the records of a file of samples."""
    return [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]


def leaks_of(records: Sequence[Record]) -> list[str]:
    """Return what leaks."""
    return [f"{each.kind}: {each.name}" for each in findings_of(records) if each.verdict == "leak"]


def findings_of(records: Sequence[Record]) -> Iterator[Finding]:
    """Yield what the samples say about each quantity. A process that was killed begins a new series."""
    hours = records[-1]["at"] / 3600
    skip_h = min(MOST_WARM_UP_H, WARM_UP_SHARE * hours)
    series = defaultdict[tuple[str, str], dict[int, list[Point]]](lambda: defaultdict(list))
    for each in records:
        for name in BOUNDS.keys() & each.keys():
            series[each.get("kind", "all"), name][each.get("pid", 0)].append((each["at"] / 3600, each[name]))
    for (kind, name), by_process in sorted(series.items()):
        yield _finding(kind, name, list(by_process.values()), skip_h, (hours - skip_h) / BLOCKS)


def _finding(kind: str, name: str, series: Sequence[Sequence[Point]], skip_h: float, block_h: float) -> Finding:
    kept = [[point for point in points if point[0] >= points[0][0] + skip_h] for points in series]
    long = [points for points in kept if points and points[-1][0] - points[0][0] >= LEAST_H]
    ends = _block_means(max(kept if any(kept) else series, key=len), block_h)
    whole, later = (
        _fit([blocks for blocks in (_block_means(each, block_h) for each in some) if len(blocks) >= LEAST_BLOCKS])
        for some in (long, [points[len(points) // 2 :] for points in long])
    )
    return Finding(kind, name, ends[0][1], ends[-1][1], whole, later, _fit([list(_at_one_age(series))]))


def _block_means(points: Sequence[Point], block_h: float) -> list[Point]:
    """Return the mean time and value of each block of that many hours, from the first point on."""
    began = points[0][0]
    blocks = (list(block) for _, block in groupby(points, lambda point: int((point[0] - began) / block_h + 1e-9)))
    return [(fmean(at for at, _ in block), fmean(value for _, value in block)) for block in blocks]


def _fit(series: Sequence[Sequence[Point]]) -> Growth | None:
    """Return the growth that all series have in common, each at a height of its own; None if they are too short."""
    shifted = list[Point]()
    for points in filter(None, series):
        middle, height = fmean(at for at, _ in points), fmean(value for _, value in points)
        shifted += [(at - middle, value - height) for at, value in points]
    spread, freedom = sum(at**2 for at, _ in shifted), len(shifted) - len(series) - 1
    if not spread or freedom < LEAST_BLOCKS - 2:
        return None
    growth = sum(at * value for at, value in shifted) / spread
    error = ERRORS * sqrt(sum((value - growth * at) ** 2 for at, value in shifted) / freedom / spread)
    return Growth(growth, growth - error, growth + error)


def _at_one_age(series: Sequence[Sequence[Point]]) -> Iterator[Point]:
    """Yield the mean value of each process at about the same age, with the time at which it was that old."""
    usual = median(points[-1][0] - points[0][0] for points in series)
    for points in series:
        old = [point for point in points if YOUNG * usual <= point[0] - points[0][0] <= OLD * usual]
        if old:
            yield fmean(at for at, _ in old), fmean(value for _, value in old)
