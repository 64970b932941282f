"""The one listener of a process on the log, which tells the event streams about commits of every process.

Commits of this process arrive with a call. For those of others, the listener asks for the last numbers of the log.
PostgreSQL could notify it, but then the whole database would make one commit after another.
"""

import logging
from collections.abc import Callable
from threading import Event, Thread

from domain.store import Games, StoreUnavailable

LOG = logging.getLogger("trickbook.streams")
POLL_S = 0.015
"""Seconds between two looks for commits of other processes."""
RETRY_S = 1.0
"""How often every stream looks for new events while the listener can't, and when it tries again."""
JOIN_TIMEOUT_S = 2.0
PAGE = 500


class CommitListener:
    """Calls `on_commit(game, version)` for each new event, and `on_gap()` if some may have been missed.

    They are called in several threads. After an error, `on_gap` is called every second until the listener can read the
    log. It reads nothing while `is_needed()` is false; call `start` when that changes.
    """

    def __init__(
        self,
        games: Games,
        on_commit: Callable[[str, int], None],
        on_gap: Callable[[], None],
        is_needed: Callable[[], bool],
    ) -> None:
        self._log, self._on_commit, self._on_gap, self._is_needed = games.log, on_commit, on_gap, is_needed
        self._stop, self._needed = Event(), Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Start or go on listening, unless it has stopped."""
        self._needed.set()
        if self._thread is None and not self._stop.is_set():
            self._log.call_on_commit(self._on_commit)
            self._thread = Thread(target=self._run, name="commit-listener", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread soon."""
        self._stop.set()
        self._needed.set()

    def join(self) -> None:
        """Wait until the thread has ended."""
        if self._thread is not None:
            self._thread.join(JOIN_TIMEOUT_S)

    def _run(self) -> None:
        failed = False
        while not self._stop.is_set():
            try:
                self._listen()
                failed = False
            except StoreUnavailable as error:
                if not failed:
                    LOG.warning("event streams look for commits every second: %s", error)
                failed = True
            except Exception:
                LOG.exception("event streams look for commits every second")
                failed = True
            if failed:
                self._on_gap()
                self._stop.wait(RETRY_S)

    def _listen(self) -> None:
        """Tell of commits until nobody needs that; then wait until somebody does."""
        seen = self._log.last_numbers()
        self._on_gap()
        while self._is_needed() and not self._stop.wait(POLL_S):
            seen, changes = self._log.changes(seen, PAGE)
            for game, version in changes:
                self._on_commit(game, version)
        self._needed.clear()
        if not self._is_needed() and not self._stop.is_set():
            self._needed.wait()
