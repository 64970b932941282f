"""The clock by bookkeeping: when a seat was out of time, when it was to be reminded, when the game was to end.

A turn is counted from when it began (R-P10); what comes after its time is nobody's any more (C6, R-C42).
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache

from domain.events import Event, SeatForfeited, Seats, TurnReminded
from domain.rules.choices import Stop
from replay.fold import Position

DEADLINE_FACTS = frozenset({"SeatForfeited", "TurnReminded"})
"""What the clock says to a seat."""
_POSSIBLE_DEADLINE_FACTS = {
    (True, True): DEADLINE_FACTS,
    (True, False): frozenset({"SeatForfeited"}),
    (False, True): frozenset({"TurnReminded"}),
    (False, False): frozenset[str](),
}
"""The same at tables that let a seat lose by its time, that remind it, and that do not."""
CLOSING_FACTS = frozenset({"CeremonyRevealed", "CeremonyVoided", "GameEnded"})


_PLAIN = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z)")


@lru_cache(1024)
def _date_after(date: str, days: int) -> str | None:
    """So many days after a date; None for what is none, and beyond the calendar."""
    try:
        return f"{(datetime.fromisoformat(date) + timedelta(days=days)).date()}"
    except (ValueError, OverflowError):
        return None


def add_time(moment: str, days: int | None, *, seconds: int = 0) -> str | None:
    """So many days and seconds after `moment`; None for no days, and where no such time can be told."""
    if days is None:
        return None
    if not seconds and (plain := _PLAIN.fullmatch(moment)):
        return f"{date}{plain[2]}" if (date := _date_after(plain[1], days)) else None
    try:
        due = datetime.fromisoformat(moment.removesuffix("Z")) + timedelta(days=days, seconds=seconds)
    except (ValueError, OverflowError):
        return None
    return f"{due.isoformat(timespec='microseconds')}Z"


def game_deadline(position: Position) -> str | None:
    """When the game was to end, by the hour it named or by its days; the earlier of two."""
    timing = position.opening.timing
    if timing.total_days is None:
        return timing.ends_at
    named = [timing.ends_at, add_time(position.opened_at, timing.total_days)]
    return min((each for each in named if each is not None), default=None)


def people_to_move(position: Position) -> Seats:
    """The people whose turn it is."""
    left, players = position.left, position.players
    return tuple(seat for seat in position.turn if seat not in left and players[seat].kind == "human")


def turn_deadline(position: Position) -> str | None:
    """Until when whose turn it is could move; None where that is for ever, or nobody's turn who could be late."""
    days = position.opening.timing.forfeit_days
    return add_time(position.since, days) if days is not None and people_to_move(position) else None


def is_before_deadlines(position: Position, at: str, since: str = "") -> bool:
    """Whether the game is not to be over by `at`, nor has the day come on which a seat would be out of time.

    `since` is when its turn began, where that was later than in `position`.
    """
    days, over = position.opening.timing.forfeit_days, game_deadline(position)
    if over is not None and at >= over:
        return False
    day = None if days is None else _date_after((since or position.since)[:10], days)
    return days is None or (day is not None and at[:10] < day)


def possible_deadline_facts(position: Position) -> frozenset[str]:
    """What the clock may say as things stand."""
    timing = position.opening.timing
    named = _POSSIBLE_DEADLINE_FACTS[timing.forfeit_days is not None, timing.nag_days is not None]
    return named if named and people_to_move(position) else frozenset()


def check_seat_forfeited(position: Position, fact: SeatForfeited, at: str) -> Iterator[str]:
    """A person whose turn had lasted too long by the times in the log."""
    until = turn_deadline(position)
    if fact.seat not in people_to_move(position):
        yield f"seat {fact.seat} is out of time, which is not to move"
    elif until is None or at < until:
        yield f"seat {fact.seat} is out of time at {at}, where it had until {until or 'it liked'}"
    if fact.reason != "time":
        yield f'seat {fact.seat} is out for "{fact.reason}", which is nothing a seat is out for'


def check_turn_reminded(position: Position, fact: TurnReminded, at: str) -> Iterator[str]:
    """A person whose turn had lasted long enough, once in it."""
    due = add_time(position.since, position.opening.timing.nag_days)
    if fact.seat not in people_to_move(position):
        yield f"seat {fact.seat} is reminded, which is not to move"
    elif due is None or at < due:
        yield f"seat {fact.seat} is reminded at {at}, which is due {'never' if due is None else f'at {due}'}"
    if fact.seat in position.reminded:
        yield f"seat {fact.seat} is reminded twice in one turn"


def check_in_time(position: Position, event: Event[object]) -> Iterator[str]:
    """Whether nothing was heard that came too late: the clock is heard first."""
    if position.opened is None or position.ended or is_before_deadlines(position, event.at):
        return
    until, over = turn_deadline(position), None if _played_out(position) else game_deadline(position)
    if over is not None and event.at >= over and (until is None or until >= over):
        if event.fact not in CLOSING_FACTS:
            yield f"it comes at {event.at}, when the game was to be over by {over}"
    elif until is not None and event.at >= until and event.fact != "SeatForfeited":
        yield f"it comes at {event.at}, when seat {people_to_move(position)[0]} had been out of time since {until}"


def _played_out(position: Position) -> bool:
    """Whether the hand in play is to be played to its end, whatever the hour (R-C42)."""
    return position.rules.stop is Stop.AFTER_HAND and position.hand is not None and not position.hand.over
