"""The analysis doesn't take growth with the data, a warm-up or noise for a leak."""

from pathlib import Path

import pytest

from tests.campaigns.soak.__main__ import publish
from tests.campaigns.soak.analysis import PROCESS_QUANTITIES, Finding, findings_of, process_series
from tests.campaigns.soak.recording import Recording
from tests.campaigns.soak.report import leaks_of, picture_of, table_of
from tests.campaigns.soak.samples import Record
from tests.campaigns.soak.slopes import Slope


def verdicts(records: list[Record]) -> dict[str, str]:
    """Return the verdict on each quantity."""
    return {each.quantity.name: each.verdict for each in findings_of(records)}


def test_without_growth_everything_is_flat() -> None:
    assert set(verdicts(Recording().samples()).values()) == {"flat"}


def test_growth_with_age_is_a_leak() -> None:
    found = next(each for each in findings_of(Recording(leak_mb_h=8).samples()) if each.quantity.name == "own_mb")
    assert found.slope is not None
    assert found.slope.low < 8 < found.slope.high
    assert found.verdict == "leak"
    assert leaks_of(Recording(leak_mb_h=8).samples()) == ["requests: own_mb"]


def test_growth_below_the_bound_is_flat() -> None:
    assert leaks_of(Recording(leak_mb_h=1).samples()) == []
    assert verdicts(Recording(leak_mb_h=1).samples())["own_mb"] == "flat"


def test_growth_with_the_data_is_no_leak() -> None:
    assert verdicts(Recording(data_mb_h=8).samples())["own_mb"] == "grows with the data"
    assert leaks_of(Recording(data_mb_h=8).samples()) == []


def test_growth_that_slows_down_is_no_leak() -> None:
    memory, steep, flat = PROCESS_QUANTITIES[0], Slope(9, 1, 10), Slope(1, 0.5, 6)
    assert Finding("worker", memory, 70, 80, steep, None, flat).verdict == "slows down"
    assert Finding("worker", memory, 70, 80, steep, None, steep).verdict == "leak"


def test_if_a_warm_up_bends_the_line_the_later_half_tells() -> None:
    memory, bent, flat, steep = PROCESS_QUANTITIES[0], Slope(3, 11, 10), Slope(1, 0.2, 6), Slope(9, 1, 6)
    assert Finding("requests", memory, 144, 150, bent, None, flat).verdict == "flat"
    assert Finding("requests", memory, 144, 150, bent, None, steep).verdict == "can't tell"
    assert Finding("requests", memory, 144, 150, bent).verdict == "can't tell"


def test_restarts_that_say_nothing_excuse_no_leak() -> None:
    assert leaks_of(Recording(leak_mb_h=8, killed_noise_mb=60).samples()) == ["requests: own_mb"]


def test_a_pool_that_opens_its_last_connection_is_no_leak() -> None:
    assert leaks_of(Recording(descriptors_h=8, seconds=1800).samples()) == []


def test_a_leak_beside_growth_with_the_data_is_found() -> None:
    assert leaks_of(Recording(leak_mb_h=8, data_mb_h=8).samples()) == ["requests: own_mb"]


def test_descriptors_that_nobody_closes_are_a_leak() -> None:
    assert leaks_of(Recording(descriptors_h=20).samples()) == ["requests: descriptors"]


def test_noise_gives_no_verdict() -> None:
    assert verdicts(Recording(noise_mb=40).samples())["own_mb"] == "can't tell"


def test_a_few_minutes_give_no_verdict() -> None:
    assert set(verdicts(Recording(leak_mb_h=500, seconds=300).samples()).values()) == {"too short"}


def test_a_process_that_was_killed_begins_a_new_series() -> None:
    series = process_series(Recording().samples(), "requests", "own_mb")
    assert len(series) == Recording().processes


def test_the_report_has_a_row_for_each_quantity_and_the_picture_a_line_for_each_process() -> None:
    records = Recording().samples()
    rows = list(table_of(records))
    assert [row.split()[:2] for row in rows[1:4]] == [
        ["requests", "own"],
        ["requests", "descriptors"],
        ["requests", "threads"],
    ]
    assert rows[-3] == "120 minutes; the first 15 of each process are left out; 16 block means"
    picture = picture_of(records)
    assert picture.count("<polyline") == Recording().processes + 2 + 7
    assert picture.count("Own memory") == 2


@pytest.mark.parametrize(("leak", "is_control", "code"), [(0, False, 0), (8, False, 1), (8, True, 0), (0, True, 1)])
def test_a_leak_fails_the_soak_and_no_leak_fails_the_control(
    leak: float, is_control: bool, code: int, tmp_path: Path
) -> None:
    assert publish(tmp_path, ["two nodes"], Recording(leak_mb_h=leak).samples(), leaks=is_control) == code
