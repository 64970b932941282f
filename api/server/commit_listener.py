"""The listeners of a process on the log, the inboxes and checks of rulebooks, which tell the event streams what is new.

Commits of this process arrive with a call. For those of others, the listener asks for the last numbers of the log, at
once if another process rings.

The worker writes the entries, on whichever node: so the listener asks how far the inboxes are, at once if another
process rings. If that has changed, it asks for the last numbers of those that are followed.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from threading import Event, Thread

from api.play.services.event_stream import Cursor
from domain.store import Games, StoreUnavailable
from domain.store.wakeups import Poll, Wakeups
from projections.lists.inbox_pages import inbox_heads, inbox_state
from projections.storage.rows import RowSnapshot, RowStore, RowsUnavailable

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


INBOX_POLL_S = 0.05


class InboxListener(PollingListener):
    """Calls `on_entries({player: head})` when inboxes may have new entries. `players()` are those who are followed."""

    def __init__(
        self,
        rows: RowStore,
        on_entries: Callable[[dict[str, Cursor]], None],
        on_gap: Callable[[], None],
        players: Callable[[], Collection[str]],
        wakeups: Wakeups,
    ) -> None:
        super().__init__("inbox-listener", on_gap, lambda: bool(players()), wakeups, INBOX_POLL_S)
        self._rows, self._on_entries, self._players = rows, on_entries, players

    def _listen(self) -> None:
        seen: object = None
        self._on_gap()
        while self._is_needed() and not self._poll.wait(self._stop):
            with self._rows.snapshot("inbox") as reading:
                state = inbox_state(reading)
                if state != seen:
                    if seen is not None:
                        self._wakeups.wake()
                    seen = state
                    self._on_entries(_heads(reading, list(self._players())))


def _heads(reading: RowSnapshot, players: list[str]) -> dict[str, Cursor]:
    return {player: (reading.generation, last) for player, last in inbox_heads(reading, players).items()}


RULEBOOK_POLL_S = 0.25


class RulebookListener(PollingListener):
    """Calls `on_check()` when the check of a rulebook may have gone on. Nothing says which: their streams look."""

    def __init__(self, on_check: Callable[[], None], is_needed: Callable[[], bool], wakeups: Wakeups) -> None:
        super().__init__("rulebook-listener", on_check, is_needed, wakeups, RULEBOOK_POLL_S)

    def _listen(self) -> None:
        self._on_gap()
        while self._is_needed() and not self._poll.wait(self._stop):
            self._on_gap()
