"""Clocks of turns in seconds: what a pace may be, what a turn starts with, and when its time is over (R-P15)."""

from datetime import datetime, timedelta

from domain.engine.wording import one_of
from domain.events import TurnPace
from domain.events.table_talk import Intervals
from domain.rejections import NotOffered
from domain.rules.choices import Phase
from domain.state import State, TurnClock

REQUIRED_FIELDS = {"live": ("base_s",), "daily": ("move_s",), "bank": ("base_s", "move_s", "cap_s")}
"""The fields that each kind of pace must have."""
OTHER_FIELDS = {"live": ("increment_s", "auction_s", "cap_s"), "daily": ("auction_s",), "bank": ("auction_s",)}
"""The other fields that it may have."""
ALLOWED_SECONDS = range(10, 90 * 86_400 + 1)
LEAST_TURN_MS = 10_000
"""The least time of a turn: nobody is out of time before they have seen the table."""
_FIELDS = ("base_s", "move_s", "increment_s", "auction_s", "cap_s")
_MILLISECOND = timedelta(milliseconds=1)
EVENT_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


def validate_pace(pace: TurnPace) -> TurnPace:
    """Return `pace` if its kind is known and has the fields it needs, in range; otherwise raise NotOffered."""
    if pace.kind not in REQUIRED_FIELDS:
        raise NotOffered(f"Set timing.pace.kind to {one_of(REQUIRED_FIELDS)}.")
    required = REQUIRED_FIELDS[pace.kind]
    for name in _FIELDS:
        value, least = getattr(pace, name), 0 if name == "increment_s" else ALLOWED_SECONDS[0]
        if value is None and name not in required:
            continue
        if name not in required + OTHER_FIELDS[pace.kind]:
            raise NotOffered(f"A {pace.kind} pace has no {name}. Leave it out.")
        if type(value) is not int or not least <= value <= ALLOWED_SECONDS[-1]:
            raise NotOffered(f"Set timing.pace.{name} to a whole number of seconds, {least} to {ALLOWED_SECONDS[-1]}.")
    if pace.cap_s is not None and pace.base_s is not None and pace.cap_s < pace.base_s:
        raise NotOffered("Set timing.pace.cap_s to base_s or more.")
    return pace


def has_closed_hours(pace: TurnPace) -> bool:
    """Return whether nights, weekends and vacations stop this clock. At a live table everybody is present."""
    return pace.kind != "live"


def starting_time_ms(state: State, pace: TurnPace, seat: int) -> int:
    """Return the time with which a turn of `seat` starts: what the seat had left, and the time for a move.

    After an undo the seat has what it had left when it moved, and at least the least time of a turn.
    """
    last = state.clocks[seat] if state.clocks else None
    kept = (pace.base_s or 0) * 1000 if last is None else time_left_ms(last)
    if last is not None and state.turn_version == state.restored_turn:
        return kept if state.can_be_short else max(LEAST_TURN_MS, kept)
    is_call = state.phase is Phase.AUCTION and pace.auction_s is not None
    gain = 1000 * ((pace.auction_s if is_call else pace.move_s or pace.increment_s) or 0)
    if pace.kind == "daily":
        return gain
    total = kept + gain if pace.cap_s is None else min(kept + gain, pace.cap_s * 1000)
    return max(LEAST_TURN_MS, total)


def time_left_ms(clock: TurnClock) -> int:
    """Return what a seat had left when its turn ended. The time for which the clock was held doesn't count."""
    used = open_ms(clock.since, clock.stopped_at or clock.since, clock.closed)
    return min(clock.left_ms, max(0, clock.left_ms + clock.held_ms - used))


def open_ms(since: str, until: str, closed: Intervals) -> int:
    """Return how many milliseconds lie between two times, without those that are in `closed`."""
    start, end = datetime.fromisoformat(since), datetime.fromisoformat(until)
    inside = [(max(start, _time(first)), min(end, _time(last))) for first, last in closed]
    shut = sum((last - first for first, last in inside if last > first), timedelta())
    return max(0, (end - start - shut) // _MILLISECOND)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def deadline_after(since: str, time_ms: int, closed: Intervals) -> tuple[str, Intervals]:
    """Return when `time_ms` of open time have passed since `since`, and the closed times until then.

    Overlapping times count once. A time that can't be read raises ValueError.
    """
    passed = list[tuple[str, str]]()
    moment, left = since, time_ms * _MILLISECOND
    for first, last in sorted(closed):
        begin = max(first, moment)
        open_before = _time(begin) - _time(moment)
        if last <= begin:
            continue
        if open_before >= left:
            break
        passed.append((begin, last))
        moment, left = last, left - open_before
    return (_time(moment) + left).strftime(EVENT_TIME), tuple(passed)
