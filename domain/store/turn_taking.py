"""Rounds: several calls that take turns in one thread, so that they wait for a commit or for a game together.

A call that would block the thread gives its turn to another one instead. Other threads wait as usual. Code that runs
calls in rounds sets CURRENT_ROUND; here is the part that the store needs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from contextvars import ContextVar
from itertools import count
from threading import Lock
from typing import Protocol, TypeVar

from eventsourcing.persistence import StoredEvent

Item = TypeVar("Item")
ITEMS_BETWEEN_PAUSES = 16


class CommitGroup(Protocol):
    """A store of commits."""

    def store(self, commits: Sequence["PendingCommit"]) -> None:
        """Store commits in one transaction, if possible. Afterwards each has its ids or its error."""


class PendingCommit:
    """The events of one command on their way to the store, and then their ids or an error."""

    def __init__(self, group: CommitGroup, events: Sequence[StoredEvent]) -> None:
        self.group, self.events = group, events
        self.ids: list[int] = []
        self.error: Exception | None = None

    def result(self) -> list[int]:
        """Return the ids of the events. Raise the error of this commit, whatever became of others."""
        if self.error is not None:
            raise self.error
        return self.ids


class Round(Protocol):
    """Calls that take turns in one thread."""

    def await_commit(self, commit: PendingCommit) -> None:
        """Give the turn to other calls until the commit is stored or has failed."""

    def await_lock(self, lock: "RoundLock") -> None:
        """Give the turn to other calls until this one has the lock."""

    def pause(self) -> None:
        """Give the turn to other calls if this one has had it for long."""


CURRENT_ROUND: ContextVar[Round | None] = ContextVar("current_round", default=None)
"""The round of the call that runs in this context; None in a thread that may block."""


def with_pauses(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items, such as the events of a long game; a call of a round lets others have their turns in between.

    Meanwhile the call may hold a RoundLock, but no other lock and no connection to a database.
    """
    current = CURRENT_ROUND.get()
    if current is None:
        yield from items
        return
    for number, item in zip(count(1), items, strict=False):
        yield item
        if not number % ITEMS_BETWEEN_PAUSES:
            current.pause()


class RoundLock:
    """A lock, which a call of a round keeps while others have their turns."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._on_release: list[Callable[[RoundLock], None]] = []

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            current = CURRENT_ROUND.get()
            if current is None:
                self._lock.acquire()
            else:
                current.await_lock(self)

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        with suppress(IndexError):
            while self._on_release:
                self._on_release.pop()(self)

    def try_acquire(self) -> bool:
        """Take the lock if it's free, and return whether it was."""
        return self._lock.acquire(blocking=False)

    def call_on_release(self, callback: Callable[["RoundLock"], None]) -> None:
        """Call back once, in the thread that releases the lock next, however often this is asked for until then.

        Call this before the last `try_acquire`.
        """
        if callback not in self._on_release:
            self._on_release.append(callback)
