"""The one listener of a process on the log, which tells the event streams about commits of every process.

Commits of this process arrive with a call. For those of others, the listener asks for the last numbers of the log, at
once if another process rings.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Event, Thread

from domain.store import Games, StoreUnavailable
from projections.followers.wakeups import Poll, Wakeups
from projections.storage.rows import RowsUnavailable

LOG = logging.getLogger("trickbook.streams")
POLL_S = 0.015
"""Seconds between two looks for commits of other processes, while there are some."""
RETRY_S = 1.0
"""How often every stream looks for new events while the listener can't, and when it tries again."""
JOIN_TIMEOUT_S = 2.0
PAGE = 500


class PollingListener(ABC):
    """Looks for changes in a thread of its own while `is_needed()` is true; call `start` when that changes.

    It calls `on_gap()` if some may have been missed: after an error, every second until it can look again.
    """

    def __init__(
        self, name: str, on_gap: Callable[[], None], is_needed: Callable[[], bool], wakeups: Wakeups, shortest_s: float
    ) -> None:
        self._name, self._on_gap, self._is_needed = name, on_gap, is_needed
        self._wakeups, self._poll = wakeups, Poll(wakeups, shortest_s)
        self._stop, self._needed = Event(), Event()
        self._thread: Thread | None = None

    @abstractmethod
    def _listen(self) -> None:
        """Look for changes until nobody needs that, or `_stop` is set."""

    def start(self) -> None:
        """Start or go on listening, unless it has stopped."""
        self._needed.set()
        if self._thread is None and not self._stop.is_set():
            self._thread = Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread soon."""
        self._stop.set()
        self._needed.set()
        self._wakeups.wake()

    def join(self) -> None:
        """Wait until the thread has ended."""
        if self._thread is not None:
            self._thread.join(JOIN_TIMEOUT_S)

    def _run(self) -> None:
        failed = False
        while not self._stop.is_set():
            try:
                self._listen()
                self._await_need()
                failed = False
            except (StoreUnavailable, RowsUnavailable) as error:
                if not failed:
                    LOG.warning("event streams look for commits every second: %s", error)
                failed = True
            except Exception:
                LOG.exception("event streams look for commits every second")
                failed = True
            if failed:
                self._on_gap()
                self._stop.wait(RETRY_S)

    def _await_need(self) -> None:
        self._needed.clear()
        if not self._is_needed() and not self._stop.is_set():
            self._needed.wait()


class CommitListener(PollingListener):
    """Calls `on_commit(game, version)` for each new event. It's called in several threads."""

    def __init__(
        self,
        games: Games,
        on_commit: Callable[[str, int], None],
        on_gap: Callable[[], None],
        is_needed: Callable[[], bool],
        wakeups: Wakeups,
    ) -> None:
        super().__init__("commit-listener", on_gap, is_needed, wakeups, POLL_S)
        self._log, self._on_commit = games.log, on_commit

    def start(self) -> None:
        """Start or go on listening, also to the commits of this process, unless it has stopped."""
        if self._thread is None and not self._stop.is_set():
            self._log.call_on_commit(self._on_commit)
        super().start()

    def _listen(self) -> None:
        seen = self._log.last_numbers()
        self._on_gap()  # after it: an event that comes in between wakes a stream twice, not never
        while self._is_needed() and not self._poll.wait(self._stop):
            seen, changes = self._log.changes(seen, PAGE)
            if changes:
                self._wakeups.ring()
            for game, version in changes:
                self._on_commit(game, version)
