"""Deadlines: what falls due in a game, and when. This module never reads the clock (R-P10, C6)."""

from domain.engine.paces import starting_time_ms, validate_pace
from domain.engine.timestamps import add_time
from domain.events import Seats, Timing
from domain.rejections import NotOffered
from domain.rules.choices import Stop
from domain.state import State, TurnClock, is_in_hand, require
from domain.struct import replace

ALLOWED_DAYS = range(1, 3651)
"""How many days a table can allow for a turn or for the whole game."""
FORFEIT = "forfeit"
"""The autopilot that takes a seat out of the game."""
CLAIM = "claim"
"""The autopilot of a table at which only another player ends the time of a seat."""
BOT_AUTOPILOT = "bot:"
"""How an autopilot begins that hands a seat over to a bot."""
DAY_COUNTS = ("nag_days", "forfeit_days", "total_days")


def validate_timing(timing: Timing) -> Timing:
    """Return `timing` if each number of days in it is allowed; otherwise raise NotOffered.

    A pace counts the time of a turn instead of `forfeit_days`.
    """
    for name in DAY_COUNTS:
        days = getattr(timing, name)
        if days is not None and (type(days) is not int or days not in ALLOWED_DAYS):
            raise NotOffered(
                f"Set timing.{name} to null or to a whole number of days, {ALLOWED_DAYS[0]} to {ALLOWED_DAYS[-1]}."
            )
    return timing if timing.pace is None else replace(timing, pace=validate_pace(timing.pace), forfeit_days=None)


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
    if (clock := running_clock(state)) is not None:
        return clock.held_ms
    return state.held_ms if state.reminder_turn == state.turn_version else 0


def forfeits_at(state: State, held: int | None = None) -> str | None:
    """Return when the awaited person runs out of time (R-P10, R-P15), or None.

    `held` milliseconds don't count. If it's None, the log says how many.
    """
    timing = None if state.opened is None else state.opened.timing
    if timing is None or (timing.forfeit_days is None and timing.pace is None) or not people_to_move(state):
        return None
    if timing.pace is None:
        held = held_ms(state) if held is None else held
        return add_time(counts_from(state), days=timing.forfeit_days or 0, milliseconds=held)
    clock = running_clock(state)
    more = 0 if held is None or clock is None else max(0, held - clock.held_ms)
    return None if clock is None else add_time(clock.deadline, milliseconds=more)


def counts_from(state: State) -> str:
    """Return when the time of the turn began to run: with the turn, or when a bot gave the seat back.

    Before there were autopilots, the time didn't start again for a seat that was given back.
    """
    opened = state.opened
    if opened is None or (opened.timing.pace is None and not opened.autopilot.startswith(BOT_AUTOPILOT)):
        return state.turn_since
    return max([state.turn_since, *(state.seats[seat].back_at for seat in people_to_move(state))])


def running_clock(state: State) -> TurnClock | None:
    """Return the clock of the awaited person's turn, or None if none runs, or only that of an earlier turn."""
    clock = state.clock
    if clock is None or clock.turn != state.turn_version or clock.seat not in people_to_move(state):
        return None
    return clock if clock.since == counts_from(state) else None


def turn_time_ms(state: State) -> int:
    """Return the time with which the turn of the awaited person began, or begins if its clock doesn't run yet."""
    clock = running_clock(state)
    pace = require(require(state.opened).timing.pace)
    return starting_time_ms(state, pace, people_to_move(state)[0]) if clock is None else clock.left_ms


def is_timing_due(state: State, held: int = 0) -> bool:
    """Return whether the clock of the turn must be started, or set again because it was held for `held` ms."""
    if state.opened is None or state.opened.timing.pace is None or state.result is not None:
        return False
    clock = running_clock(state)
    return bool(people_to_move(state)) and (clock is None or held > clock.held_ms)


def reminds_at(state: State) -> str | None:
    """Return when the awaited person gets the one reminder of this turn, or None."""
    waits = state.opened is not None and state.reminder_turn != state.turn_version and bool(people_to_move(state))
    return _after(counts_from(state), state.opened.timing.nag_days) if state.opened and waits else None


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
    out_of_time = None if is_claimed_by_players(state) else forfeits_at(state, held)
    return out_of_time is None or out_of_time >= end


def is_late(state: State, at: str, held: int | None = None) -> bool:
    """Return whether the clock takes a seat out of the game at `at`. `held` is as for `forfeits_at`."""
    return not is_claimed_by_players(state) and is_overdue(state, at, held)


def is_overdue(state: State, at: str, held: int | None = None) -> bool:
    """Return whether the deadline of the turn has passed at `at`. `held` is as for `forfeits_at`."""
    out_of_time = None if state.result is not None else forfeits_at(state, held)
    return out_of_time is not None and at >= out_of_time


def is_claimed_by_players(state: State) -> bool:
    """Return whether a seat that is out of time can still move until another player claims its time (R-P17)."""
    return state.opened is not None and state.opened.autopilot == CLAIM


def autopilot_bot(state: State) -> str | None:
    """Return the strategy of the bot that takes over a seat that is out of time (R-P18), or None."""
    autopilot = "" if state.opened is None else state.opened.autopilot
    return autopilot.removeprefix(BOT_AUTOPILOT) if autopilot.startswith(BOT_AUTOPILOT) else None


def is_clock_due(state: State, at: str) -> bool:
    """Return whether a Tick must come before any other command at `at`: no move is accepted after its time."""
    return is_time_up(state, at) or is_late(state, at)
