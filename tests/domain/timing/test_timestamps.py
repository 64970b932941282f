"""Adding days to a timestamp follows the calendar, in any notation."""

from datetime import datetime, timedelta
from itertools import product

from domain.engine.timestamps import add_time
from replay.audit.play import deadlines as clock

MOMENTS = [
    "2026-11-21T00:00:40.000000Z",
    "2026-12-31T23:59:59.999999Z",
    "2024-02-28T12:00:00.000001Z",
    "2023-02-29T12:00:00.000000Z",
    "2026-13-01T00:00:00.000000Z",
    "2026-11-21T24:00:00.000000Z",
    "2026-11-21T23:60:00.000000Z",
    "0999-01-01T00:00:00.000000Z",
    "9999-12-31T00:00:00.000000Z",
    "2026-11-21T00:00:40Z",
    "2026-11-21",
    "20261121T000040Z",
    "2026-11-21T00:00:40.000000+00:00",
    "\uff12\uff10\uff12\uff16-11-21T00:00:40.000000Z",
    "2026-11-21T00:00:40.000000Z\n",
    "",
    "soon",
]


def by_the_calendar(moment: str, days: int) -> str | None:
    try:
        due = datetime.fromisoformat(moment.removesuffix("Z")) + timedelta(days=days)
    except (OverflowError, ValueError):
        return None
    return due.isoformat(timespec="microseconds") + "Z"


def test_a_timestamp_some_days_later() -> None:
    for moment, days in product(MOMENTS, (0, 1, 30, 366, 3650)):
        assert add_time(moment, days=days) == by_the_calendar(moment, days) == clock.add_time(moment, days), moment


def test_adding_to_no_time_gives_no_time_and_seconds_are_added() -> None:
    assert clock.add_time(MOMENTS[0], None) is None
    assert add_time(MOMENTS[1], seconds=1) == "2027-01-01T00:00:00.999999Z"
    assert add_time(MOMENTS[0], days=1, seconds=20) == "2026-11-22T00:01:00.000000Z"
