"""What a soak's samples say: for each quantity its slope, and whether that is a leak.

Memory may grow with the data for good reasons. The node that is killed again and again tells how much: each time it
starts, it's as young as before, and its store is larger. What a process grows by beyond that is a leak.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from tests.campaigns.soak.samples import Record
from tests.campaigns.soak.slopes import Point, Slope, block_means, fit, fit_points

WARM_UP_SHARE = 0.25
"""Which part of the whole time is left out at its beginning, and at that of each process."""
MOST_WARM_UP_H = 0.25
BLOCKS = 16
"""Into how many blocks the rest of the time is divided."""
LEAST_H = 0.25
"""How long a process must live beyond that for its slope to say anything."""
YOUNG, OLD = 0.5, 0.95
"""Between which parts of their usual life processes are compared that were killed again and again."""


@dataclass(frozen=True)
class Quantity:
    """A quantity: its field in the samples, its unit, and by how much an hour it may grow."""

    name: str
    unit: str
    bound: float
    digits: int = 1


PROCESS_QUANTITIES = (Quantity("own_mb", "MB", 3.0), Quantity("descriptors", "", 3.0), Quantity("threads", "", 1.0))
STORE_QUANTITIES = (
    Quantity("wal_mb", "MB", 64.0),
    Quantity("lag", "events", 30.0),
    Quantity("p50_ms", "ms", 10.0),
    Quantity("p99_ms", "ms", 100.0),
)


@dataclass(frozen=True)
class Finding:
    """What the samples say about a quantity of a kind of process, or of the store."""

    kind: str
    quantity: Quantity
    first: float
    last: float
    """The means of the first and of the last block."""
    slope: Slope | None
    with_data: Slope | None = None
    """How processes of one age grow with the data."""
    later: Slope | None = None
    """The slope of the second half of the time: a warm-up slows down, and a leak doesn't."""

    @property
    def verdict(self) -> str:
        """`flat`, `leak`, `grows with the data`, `slows down`, or why the samples can't tell.

        A leak must have grown by more than the bound in the time that was observed, too: a pool that opens its last
        connection in a short run isn't one. If the whole time can't tell, since a warm-up bends the line, the second
        half may: it's flat if its interval lies below the bound.
        """
        bound = self.quantity.bound
        if self.slope is None:
            return "too short"
        if self.slope.high <= bound:
            return "flat"
        if self.slope.low <= bound or self.last - self.first <= bound:
            return "flat" if self.later is not None and self.later.high <= bound else "can't tell"
        data = self.with_data
        if data is not None and data.low > 0 and self.slope.minus(data).low <= bound:
            return "grows with the data"
        return "leak" if self.later is not None and self.later.low > bound else "slows down"


def read_records(file: Path) -> list[Record]:
    """Return the records of a file of samples."""
    return [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]


def warm_up_h(records: Sequence[Record]) -> float:
    """Return how much of the time is left out."""
    return min(MOST_WARM_UP_H, WARM_UP_SHARE * float(records[-1]["at"]) / 3600)


def findings_of(records: Sequence[Record]) -> Iterator[Finding]:
    """Yield what the samples say about each quantity."""
    skip_h = warm_up_h(records)
    block_h = (records[-1]["at"] / 3600 - skip_h) / BLOCKS
    for kind in dict.fromkeys(each["kind"] for each in records if each["of"] == "process"):
        for quantity in PROCESS_QUANTITIES:
            series = process_series(records, kind, quantity.name)
            yield _finding(kind, quantity, list(series.values()), skip_h, block_h)
    for quantity in STORE_QUANTITIES:
        points = store_series(records, quantity.name)
        if points:
            yield _finding("store" if quantity.name == "wal_mb" else "all", quantity, [points], skip_h, block_h)


def process_series(records: Sequence[Record], kind: str, name: str) -> dict[int, list[Point]]:
    """Return the points of each process of a kind, by process id: one that was killed begins a new series."""
    series = defaultdict[int, list[Point]](list)
    for each in records:
        if each["of"] == "process" and each["kind"] == kind:
            series[each["pid"]].append((each["at"] / 3600, each[name]))
    return series


def store_series(records: Sequence[Record], name: str) -> list[Point]:
    """Return the points of a quantity of the store or of the moves."""
    return [(each["at"] / 3600, each[name]) for each in records if each["of"] == "store" and name in each]


def _finding(
    kind: str, quantity: Quantity, series: Sequence[Sequence[Point]], skip_h: float, block_h: float
) -> Finding:
    kept = [[point for point in points if point[0] >= points[0][0] + skip_h] for points in series]
    long = [points for points in kept if points and points[-1][0] - points[0][0] >= LEAST_H]
    ends = block_means(max(kept if any(kept) else series, key=len), block_h)
    with_data = fit_points([list(_at_one_age(series))])
    halves = [points[len(points) // 2 :] for points in long]
    return Finding(kind, quantity, ends[0][1], ends[-1][1], fit(long, block_h), with_data, fit(halves, block_h))


def _at_one_age(series: Sequence[Sequence[Point]]) -> Iterator[Point]:
    """Yield the mean value of each process at about the same age, with the time at which it was that old."""
    usual = median(points[-1][0] - points[0][0] for points in series)
    for points in series:
        old = [point for point in points if YOUNG * usual <= point[0] - points[0][0] <= OLD * usual]
        if old:
            yield fmean(at for at, _ in old), fmean(value for _, value in old)
