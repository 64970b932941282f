"""The time as the tables store it."""

import time
from datetime import UTC, datetime


def now() -> int:
    """Return the current time in UTC microseconds since 1970."""
    return time.time_ns() // 1000


def iso_time(microseconds: int | None) -> str | None:
    """Return a time in UTC microseconds since 1970 in ISO 8601, to the second."""
    if microseconds is None:
        return None
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
