"""A lane whose calls take turns in one thread and share the transactions of the log.

Threads that wait for the disk at the same time would let commands share a transaction, too. But they fight for the
interpreter: with four threads, Flask made fewer moves than with one. So each call has a greenlet, a stack of its own
that waits without a thread.
"""

import asyncio
import logging
import os
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

from api.server.thread_lane import Admission
from domain.store.rounds import CURRENT_ROUND, CommitGroup, PendingCommit, RoundLock

Result = TypeVar("Result")
LOG = logging.getLogger("trickbook.lanes")
STARTED_AT_ONCE = 32
"""The most calls that start before the next commit, so that it doesn't wait for a long queue."""


class _Call:
    """A call, and then its result or error."""

    def __init__(self, function: Callable[[], Any], future: "asyncio.Future[Any]") -> None:
        self.function, self.future = function, future
        self.result: Any = None
        self.error: BaseException | None = None


class BatchLane:
    """Runs calls in one thread, first come, first served, while up to `places` run or wait.

    A call that waits for a commit or for a game gives its turn to others (`domain.store.rounds`). Any other wait stops
    the lane. One client gets at most half of the places.
    """

    def __init__(self, name: str, places: int) -> None:
        self._admission = Admission(places, max(1, places // 2))
        self._arrived: SimpleQueue[_Call | RoundLock | None] = SimpleQueue()
        self._blocked: defaultdict[RoundLock, deque[greenlet]] = defaultdict(deque)
        self._commits: list[tuple[PendingCommit, greenlet]] = []
        self._finished: list[_Call] = []
        self._closed = False
        self._scheduler = getcurrent()
        """Belongs to the lane's thread once that runs."""
        Thread(target=self._run, name=name, daemon=True).start()

    async def run(self, client: str, call: Callable[[], Result]) -> Result:
        """Return the result of `call`, made in the lane's thread. Raise LaneFull or ShareTaken if too many wait."""
        self._admission.enter(client)
        try:
            future = asyncio.get_running_loop().create_future()
            self._arrived.put(_Call(call, future))
            result: Result = await future
            return result
        finally:
            self._admission.leave(client)

    def close(self) -> None:
        """End the lane's thread, once no call runs or waits any more."""
        self._arrived.put(None)

    def await_commit(self, commit: PendingCommit) -> None:
        """Give the turn to other calls until the commit is stored or has failed."""
        self._commits.append((commit, getcurrent()))
        self._scheduler.switch()

    def await_lock(self, lock: RoundLock) -> None:
        """Give the turn to other calls until this one has the lock."""
        lock.call_on_release(self._arrived.put)
        if not lock.try_acquire():
            self._blocked[lock].append(getcurrent())
            self._scheduler.switch()

    def _run(self) -> None:
        """Take turns. If that fails, end this process, since no request would get an answer any more."""
        try:
            self._take_turns()
        except BaseException:
            LOG.exception("the lane for moves and views failed; ending this process")
            os._exit(1)

    def _take_turns(self) -> None:
        self._scheduler = getcurrent()
        while not self._closed:
            if not self._commits:
                self._deliver()
                self._go_on(self._arrived.get())
            with suppress(Empty):
                for _ in range(STARTED_AT_ONCE):
                    self._go_on(self._arrived.get_nowait())
            if self._commits:
                self._deliver()
                self._store()

    def _go_on(self, arrived: _Call | RoundLock | None) -> None:
        """Start a call, or let the calls go on that wait for a lock."""
        if arrived is None:
            self._closed = True
        elif isinstance(arrived, RoundLock):
            self._pass_on(arrived)
        elif not arrived.future.cancelled():
            greenlet(self._answer).switch(arrived)

    def _pass_on(self, lock: RoundLock) -> None:
        waiting = self._blocked[lock]
        while waiting:
            if not lock.try_acquire():
                lock.call_on_release(self._arrived.put)
                if not lock.try_acquire():
                    return
            waiting.popleft().switch()
        del self._blocked[lock]

    def _answer(self, call: _Call) -> None:
        """Make a call, in a greenlet and a context of its own."""
        CURRENT_ROUND.set(self)
        try:
            call.result = call.function()
        except BaseException as error:  # noqa: BLE001 - it's raised where the result is awaited
            call.error = error
        self._finished.append(call)

    def _store(self) -> None:
        """Store the commits that wait, in one transaction for each log, and let their calls go on."""
        commits, self._commits = self._commits, []
        by_group: defaultdict[CommitGroup, list[PendingCommit]] = defaultdict(list)
        for commit, _ in commits:
            by_group[commit.group].append(commit)
        for group, together in by_group.items():
            group.store(together)
        for _, waiting in commits:
            waiting.switch()

    def _deliver(self) -> None:
        """Hand the results to the event loop, all at once: each wake-up of the loop costs time."""
        finished, self._finished = self._finished, []
        if finished:
            with suppress(RuntimeError):  # the loop is closed
                finished[0].future.get_loop().call_soon_threadsafe(_set_results, finished)


def _set_results(finished: list[_Call]) -> None:
    for each in finished:
        if each.future.done():  # the request was cancelled
            continue
        if each.error is None:
            each.future.set_result(each.result)
        else:
            each.future.set_exception(each.error)
