"""Group commit: the commands of different games that wait at the same time are stored in one transaction.

A lone command is stored at once. Others that arrive meanwhile wait for it together, and are then stored together.
A round is several calls that take turns in one thread, so that they wait for a commit or for a game together: a call
that would block the thread gives its turn to another one instead. Other threads wait as usual. Code that runs calls in
rounds sets CURRENT_ROUND.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from threading import Event, Lock
from time import perf_counter
from typing import Protocol, TypeVar

from eventsourcing.persistence import IntegrityError, InterfaceError, StoredEvent


def _ignore(_number: float = 1) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class StoreObserver:
    """The functions that the store calls with its figures, from any thread: they return at once, and never fail.

    Each transaction tells its `seconds`, its `commands` and its `events`; each look-up of a game in memory calls
    `found` or `missed`.
    """

    seconds: Callable[[float], object] = _ignore
    commands: Callable[[float], object] = _ignore
    events: Callable[[float], object] = _ignore
    found: Callable[[], object] = _ignore
    missed: Callable[[], object] = _ignore


NO_OBSERVER = StoreObserver()
"""Ignores every report."""


Item = TypeVar("Item")
ITEMS_BETWEEN_PAUSES = 16


class CommitStore(Protocol):
    """A store of commits."""

    def store(self, commits: Sequence["PendingCommit"]) -> None:
        """Store commits in one transaction, if possible. Afterwards each has its ids or its error."""


class PendingCommit:
    """The events of one command on their way to the store, and then their ids or an error."""

    def __init__(self, group: CommitStore, events: Sequence[StoredEvent]) -> None:
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


MOST_AT_ONCE = 128
"""The most commands of one transaction."""


class BatchLog(Protocol):
    """Stores the events of several games in one transaction."""

    def insert_batches(self, batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        """Insert batches as a LogRecorder does."""


class _ThreadCommit(PendingCommit):
    """A commit whose thread waits for it, or must store what waits."""

    def __init__(self, group: "GroupCommit", events: Sequence[StoredEvent]) -> None:
        super().__init__(group, events)
        self.leads = False
        """Whether its thread must store what waits."""
        self.ready = Event()
        """Set once the commit is stored or has failed, or `leads` is set."""


class GroupCommit:
    """Stores commits of different games together. Safe for concurrent use by several threads.

    A commit that conflicts or fails never makes another one fail. The caller holds the lock of its game, so that two
    commits of one game never wait together.
    """

    def __init__(self, log: BatchLog) -> None:
        self._log = log
        self.observer = NO_OBSERVER
        self.error: Exception | None = None
        """The error of the last transaction, or None if it was stored."""
        self._lock = Lock()
        self._waiting: list[_ThreadCommit] = []
        self._storing = False

    def insert(self, events: Sequence[StoredEvent]) -> list[int]:
        """Return the ids of one command's events once they are on disk.

        Raise IntegrityError unless they follow the last event of their game. After a broken connection, that may be so
        because these very events are stored: then look for them in the log.
        """
        current = CURRENT_ROUND.get()
        if current is None:
            return self._lead_or_follow(_ThreadCommit(self, events)).result()
        commit = PendingCommit(self, events)
        current.await_commit(commit)
        return commit.result()

    def store(self, commits: Sequence[PendingCommit]) -> None:
        """Store commits in one transaction; if that fails, each in its own. Their `result` tells what became of them.

        After a failure it doesn't matter whether the transaction was stored: a second attempt is refused then.
        """
        began = perf_counter()
        try:
            stored = self._log.insert_batches([commit.events for commit in commits])
        except Exception as error:  # noqa: BLE001 - each commit's caller gets an error of its own
            self.error = error
            if len(commits) == 1:
                commits[0].error = error
                return
            for commit in commits:
                self.store([commit])
            return
        except BaseException:
            for commit in commits:
                commit.error = InterfaceError("the thread that stored the events was stopped")
            raise
        self.error = None
        self.observer.seconds(perf_counter() - began)
        self.observer.commands(len(commits))
        self.observer.events(sum(len(ids) for ids in stored if ids is not None))
        for commit, ids in zip(commits, stored, strict=True):
            if ids is None:
                commit.error = IntegrityError("the events don't follow the last event of their game")
            else:
                commit.ids = ids

    def _lead_or_follow(self, commit: _ThreadCommit) -> PendingCommit:
        """Store the commit and what else waits, unless another thread stores now: then it's that thread's turn."""
        with self._lock:
            self._waiting.append(commit)
            commit.leads, self._storing = not self._storing, True
        if not commit.leads:
            commit.ready.wait()
        if commit.leads:
            self._store_waiting()
        return commit

    def _store_waiting(self) -> None:
        """Store what waits, then let a thread that came meanwhile do the same."""
        with self._lock:
            commits, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        try:
            self.store(commits)
        finally:
            with self._lock:
                successors = self._waiting[:1]
                self._storing = bool(successors)
            for successor in successors:
                successor.leads = True
            for commit in [*commits, *successors]:
                commit.ready.set()
