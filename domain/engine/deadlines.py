"""Deadlines: what falls due in a game, and when. This module never reads the clock (R-P10, C6)."""

from domain.engine.timestamps import add_time
from domain.events import Seats, Timing
from domain.rejections import NotOffered
from domain.rules.choices import Stop
from domain.state import State, is_in_hand

ALLOWED_DAYS = range(1, 3651)
"""How many days a table can allow for a turn or for the whole game."""
DAY_COUNTS = ("nag_days", "forfeit_days", "total_days")


def validate_timing(timing: Timing) -> Timing:
    """Return `timing` if each number of days in it is allowed; otherwise raise NotOffered."""
    for name in DAY_COUNTS:
        days = getattr(timing, name)
        if days is not None and (type(days) is not int or days not in ALLOWED_DAYS):
            raise NotOffered(
                f"Set timing.{name} to null or to a whole number of days, {ALLOWED_DAYS[0]} to {ALLOWED_DAYS[-1]}."
            )
    return timing


def earliest_end(timing: Timing, opened_at: str) -> str | None:
    """Return when a game with this timing ends: at its set time or after its total days, whichever is first."""
    last = _after(opened_at, timing.total_days)
    if last is None or timing.ends_at is None:
        return last or timing.ends_at
    return min(timing.ends_at, last)


def has_end_time(timing: Timing) -> bool:
    """Return whether a game with this timing can end by time."""
    return timing.ends_at is not None or timing.total_days is not None


def _after(moment: str, days: int | None) -> str | None:
    return None if days is None else add_time(moment, days=days)


def ends_at(state: State) -> str | None:
    """Return when the game ends by time; None if it never does."""
    return None if state.opened is None else earliest_end(state.opened.timing, state.opened_at)


def held_ms(state: State) -> int:
    """Return how long the clock was held in this turn, as far as the log says, in milliseconds."""
    return state.held_ms if state.reminder_turn == state.turn_version else 0


def forfeits_at(state: State, held: int | None = None) -> str | None:
    """Return when the awaited person runs out of time, counted from the start of the turn (R-P10), or None.

    `held` milliseconds don't count. If it's None, the log says how many.
    """
    days = None if state.opened is None else state.opened.timing.forfeit_days
    if days is None or not people_to_move(state):
        return None
    return add_time(state.turn_since, days=days, milliseconds=held_ms(state) if held is None else held)


def reminds_at(state: State) -> str | None:
    """Return when the awaited person gets the one reminder of this turn, or None."""
    waits = state.opened is not None and state.reminder_turn != state.turn_version and bool(people_to_move(state))
    return _after(state.turn_since, state.opened.timing.nag_days) if state.opened and waits else None


def people_to_move(state: State) -> Seats:
    """Return the people whose turn it is; the table plays for bots and for seats that left."""
    return tuple([seat for seat in state.turn if seat in state.still_in and state.seats[seat].kind == "human"])


def is_time_up(state: State, at: str, held: int | None = None) -> bool:
    """Return whether the game ends at `at`: its time has come, and no hand remains to be played out first (R-C42).

    A seat that ran out of time before that forfeits first. `held` is as for `forfeits_at`.
    """
    if state.opened is None or state.result is not None:
        return False
    end = state.opened.timing.ends_at if state.opened.timing.total_days is None else ends_at(state)
    if end is None or at < end or (state.rules.stop is Stop.AFTER_HAND and is_in_hand(state)):
        return False
    out_of_time = forfeits_at(state, held)
    return out_of_time is None or out_of_time >= end


def is_late(state: State, at: str, held: int | None = None) -> bool:
    """Return whether a seat is out of time at `at`. `held` is as for `forfeits_at`."""
    out_of_time = None if state.result is not None else forfeits_at(state, held)
    return out_of_time is not None and at >= out_of_time


def is_clock_due(state: State, at: str) -> bool:
    """Return whether a Tick must come before any other command at `at`: no move is accepted after its time."""
    return is_time_up(state, at) or is_late(state, at)
