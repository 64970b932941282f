"""The clock: what falls due in a game and when; nothing here knows what time it is (R-P10, C6)."""

from domain.engine.timestamps import add_time
from domain.events import Fact, SeatForfeited, Seats, Timing, TurnReminded
from domain.rejections import NotOffered
from domain.rules.choices import Stop
from domain.state import State, is_in_hand

ALLOWED_DAYS = range(1, 3651)
"""How long a table may give a player to move, or the whole game."""
DAY_COUNTS = ("nag_days", "forfeit_days", "total_days")
FORFEIT_CAUSE = "time"
"""Why the clock takes a seat out of the game."""


def validate_timing(timing: Timing) -> Timing:
    """`timing`, where each number of days in it is one a table may have; else NotOffered."""
    for name in DAY_COUNTS:
        days = getattr(timing, name)
        if days is not None and (type(days) is not int or days not in ALLOWED_DAYS):
            raise NotOffered(
                f"Set timing.{name} to null or to a whole number of days, {ALLOWED_DAYS[0]} to {ALLOWED_DAYS[-1]}."
            )
    return timing


def earliest_end(timing: Timing, opened_at: str) -> str | None:
    """When such a game ends by time: as its table named it, or so many days after the opening; the earlier of two."""
    last = _after(opened_at, timing.total_days)
    if last is None or timing.ends_at is None:
        return last or timing.ends_at
    return min(timing.ends_at, last)


def has_end_time(timing: Timing) -> bool:
    """Whether such a game may end by time."""
    return timing.ends_at is not None or timing.total_days is not None


def _after(moment: str, days: int | None) -> str | None:
    return None if days is None else add_time(moment, days=days)


def ends_at(state: State) -> str | None:
    """When the game ends by time; None where it is never."""
    return None if state.opened is None else earliest_end(state.opened.timing, state.opened_at)


def forfeits_at(state: State) -> str | None:
    """When the person awaited is out of time, counted from when the turn began (R-P10); None where nobody will be."""
    days = None if state.opened is None else state.opened.timing.forfeit_days
    return None if days is None or not people_to_move(state) else _after(state.turn_since, days)


def reminds_at(state: State) -> str | None:
    """When the person awaited is reminded of the turn, once in it."""
    waits = state.opened is not None and state.reminder_turn != state.turn_version and bool(people_to_move(state))
    return _after(state.turn_since, state.opened.timing.nag_days) if state.opened and waits else None


def people_to_move(state: State) -> Seats:
    """The people whose turn it is; the table plays for bots and for seats that left."""
    return tuple(seat for seat in state.turn if seat in state.still_in and state.seats[seat].kind == "human")


def is_time_up(state: State, at: str) -> bool:
    """Whether the game is to be ended at `at`: its time has come, and no hand is to be played out first (R-C42).

    A seat that was out of time before that is so first.
    """
    if state.opened is None or state.result is not None:
        return False
    end = state.opened.timing.ends_at if state.opened.timing.total_days is None else ends_at(state)
    if end is None or at < end or (state.rules.stop is Stop.AFTER_HAND and is_in_hand(state)):
        return False
    out_of_time = forfeits_at(state)
    return out_of_time is None or out_of_time >= end


def is_late(state: State, at: str) -> bool:
    """Whether at `at` a seat is out of time."""
    out_of_time = None if state.result is not None else forfeits_at(state)
    return out_of_time is not None and at >= out_of_time


def is_clock_due(state: State, at: str) -> bool:
    """Whether at `at` the clock must be heard before anything else: no move comes after its time."""
    return is_time_up(state, at) or is_late(state, at)


def clock_facts(state: State, at: str) -> tuple[Fact, ...]:
    """What the clock says to who is awaited: out of time, else once a turn a reminder, else nothing (R-P10).

    One seat at a time is out of it, as that may end the game.
    """
    people = people_to_move(state)
    if is_late(state, at):
        return (SeatForfeited(people[0], FORFEIT_CAUSE),)
    reminds = reminds_at(state)
    return () if reminds is None or at < reminds else tuple(TurnReminded(seat) for seat in people)
