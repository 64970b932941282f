"""The second reading of clocks: how long a seat's clock ran in a turn, and what it had left (R-P15)."""

from datetime import datetime, timedelta

from domain.events import TurnTimed
from domain.struct import Value

MICROSECOND = timedelta(microseconds=1)
ZERO = datetime(1970, 1, 1)  # noqa: DTZ001


class ClockRead(Value, frozen=True):
    """The clock of the turn that began with event `began`; it runs since `since`."""

    timed: TurnTimed
    began: int
    since: str


def microseconds(moment: str) -> int | None:
    """Return the time as a number of microseconds, or None if it can't be read."""
    try:
        return (datetime.fromisoformat(moment.removesuffix("Z")) - ZERO) // MICROSECOND
    except (ValueError, TypeError, OverflowError):
        return None


def moment_of(number: int) -> str | None:
    """Return the time that `microseconds` reads as this number, or None beyond the calendar."""
    try:
        return f"{(ZERO + number * MICROSECOND).isoformat(timespec='microseconds')}Z"
    except OverflowError:
        return None


def elapsed_ms(since: str, now: str) -> int | None:
    """Return the milliseconds from `since` to `now`, or None if a time is invalid."""
    try:
        return (datetime.fromisoformat(now) - datetime.fromisoformat(since)) // timedelta(milliseconds=1)
    except (TypeError, ValueError):
        return None


def closed_spans(timed: TurnTimed) -> list[tuple[int, int]] | None:
    """Return the closed times as pairs of numbers; None unless each begins after the one before has ended."""
    last, spans = None, list[tuple[int, int]]()
    for pair in timed.closed:
        begin, end = microseconds(pair[0]), microseconds(pair[1])
        if begin is None or end is None or begin >= end or (last is not None and begin <= last):
            return None
        spans.append((begin, end))
        last = end
    return spans


def time_left(clock: ClockRead, at: str) -> int:
    """Return how many milliseconds the seat has left at `at`; all of them if a time can't be read."""
    begin, now, spans = microseconds(clock.since), microseconds(at), closed_spans(clock.timed)
    if begin is None or now is None or spans is None:
        return clock.timed.left_ms
    shut = sum(max(0, min(now, last) - max(begin, first)) for first, last in spans)
    used = max(0, (now - begin - shut) // 1000)
    return min(clock.timed.left_ms, max(0, clock.timed.left_ms + clock.timed.held_ms - used))
