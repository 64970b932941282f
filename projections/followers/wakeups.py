"""When the loops of a server look at the store again.

A change of the store rings: that wakes the loops of its process, and through sockets in a folder those of the other
processes of its server. What other servers change is found by looking. A loop looks again after a tenth of the time
without a change, so it asks rarely while nothing happens, and finds each change soon compared with the one before.

A ring may be lost. Then the change is found by looking, too.
"""

from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from socket import AF_UNIX, MSG_DONTWAIT, SOCK_DGRAM, socket
from threading import Condition, Event, Thread
from time import monotonic

LONGEST_S = 1.0
"""The longest pause by default: how late the first change of another server after a quiet time may be found."""
SHARE = 0.1
"""The next pause as a part of the time since the last change."""
TELL_S = 0.01
"""The shortest time between two rings in other processes, whose loops look often after the first one."""
SUFFIX = ".bell"


class Wakeups:
    """The rings of one process. Safe for use by several threads."""

    def __init__(self, timer: Callable[[], float] = monotonic) -> None:
        """`timer` returns seconds."""
        self.timer, self._rung = timer, Condition()
        self._own: socket | None = None
        self._path: Path | None = None
        self._told_at = -inf
        self.rings = 0
        """How often this process or another one of its server has rung."""
        self._rung_at = timer()

    def join(self, folder: Path, name: str) -> None:
        """Ring in the other processes that have joined in this folder from now on, and be woken by them."""
        self._path = folder / f"{name}{SUFFIX}"
        self._path.unlink(missing_ok=True)
        self._own = socket(AF_UNIX, SOCK_DGRAM)
        self._own.bind(str(self._path))
        Thread(target=self._hear, args=(self._own,), name="bell", daemon=True).start()

    def ring(self) -> None:
        """Say that the store has changed."""
        self.wake()
        if self._own is None or self._path is None or self.timer() - self._told_at < TELL_S:
            return
        self._told_at = self.timer()
        for path in self._path.parent.glob(f"*{SUFFIX}"):
            if path != self._path:
                with suppress(OSError):  # it has ended, or enough rings wait for it
                    self._own.sendto(b"1", MSG_DONTWAIT, str(path))

    def wake(self) -> None:
        """Wake the loops of this process alone, as if the store had changed: they are to stop."""
        with self._rung:
            self.rings += 1
            self._rung_at = self.timer()
            self._rung.notify_all()

    def wait(self, heard: int, seconds: float) -> int:
        """Wait until there were other rings than `heard`, at most for some seconds, and return how many there were."""
        with self._rung:
            self._rung.wait_for(lambda: self.rings != heard, seconds)
            return self.rings

    def quiet_s(self) -> float:
        """Return for how long nobody has rung."""
        return self.timer() - self._rung_at

    def _hear(self, own: socket) -> None:
        while own.recv(1):
            self.wake()


class Poll:
    """The pauses of one loop."""

    def __init__(self, wakeups: Wakeups, shortest_s: float, longest_s: float = LONGEST_S) -> None:
        self._wakeups, self._bounds, self._heard = wakeups, (shortest_s, longest_s), wakeups.rings

    def pause_s(self) -> float:
        """Return for how long the loop waits now if nobody rings."""
        shortest, longest = self._bounds
        return min(longest, max(shortest, SHARE * self._wakeups.quiet_s()))

    def wait(self, stop: Event, at_most_s: float = inf) -> bool:
        """Wait until it's time to look again, and return whether `stop` is set."""
        if not stop.is_set():
            self._heard = self._wakeups.wait(self._heard, max(0.0, min(at_most_s, self.pause_s())))
        return stop.is_set()
