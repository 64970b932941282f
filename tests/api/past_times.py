"""What happened some time ago: a game's clock that was late, for what falls due by now."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from flask import Flask

from tests.api.conftest import services_of


def time_ago(**long: float) -> str:
    """A time so long before now, as events hold it: `ago(days=30)`, `ago(seconds=-2)` for one to come."""
    return (datetime.now(UTC) - timedelta(**long)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@contextmanager
def clock_one_hour_late(app: Flask) -> Iterator[None]:
    """The store's clock is an hour late meanwhile: whatever is done now was done long before the block ended."""
    games, then = services_of(app).games, time_ago(hours=1)
    usual, games._clock = games._clock, lambda: then
    try:
        yield
    finally:
        games._clock = usual
