"""The machine's clock, the time that a server keeps beside it, and times in which the server can't trust it.

Nobody runs out of time then, and players get that time back (R-P10).
"""

import threading
import time
from collections.abc import Callable
from typing import Protocol

from domain.commands import ClaimTime, Command, Tick
from domain.engine.deadlines import counts_from, is_overdue, is_time_up, running_clock
from domain.engine.timestamps import format_time
from domain.state import State
from domain.store.application import StoreUnavailable


def machine_time() -> int:
    """Return the time of the machine's clock, which anybody can set, in UTC microseconds since 1970.

    A server asks its held clock instead: tests/layout/clock_search.py lists all other readers of the time.
    """
    return time.time_ns() // 1000


def utc_now() -> str:
    """Return the time of the machine's clock in the format of events: UTC, six decimals."""
    return format_time(machine_time())


STEADY_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A counter that nobody can set and that goes on while the machine sleeps: Linux has one of its own for that."""
STEPS_US = 3_600_000_000
"""The time in which several small steps of the machine's clock may add up to no more than a jump."""


def steady_time() -> int:
    """Return the microseconds since some moment, including those in which the machine slept."""
    return time.clock_gettime_ns(STEADY_CLOCK) // 1000


class KeptTime:
    """Follows the machine's clock and notices a jump by more than `jump_us`. Safe for use by several threads."""

    def __init__(self, jump_us: int, machine: Callable[[], int], steady: Callable[[], int]) -> None:
        self.jump_us, self.machine, self.steady = jump_us, machine, steady
        self.doubts = self.was_in_doubt = False
        """Whether the machine's clock differs now from the time that was kept, and whether it has differed."""
        self._lock = threading.Lock()
        self._last = self._first = machine(), steady()

    def now(self) -> str:
        """Return the time in the format of events: the machine's, or while in doubt the time that was kept."""
        return format_time(self.now_us())

    def now_us(self) -> int:
        """Return the time as `now` does, in UTC microseconds since 1970."""
        now = self.kept_us()
        return self.in_doubt(now) if self.was_in_doubt else now

    def in_doubt(self, now: int) -> int:
        """Return the time that others think it is. Somebody who can ask others sets `was_in_doubt` back afterwards."""
        return now

    def kept_us(self) -> int:
        """Return the time as `now_us` does, without asking anybody about a doubt."""
        with self._lock:
            machine, steady = self.machine(), self.steady()
            kept, kept_before_steps = (at + steady - counted for at, counted in (self._last, self._first))
            self.doubts = not (self.agree(machine, kept) and self.agree(machine, kept_before_steps))
            if self.doubts:
                self.was_in_doubt = True
                return kept  # never ahead of the true time, so any fact may have it
            self._last = machine, steady
            if steady - self._first[1] >= STEPS_US:
                self._first = self._last
            return machine

    def agree(self, one: int, other: int) -> bool:
        """Return whether two clocks differ by no more than a jump."""
        return abs(one - other) <= self.jump_us

    def restart_at(self, at: int) -> None:
        """Go on from that time, whatever the machine's clock shows."""
        with self._lock:
            self._last = self._first = at, self.steady()


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
