"""When the loops of a server look at the store again.

A change of the store rings. That wakes the loops of its process, and those of other processes: on PostgreSQL of all
that share the store, by a notification; on SQLite of all in the same server, through sockets in a folder. A loop looks
again after a tenth of the time without a change, so it asks rarely while nothing happens.

A ring may be lost. Then the change is found by looking, soon compared with the time since the one before.

Subscriptions wait for commits alone, and know how far each shard of the log goes (`CommitWatch`).
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from socket import AF_UNIX, MSG_DONTWAIT, SHUT_RDWR, SOCK_DGRAM, socket, socketpair
from threading import Condition, Event, Thread
from time import monotonic
from typing import Protocol

import psycopg

LOG = logging.getLogger("trickbook.followers")
LONGEST_S = 1.0
"""The longest pause by default: how late a change after a quiet time is found if its ring was lost."""
SHARE = 0.1
"""The next pause as a part of the time since the last change."""
SETTLED_S = 5.0
"""How long after a change all that follows from it is done: more than requests have to play on by themselves."""
TELL_S = 0.25
"""The shortest time between two rings in other processes, whose loops look often after the first one."""
SUFFIX = ".bell"
CHANNEL = "trickbook_changes"
CONNECT_TIMEOUT_S, RECONNECT_S = 2, 1.0
LOOK_S, IDLE_LOOK_S = 0.1, 0.3
"""The time between two looks for commits of other processes, and after `BUSY_S` without any commit."""
BUSY_S = 5.0


class Wakeups:
    """The rings of one process. Safe for use by several threads."""

    def __init__(self, timer: Callable[[], float] = monotonic) -> None:
        """`timer` returns seconds."""
        self.timer, self._rung = timer, Condition()
        self._others: _Others | None = None
        self._told_at = -inf
        self.rings = 0
        """How often this process or another one has rung."""
        self._rung_at = timer()

    def join_folder(self, folder: Path, name: str) -> None:
        """Ring in the other processes that join in this folder, and be woken by them."""
        self._others = _Folder(folder, name, self.wake)

    def join_database(self, url: str) -> None:
        """Ring in the other processes that join at this PostgreSQL database, and be woken by them."""
        self._others = _Channel(url, self.wake)

    def close(self) -> None:
        """Be woken by no other process any more."""
        if self._others is not None:
            self._others.close()

    def ring(self) -> None:
        """Say that the store has changed."""
        self.wake()
        if self._others is not None and self.timer() - self._told_at >= TELL_S:
            self._told_at = self.timer()
            self._others.tell()

    def wake(self) -> None:
        """Wake the loops of this process alone, as if the store had changed: they are to stop."""
        with self._rung:
            self.rings += 1
            self._rung_at = self.timer()
            self._rung.notify_all()

    def wait(self, known: int, seconds: float) -> int:
        """Wait until there were other rings than `known`, at most for some seconds, and return how many there were."""
        with self._rung:
            self._rung.wait_for(lambda: self.rings != known, seconds)
            return self.rings

    def has_settled(self) -> bool:
        """Return whether all that follows from the last change is done."""
        return self.quiet_s() >= SETTLED_S

    def quiet_s(self) -> float:
        """Return for how long nobody has rung."""
        return self.timer() - self._rung_at


class _Others(Protocol):
    """A way to other processes. Neither method waits for anything."""

    def tell(self) -> None:
        """Ring in the other processes."""

    def close(self) -> None:
        """End the thread that listens."""


class _Folder:
    """Unix datagram sockets in a folder, one for each process."""

    def __init__(self, folder: Path, name: str, wake: Callable[[], None]) -> None:
        self._path, self._wake, self._own = folder / f"{name}{SUFFIX}", wake, socket(AF_UNIX, SOCK_DGRAM)
        self._closed = False
        self._path.unlink(missing_ok=True)
        self._own.bind(str(self._path))
        Thread(target=self._listen, name="bell", daemon=True).start()

    def tell(self) -> None:
        for path in self._path.parent.glob(f"*{SUFFIX}"):
            if path != self._path:
                with suppress(OSError):  # it has ended, or enough rings wait for it
                    self._own.sendto(b"1", MSG_DONTWAIT, str(path))

    def close(self) -> None:
        self._closed = True
        with suppress(OSError):
            self._own.shutdown(SHUT_RDWR)

    def _listen(self) -> None:
        with self._own:
            while self._own.recv(1) or not self._closed:  # an empty datagram of anybody is a ring, too
                self._wake()


class _Channel:
    """A connection of its own, which listens and notifies outside the transactions of others.

    A transaction that notifies holds a lock of the whole database until it's on disk, so this one doesn't wait for
    the disk.
    """

    def __init__(self, url: str, wake: Callable[[], None]) -> None:
        self._url, self._wake, self._closed = url, wake, Event()
        self._wanted, self._want = socketpair()
        self._want.setblocking(False)
        Thread(target=self._run, name="bell", daemon=True).start()

    def tell(self) -> None:
        with suppress(OSError):  # enough rings wait already
            self._want.send(b"1")

    def close(self) -> None:
        self._closed.set()
        self.tell()

    def _run(self) -> None:
        with self._wanted, self._want:
            self._keep_listening()

    def _keep_listening(self) -> None:
        while not self._closed.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as connection:
                    connection.execute("SET synchronous_commit = off")
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._wake()  # what was missed meanwhile
                    self._listen(connection)
            except (psycopg.Error, OSError) as error:
                LOG.debug("no rings until the database answers: %s", type(error).__name__)
                self._closed.wait(RECONNECT_S)

    def _listen(self, connection: psycopg.Connection[tuple[object, ...]]) -> None:
        own, selector = connection.info.backend_pid, DefaultSelector()
        with selector:
            selector.register(connection, EVENT_READ)
            selector.register(self._wanted, EVENT_READ)
            while not self._closed.is_set():
                ready = {key.fileobj for key, _ in selector.select()}
                if self._wanted in ready and self._wanted.recv(4096) and not self._closed.is_set():
                    connection.execute(f"NOTIFY {CHANNEL}")
                if any(note.pid != own for note in connection.notifies(timeout=0)):
                    self._wake()


class Poll:
    """The pauses of one loop."""

    def __init__(self, wakeups: Wakeups, shortest_s: float, longest_s: float = LONGEST_S) -> None:
        self._wakeups, self._bounds, self._known = wakeups, (shortest_s, longest_s), wakeups.rings
        self._looked_at = -inf

    def pause_s(self) -> float:
        """Return for how long the loop waits now if nobody rings."""
        shortest, longest = self._bounds
        return min(longest, max(shortest, SHARE * self._wakeups.quiet_s()))

    def wait(self, stop: Event, at_most_s: float = inf) -> bool:
        """Wait until it's time to look again, and return whether `stop` is set.

        However often it rings, the shortest pause is between two looks.
        """
        if stop.is_set():
            return True
        now = self._wakeups.timer()
        self._known = self._wakeups.wait(self._known, max(0.0, min(at_most_s, self.pause_s())))
        until = min(self._looked_at + self._bounds[0], now + at_most_s)
        stopped = stop.wait(max(0.0, until - self._wakeups.timer()))
        self._looked_at = self._wakeups.timer()
        return stopped


class CommitWatch:
    """Knows how far each shard of a log goes, and wakes threads that wait for more. `last_ids` asks the database.

    Safe for concurrent use by several threads. `note` and `wake` never wait for the database.
    """

    def __init__(self, last_ids: Callable[[], Sequence[int]]) -> None:
        self._last_ids = last_ids
        self._moved = Condition()
        self._ends = dict[int, int]()
        self._moved_at = self._look_at = -inf
        self.is_closed = False

    def note(self, ends: Iterable[tuple[int, int]]) -> None:
        """Note that shards go on up to these ids, (shard, id) each, and wake all waiting threads."""
        with self._moved:
            for shard, end in ends:
                if end > self._ends.get(shard, 0):
                    self._ends[shard], self._moved_at = end, monotonic()
            self._moved.notify_all()

    def wake(self) -> None:
        """Let all waiting threads ask whether they are stopped."""
        with self._moved:
            self._moved.notify_all()

    def close(self) -> None:
        """End all subscriptions: the log is being closed."""
        self.is_closed = True
        self.wake()

    def pause(self, seconds: float, is_stopped: Callable[[], bool]) -> None:
        """Wait, but no longer than until `is_stopped`."""
        with self._moved:
            self._moved.wait_for(is_stopped, seconds)

    def await_commit(self, after: Mapping[int, int], is_stopped: Callable[[], bool]) -> dict[int, int]:
        """Wait until a shard goes on beyond the id in `after`, and return all such shards with their last known ids.

        Return none once `is_stopped`. Raise the library's errors if it's this thread that looks, and it can't.
        """
        while True:
            with self._moved:
                found = {shard: self._ends[shard] for shard in after if self._ends.get(shard, 0) > after[shard]}
                if found or is_stopped():
                    return found
                pause_s = self._look_at - monotonic()
                if pause_s > 0:
                    self._moved.wait(None if pause_s == inf else pause_s)
                    continue
                self._look_at = inf  # the other threads wait for the result of this look
            self._look()

    def _look(self) -> None:
        try:
            self.note(enumerate(self._last_ids()))
        finally:
            with self._moved:
                now = monotonic()
                self._look_at = now + (LOOK_S if now - self._moved_at < BUSY_S else IDLE_LOOK_S)
                self._moved.notify_all()  # another thread takes the next look, if this one failed or has its row
