"""Slopes and their intervals, on series whose true slope is known."""

from collections.abc import Callable
from random import Random

import pytest

from tests.campaigns.soak.slopes import Point, Slope, block_means, fit, fit_points, student

HOURS, SAMPLES, SLOPE = 2.0, 720, 5.0
SERIES = 200


def line(noise: Callable[[], float], height: float = 100.0, slope: float = SLOPE, begin: float = 0.0) -> list[Point]:
    """Return a series over two hours."""
    times = [begin + HOURS * at / SAMPLES for at in range(SAMPLES)]
    return [(at, height + slope * at + noise()) for at in times]


def independent(chance: Random) -> Callable[[], float]:
    """Return noise in which samples know nothing of each other."""
    return lambda: chance.gauss(0, 2)


def sticky(chance: Random) -> Callable[[], float]:
    """Return noise in which a sample is much like the one before, for minutes."""
    last = [0.0]

    def draw() -> float:
        last[0] = 0.95 * last[0] + chance.gauss(0, 0.6)
        return last[0]

    return draw


def share_within(make: Callable[[Random], Callable[[], float]], block_h: float) -> float:
    """Return in which share of many series the true slope lies in the interval."""
    slopes = [fit([line(make(Random(f"series {seed}")))], block_h) for seed in range(SERIES)]
    return sum(each is not None and each.low <= SLOPE <= each.high for each in slopes) / SERIES


def test_a_straight_line_has_its_slope() -> None:
    found = fit([line(lambda: 0.0)], HOURS / 16)
    assert found is not None
    assert (found.per_hour, found.low, found.high) == pytest.approx((SLOPE, SLOPE, SLOPE))


def test_series_at_different_heights_have_one_slope() -> None:
    found = fit([line(lambda: 0.0, 50), line(lambda: 0.0, 90, begin=3.0)], HOURS / 16)
    assert found is not None
    assert (found.per_hour, found.error) == pytest.approx((SLOPE, 0))


@pytest.mark.parametrize(("freedom", "quantile"), [(3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042)])
def test_the_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=0.01)


def test_the_interval_of_independent_samples_holds_the_slope() -> None:
    assert 0.9 <= share_within(independent, HOURS / 16) <= 0.99


def test_the_interval_holds_the_slope_even_if_samples_are_like_their_neighbors() -> None:
    assert share_within(sticky, HOURS / 16) >= 0.85


@pytest.mark.slow
def test_without_blocks_and_the_correction_the_interval_would_be_too_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.campaigns.soak.slopes._independent_share", lambda _: 1.0)
    assert share_within(sticky, HOURS / SAMPLES) < 0.5


def test_a_block_is_the_mean_of_its_time() -> None:
    points = [(0.0, 1.0), (0.1, 3.0), (0.25, 5.0), (0.3, 7.0)]
    (first, second) = block_means(points, 0.25)
    assert (*first, *second) == pytest.approx((0.05, 2.0, 0.275, 6.0))
    assert block_means([], 0.25) == []


def test_a_short_series_has_no_slope() -> None:
    assert fit([line(lambda: 0.0)[:3]], HOURS / SAMPLES) is None
    assert fit_points([[(0.0, 1.0), (0.0, 2.0), (0.0, 3.0), (0.0, 4.0)]]) is None
    assert fit_points([]) is None


def test_a_difference_is_as_unsure_as_both_together() -> None:
    found = Slope(5.0, 3.0, 10).minus(Slope(2.0, 4.0, 6))
    assert (found.per_hour, found.error, found.freedom) == (3.0, 5.0, 6)
