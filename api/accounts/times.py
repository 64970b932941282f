"""The time as the tables store it."""

from datetime import UTC, datetime
from typing import overload


@overload
def iso_time(microseconds: int) -> str: ...


@overload
def iso_time(microseconds: int | None) -> str | None: ...


def iso_time(microseconds: int | None) -> str | None:
    """Return a time in UTC microseconds since 1970 in ISO 8601, to the second."""
    if microseconds is None:
        return None
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
