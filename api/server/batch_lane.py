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
from time import perf_counter
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

from api.server.fair_queue import Admission, Client, FairQueue, LaneFull
from domain.store.group_commit import CURRENT_ROUND, CommitStore, PendingCommit, RoundLock

Result = TypeVar("Result")
LOG = logging.getLogger("trickbook.lanes")
STARTED_AT_ONCE = 32
"""The most turns before the next commit, so that it doesn't wait for a long queue."""
TURN_S = 0.001
"""How long a call has its turn before it lets others have theirs, where it can."""
BATCH_S = 0.001
"""How long one address delays the answers and commits of another."""


class _Call:
    """A call, and then its result or error."""

    def __init__(self, client: Client, function: Callable[[], Any], future: "asyncio.Future[Any]") -> None:
        self.client, self.function, self.future = client, function, future
        self.result: Any = None
        self.error: BaseException | None = None
        self._unclaimed = [True]

    def claim(self) -> bool:
        """Return True once: to the lane that makes the call, or to the client that drops it."""
        try:
            return self._unclaimed.pop()  # one step, whichever thread comes first
        except IndexError:
            return False

    def drop(self) -> bool:
        """Refuse the call in the event loop, and return whether that was possible: it hasn't begun."""
        if self.future.done() or not self.claim():
            return False
        self.future.set_exception(LaneFull())
        return True


class _Turn(greenlet):
    """The stack of a call that has begun."""

    client: Client


class BatchLane:
    """Runs calls in one thread, so that each client gets the same time, while up to `places` run or wait.

    A call that waits for a commit or for a game gives its turn to others (`domain.store.group_commit`), and so does one
    that reads a long game. Any other wait stops the lane. One address gets at most half of the places.
    """

    def __init__(self, name: str, places: int, batch_s: float = BATCH_S) -> None:
        self._admission, self._batch_s = Admission(places, max(1, places // 2)), batch_s
        self._arrived: SimpleQueue[_Call | RoundLock | None] = SimpleQueue()
        self._ready = FairQueue[_Call | _Turn](len(Client._fields), 0.0)
        self._blocked: defaultdict[RoundLock, deque[_Turn]] = defaultdict(deque)
        self._commits: list[tuple[PendingCommit, _Turn]] = []
        self._finished: list[_Call] = []
        self._closed = False
        self._scheduler = getcurrent()
        """Belongs to the lane's thread once that runs."""
        self._current = _Turn()
        self._began = 0.0
        """When the current turn began."""
        Thread(target=self._run, name=name, daemon=True).start()

    async def run(self, client: Client, call: Callable[[], Result]) -> Result:
        """Return the result of `call`, made in the lane's thread. Raise LaneFull or ShareTaken if too many wait."""
        made = _Call(client, call, asyncio.get_running_loop().create_future())
        with self._admission.place(client, made.drop):
            self._arrived.put(made)
            result: Result = await made.future
            return result

    def close(self) -> None:
        """End the lane's thread, once no call runs or waits any more."""
        self._arrived.put(None)

    def await_commit(self, commit: PendingCommit) -> None:
        """Give the turn to other calls until the commit is stored or has failed."""
        self._commits.append((commit, self._current))
        self._scheduler.switch()

    def await_lock(self, lock: RoundLock) -> None:
        """Give the turn to other calls until this one has the lock."""
        lock.call_on_release(self._arrived.put)  # before the try: a release in between isn't missed
        if not lock.try_acquire():
            self._blocked[lock].append(self._current)
            self._scheduler.switch()

    def pause(self) -> None:
        """Give the turn to other calls if this one has had it for `TURN_S`."""
        if perf_counter() - self._began > TURN_S:
            self._ready.put(self._current.client, self._current)
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
            self._deliver()
            if not (self._ready or self._commits):
                self._sort(self._arrived.get())
            self._take_batch()
            if self._commits:
                self._deliver()
                self._store()

    def _take_batch(self) -> None:
        """Give turns to as many calls as go on before the next commit."""
        used = defaultdict[str, float](float, {turn.client.address: 0.0 for _, turn in self._commits})
        self._receive()
        for _ in range(STARTED_AT_ONCE):
            if not self._ready or (len(used) > 1 and used[self._ready.next_name()] > self._batch_s):
                return
            address, began = self._ready.next_name(), perf_counter()
            self._go_on(self._ready.take())
            used[address] += perf_counter() - began
            self._receive()

    def _receive(self) -> None:
        with suppress(Empty):
            while True:
                self._sort(self._arrived.get_nowait())

    def _sort(self, arrived: _Call | RoundLock | None) -> None:
        """Let a call wait for its turn, or the calls go on that wait for a lock."""
        if arrived is None:
            self._closed = True
        elif isinstance(arrived, RoundLock):
            self._pass_on(arrived)
        else:
            self._ready.put(arrived.client, arrived)

    def _go_on(self, ready: _Call | _Turn) -> None:
        if isinstance(ready, _Turn):
            self._switch_to(ready)
        elif not ready.future.cancelled() and ready.claim():
            turn = _Turn(self._answer)
            turn.client = ready.client
            self._switch_to(turn, ready)

    def _switch_to(self, turn: _Turn, *call: _Call) -> None:
        """Give a call its turn, and charge its client for the time."""
        self._current, self._began = turn, perf_counter()
        turn.switch(*call)
        self._ready.charge(turn.client, perf_counter() - self._began)

    def _pass_on(self, lock: RoundLock) -> None:
        waiting = self._blocked[lock]
        while waiting:
            if not lock.try_acquire():
                lock.call_on_release(self._arrived.put)
                if not lock.try_acquire():
                    return
            self._switch_to(waiting.popleft())
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
        by_group: defaultdict[CommitStore, list[PendingCommit]] = defaultdict(list)
        for commit, _ in commits:
            by_group[commit.group].append(commit)
        for group, together in by_group.items():
            group.store(together)  # in this thread: a second one would fight it for the interpreter at each statement
        for _, waiting in commits:
            self._switch_to(waiting)

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
