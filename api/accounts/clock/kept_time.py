"""The time of one process: the machine's clock, or after a jump of it, the time that passed since it was last right."""

import threading
import time

from projections.storage.database import Clock

STEADY_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A counter that nobody can set and that goes on while the machine sleeps: Linux has one of its own for that."""
STEPS_US = 3_600_000_000
"""The time in which several small steps of the machine's clock may add up to no more than a jump."""


def steady_time() -> int:
    """Return the microseconds since some moment, including those in which the machine slept."""
    return time.clock_gettime_ns(STEADY_CLOCK) // 1000


class KeptTime:
    """Follows the machine's clock and notices a jump by more than `jump_us`. Safe for use by several threads."""

    def __init__(self, jump_us: int, machine: Clock, steady: Clock) -> None:
        self.jump_us, self.machine, self.steady = jump_us, machine, steady
        self.doubts = False
        self._lock = threading.Lock()
        self._last = self._first = machine(), steady()

    def now(self) -> int:
        """Return the time, and set `doubts`: whether the machine's clock differs from the time that was kept."""
        with self._lock:
            machine, steady = self.machine(), self.steady()
            kept, kept_before_steps = (at + steady - counted for at, counted in (self._last, self._first))
            self.doubts = not (self.agree(machine, kept) and self.agree(machine, kept_before_steps))
            if self.doubts:
                return kept
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
