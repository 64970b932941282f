"""Pages of the log, read once for all projections that are at the same positions."""

from collections import OrderedDict
from operator import gt
from threading import Event, Lock
from time import monotonic

from domain.store import Games
from domain.store.log import LogPage, Numbers, Positions
from domain.store.wakeups import Poll, Wakeups

KEPT_PAGES = 8
KEPT_S = 1.0
"""How long a page is kept. It may be shorter than a page read later, and it's never longer."""
PAGE_S = 0.2
"""How long a page may take to fold. Pages that take longer are halved, and full ones that don't are doubled."""
FIRST_EVENTS = 500
"""The size of the first page, and the smallest to which pages are halved."""
POLL_S = 0.01
"""How soon the log is asked again for new commits, while there are some."""
GATHER_S = 0.02
"""The shortest time between two pages at the end of the log. A commit must be in the lists within 0.05 s."""
PATIENCE_S = 0.05
"""How long to wait if nobody wants a page, or if the log can't be asked."""


class LogPages:
    """Reads a log in pages of up to `most` events. Safe for concurrent use by several threads."""

    def __init__(self, games: Games, most: int, wakeups: Wakeups | None = None) -> None:
        """`wakeups` ring when this process knows of a commit, and it rings them after those of others."""
        self._games, self._most, self._size = games, most, min(most, FIRST_EVENTS)
        self._wakeups = wakeups or Wakeups()
        self._poll = Poll(self._wakeups, POLL_S)
        self._reading = Lock()
        self._pages: OrderedDict[Positions, tuple[float, LogPage]] = OrderedDict()
        self.last: Numbers = ()
        """The numbers of the log's last events when they were last asked for."""
        self._read_at = 0.0

    def forget(self) -> None:
        """Read the log again from now on: it may be another one than before."""
        with self._reading:
            self._pages.clear()

    def read(self, after: Positions, upto: Numbers | None = None) -> LogPage:
        """Return the next events above these positions, with `upto` none beyond these numbers if it reads the log.

        Empty numbers are those of a log that nobody has asked yet.
        """
        with self._reading:
            read_at, page = self._pages.get(after, (0.0, None))
            if page is None or not page.rows or monotonic() - read_at > KEPT_S:
                page = self._games.log.read(after, self._size, upto or None)
                self._read_at = monotonic()
                self._pages[after] = self._read_at, page
                while len(self._pages) > 1 and self._is_full():
                    self._pages.popitem(last=False)
            return page

    def _is_full(self) -> bool:
        kept = sum(len(page.rows) for _, page in self._pages.values())
        return len(self._pages) > KEPT_PAGES or kept > 2 * self._most

    def note_time(self, events: int, seconds: float) -> None:
        """Adapt the size of pages to the time that folding `events` took."""
        if seconds > PAGE_S:
            self._size = min(self._most, max(FIRST_EVENTS, events // 2))
        elif events > self._size * 3 // 4:  # each shard has an equal part of a page
            self._size = min(self._most, 2 * self._size)

    def await_commit(self, seen: Numbers | None, seconds: float, stop: Event) -> None:
        """Return once the log goes on beyond `seen`, at the latest after `seconds` or when `stop` is set.

        Commits gather for `GATHER_S` since the last page was read: a page costs more than its events. Without numbers,
        nobody wants the next page, and this waits for `PATIENCE_S`.
        """
        until = monotonic() + seconds
        if seen is None:
            stop.wait(PATIENCE_S)
            return
        if _is_beyond(self.last, seen):
            return
        stop.wait(max(0.0, self._read_at + GATHER_S - monotonic()))
        while not stop.is_set():
            last = self._games.log.last_numbers()
            if last != self.last:
                self.last = last
                self._wakeups.ring()
            if _is_beyond(last, seen) or self._poll.wait(stop, until - monotonic()) or monotonic() >= until:
                return


def _is_beyond(last: Numbers, seen: Numbers) -> bool:
    """Return whether a shard has events above the numbers seen, which are empty before the first event."""
    return any(map(gt, last, seen or (0,) * len(last)))
