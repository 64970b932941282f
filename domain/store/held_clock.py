"""The machine's clock, and times in which the server can't trust it.

Nobody runs out of time then, and players get that time back (R-P10).
"""

import time
from typing import Protocol

from domain.commands import ClaimTime, Command, Tick
from domain.engine.deadlines import counts_from, is_overdue, is_time_up, running_clock
from domain.engine.timestamps import format_time
from domain.state import State
from domain.store.repository import StoreUnavailable


def machine_time() -> int:
    """Return the time of the machine's clock, which anybody can set, in UTC microseconds since 1970.

    A server asks its held clock instead: tests/layout/clock_search.py lists all other readers of the time.
    """
    return time.time_ns() // 1000


def utc_now() -> str:
    """Return the time of the machine's clock in the format of events: UTC, six decimals."""
    return format_time(machine_time())


class ClockHeld(StoreUnavailable):
    """The time of a seat or of a game may be over, but the server can't trust its clock now. Nothing was stored."""


class Holds(Protocol):
    """The times for which the server's clock was held, or no server ran."""

    def is_held(self) -> bool:
        """Return whether the clock is held now."""

    def held_ms(self, since: str, until: str) -> int:
        """Return for how many milliseconds of that time (UTC, six decimals) the clock was held or no server ran."""


class NeverHeld:
    """The holds of a clock that is always right, as in tests and tools."""

    def is_held(self) -> bool:
        return False

    def held_ms(self, _since: str, _until: str) -> int:
        return 0


UNWRITTEN_MS = 1000
"""How much longer than the log says a clock must have been held for its turn to be timed again before a command."""


def must_time_again(holds: Holds, state: State, at: str) -> bool:
    """Return whether the clock of this turn was held for longer than the log says. Days aren't counted so exactly."""
    clock = running_clock(state)
    return clock is not None and holds.held_ms(clock.since, at) >= clock.held_ms + UNWRITTEN_MS


def held_at_command(holds: Holds, state: State, command: Command, at: str) -> int:
    """Return as `held_in_turn` for the commands that are judged by it, and 0 for others.

    Raise ClockHeld for every Tick of a turn with a clock: it waits until the hold ends.
    """
    if isinstance(command, Tick) and running_clock(state) is not None and holds.is_held():
        raise ClockHeld("The server checks its clock, and sets the clock of this turn afterwards.")
    return held_in_turn(holds, state, at) if isinstance(command, Tick | ClaimTime) else 0


def held_in_turn(holds: Holds, state: State, at: str) -> int:
    """Return for how many milliseconds the clock was held since the turn began. Raise ClockHeld during a time-out."""
    held = holds.held_ms(counts_from(state), at) if state.turn else 0
    if (is_overdue(state, at, held) or is_time_up(state, at, held)) and holds.is_held():
        raise ClockHeld("The server checks its clock before it ends this game or turn. Send the request again later.")
    return held
