"""The time as the tables store it."""

import time


def now() -> int:
    """Return the current time in UTC microseconds since 1970."""
    return time.time_ns() // 1000
