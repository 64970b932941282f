"""Slopes with their confidence intervals: least squares over block means, in one or several series of a kind.

Samples that follow each other are alike, so 100 of them say less than 100 independent ones. The mean of each block
stands for its samples, and what correlation is left between neighboring blocks lowers the number of blocks that
counts: n (1 - r) / (1 + r), where r is the correlation of the residuals of neighbors, if it's above zero.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import sqrt
from statistics import NormalDist, fmean

Point = tuple[float, float]
"""A time in hours and a value."""
LEAST_BLOCKS = 4
"""How many blocks a series must have to count."""
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Slope:
    """A growth per hour, its standard error, and the degrees of freedom that the error has."""

    per_hour: float
    error: float
    freedom: float

    @property
    def low(self) -> float:
        """The lower end of the confidence interval."""
        return self.per_hour - self.error * student(self.freedom)

    @property
    def high(self) -> float:
        """The upper end of the confidence interval."""
        return self.per_hour + self.error * student(self.freedom)

    def minus(self, other: "Slope") -> "Slope":
        """Return the difference of two independent slopes."""
        error = sqrt(self.error**2 + other.error**2)
        return Slope(self.per_hour - other.per_hour, error, min(self.freedom, other.freedom))


def student(freedom: float) -> float:
    """Return the two-sided quantile of Student's t for the confidence, within 1 % of it from 3 degrees of freedom on.

    This is the expansion of Cornish and Fisher: Abramowitz and Stegun, Handbook, 26.7.5.
    """
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom ** (at + 1) for at, term in enumerate(terms))


def block_means(points: Sequence[Point], block_h: float) -> list[Point]:
    """Return the mean time and value of each block of that many hours, from the first point on."""
    if not points:
        return []
    began = points[0][0]
    blocks = (list(block) for _, block in groupby(points, lambda point: int((point[0] - began) / block_h + 1e-9)))
    return [(fmean(at for at, _ in block), fmean(value for _, value in block)) for block in blocks]


def fit(series: Sequence[Sequence[Point]], block_h: float) -> Slope | None:
    """Return the slope that all series have in common, each at a height of its own; None if they are too short."""
    means = [blocks for blocks in (block_means(points, block_h) for points in series) if len(blocks) >= LEAST_BLOCKS]
    return fit_points(means)


def fit_points(series: Sequence[Sequence[Point]]) -> Slope | None:
    """Return the common slope of series whose points stand for themselves."""
    centers = [(fmean(at for at, _ in points), fmean(value for _, value in points)) for points in series if points]
    shifted = [
        [(at - center[0], value - center[1]) for at, value in points]
        for points, center in zip([points for points in series if points], centers, strict=True)
    ]
    spread = sum(at**2 for points in shifted for at, _ in points)
    number = sum(map(len, shifted))
    if not spread or number - len(shifted) < LEAST_BLOCKS - 1:
        return None
    slope = sum(at * value for points in shifted for at, value in points) / spread
    residuals = [[value - slope * at for at, value in points] for points in shifted]
    freedom = number * _independent_share(residuals) - len(shifted) - 1
    squares = sum(each**2 for row in residuals for each in row)
    freedom = max(1.0, freedom)
    return Slope(slope, sqrt(squares / freedom / spread), freedom)


def _independent_share(residuals: Sequence[Sequence[float]]) -> float:
    """Return which share of the points counts, from how alike the residuals of neighbors are."""
    squares = sum(each**2 for row in residuals for each in row)
    alike = sum(one * other for one, other in _neighbors(residuals)) / squares if squares else 0.0
    alike = max(0.0, min(alike, 0.95))
    return (1 - alike) / (1 + alike)


def _neighbors(residuals: Sequence[Sequence[float]]) -> Iterator[tuple[float, float]]:
    for row in residuals:
        yield from pairwise(row)
