"""Times in the past, for deadlines that must have passed by now."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from flask import Flask

from tests.api.conftest import services_of


def time_ago(**long: float) -> str:
    """Return the time that long before now, as in events; `time_ago(seconds=-2)` is in the future."""
    return (datetime.now(UTC) - timedelta(**long)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@contextmanager
def clock_one_hour_late(app: Flask) -> Iterator[None]:
    """Set the store's clock back by an hour during the block."""
    games, then = services_of(app).games, time_ago(hours=1)
    usual, games._clock = games._clock, lambda: then
    try:
        yield
    finally:
        games._clock = usual
