"""Timestamps of events: text in UTC with six decimals, which sorts in the order of time."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import overload

from domain.engine.paces import EVENT_TIME

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIMESTAMP = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z)")


@lru_cache(1024)
def _date_after(date: str, days: int) -> str | None:
    """Add days to a date, cached because a game has few dates; None for an invalid date or beyond the calendar."""
    try:
        return f"{(datetime.fromisoformat(date) + timedelta(days=days)).date()}"
    except (OverflowError, ValueError):
        return None


def add_time(moment: str, *, days: int = 0, seconds: int = 0, milliseconds: int = 0) -> str | None:
    """Add these times to `moment`; None for an invalid timestamp or a result beyond the calendar."""
    plain = None if seconds or milliseconds else _TIMESTAMP.fullmatch(moment)
    if plain is not None:
        date = _date_after(plain[1], days)
        return None if date is None else f"{date}{plain[2]}"
    try:
        more = timedelta(days=days, seconds=seconds, milliseconds=milliseconds)
        due = datetime.fromisoformat(moment.removesuffix("Z")) + more
    except (OverflowError, ValueError):
        return None
    return due.isoformat(timespec="microseconds") + "Z"


def format_time(at: int) -> str:
    """Return UTC microseconds since 1970 as a timestamp."""
    second, microseconds = divmod(at, 1_000_000)
    return f"{_format_second(second)}.{microseconds:06}Z"


@lru_cache(maxsize=4)
def _format_second(second: int) -> str:
    return (_EPOCH + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S")


def parse_time(text: str) -> int:
    """Return a timestamp as UTC microseconds since 1970. Raise ValueError for another text."""
    return (datetime.strptime(text, EVENT_TIME).replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)


@overload
def iso_time(microseconds: int) -> str: ...


@overload
def iso_time(microseconds: int | None) -> str | None: ...


def iso_time(microseconds: int | None) -> str | None:
    """Return a time in UTC microseconds since 1970 in ISO 8601, to the second."""
    if microseconds is None:
        return None
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
