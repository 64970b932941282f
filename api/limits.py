"""Limits on how often one key (an address, a player) may do something.

All processes of a store share the counts, in `limits.db` or the PostgreSQL schema `limits`.

They protect availability, so a database that fails doesn't refuse anybody: the process then counts in its own memory.
"""

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from math import ceil, floor
from pathlib import Path
from threading import Lock
from typing import TypeVar, cast

from limits import RateLimitItemPerSecond
from limits.errors import StorageError
from limits.storage import MemoryStorage
from limits.storage.base import SlidingWindowCounterSupport, Storage, TimestampedSlidingWindow
from limits.strategies import SlidingWindowCounterRateLimiter

from api.config.limits import Backoff, Rate
from api.monitoring.metrics import LIMITS
from domain.store.held_clock import machine_time
from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Timeouts
from domain.store.sql.database import DATABASE_ERRORS, Database, Schema, describe_error, open_database

COUNTS = Schema("limits", durable=False, lock_id=7_020_023, connections=2)
TABLES = (
    """CREATE {unlogged} TABLE IF NOT EXISTS counts (
        name {text} PRIMARY KEY, count BIGINT NOT NULL, expires BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS counts_by_expiry ON counts (expires)",
)
ADD = """INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET
    count = CASE WHEN counts.expires BETWEEN ? AND ? THEN counts.count + excluded.count ELSE excluded.count END,
    expires = CASE WHEN counts.expires BETWEEN ? AND ? THEN counts.expires ELSE excluded.expires END RETURNING count"""
AHEAD_MS = 60_000
"""How much longer than a new count an old one may last. What lasts longer was counted while the clock was ahead."""
PRUNE_EVERY_S = 60.0
RETRY_AFTER_S = 5.0
OPEN_TIMEOUT_S = 1.0
FILE_TIMEOUTS = Timeouts(lock_s=1)
"""Shorter than those of other files, since a request that gets no count here goes on."""
LOG = logging.getLogger("trickbook.limits")
Answer = TypeVar("Answer")


class DatabaseStorage(Storage, SlidingWindowCounterSupport, TimestampedSlidingWindow):
    """The storage of the library `limits` in one table; `expires` is in UTC milliseconds since 1970.

    Safe for concurrent use by several threads and processes. Methods raise StorageError if the database fails.
    """

    STORAGE_SCHEME = None

    def __init__(self, data: Path | None, url: str | None, clock: Callable[[], float], timeouts: Timeouts) -> None:
        super().__init__(wrap_exceptions=True)
        self._data, self._url = data, url
        self._timeouts = FILE_TIMEOUTS if url is None else timeouts
        self._clock = clock
        self._lock = Lock()
        self._opened: Database | None = None
        self._pruned = clock()

    @property
    def base_exceptions(self) -> tuple[type[Exception], ...]:
        """The errors that the library turns into StorageError."""
        return (*DATABASE_ERRORS, OSError)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to a count and return it. A new count expires after `expiry` seconds."""
        self._prune_sometimes()
        now = self._now_ms()
        until = now + expiry * 1000
        valid = now + 1, until + AHEAD_MS
        return int(self._database.run(ADD, key, amount, until, *valid, *valid)[0][0])

    def get(self, key: str) -> int:
        """Return a count, 0 for an unknown or expired one."""
        rows = self._database.run("SELECT count FROM counts WHERE name = ? AND expires > ?", key, self._now_ms())
        return int(rows[0][0]) if rows else 0

    def get_expiry(self, key: str) -> float:
        """Return when a count expires in seconds since 1970, or the current time for an unknown one."""
        rows = self._database.run("SELECT expires FROM counts WHERE name = ? AND expires > ?", key, self._now_ms())
        return rows[0][0] / 1000 if rows else self._clock()

    def clear(self, key: str) -> None:
        """Forget a count."""
        self._database.run("DELETE FROM counts WHERE name = ?", key)

    def reset(self) -> int | None:
        """Forget every count."""
        self._database.run("DELETE FROM counts")
        return None

    def check(self) -> bool:
        """Return True if the database answers."""
        self._database.run("SELECT count FROM counts LIMIT 1")
        return True

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count `amount` in the current window unless that exceeds the limit, and return whether it was counted."""
        previous, left_s, current, _ = self.get_sliding_window(key, expiry)
        before = previous * left_s / expiry
        if floor(before + current) + amount > limit:
            return False
        _, window = self.sliding_window_keys(key, expiry, self._clock())
        if floor(before + self.incr(window, 2 * expiry, amount)) <= limit:
            return True
        self.incr(window, 2 * expiry, -amount)  # another request was faster
        return False

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """Return the count of the previous window, the seconds for which it still counts, and the current one's."""
        now = self._clock()
        before, window = self.sliding_window_keys(key, expiry, now)
        found: dict[str, int] = dict(
            self._database.run(
                "SELECT name, count FROM counts WHERE name IN (?, ?) AND expires > ?", before, window, self._now_ms()
            )
        )
        left_s = expiry - now % expiry
        return found.get(before, 0), left_s, found.get(window, 0), left_s + expiry

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Forget the counts of both windows."""
        for window in self.sliding_window_keys(key, expiry, self._clock()):
            self.clear(window)

    def close(self) -> None:
        with self._lock:
            if self._opened is not None:
                self._opened.close()

    @property
    def _database(self) -> Database:
        """The database, opened when first needed: a server without limits needs none."""
        if self._opened is None:
            self._open()
        return cast("Database", self._opened)

    def _open(self) -> None:
        if not self._lock.acquire(timeout=OPEN_TIMEOUT_S):
            raise TimeoutError("the database of the limits is being opened")
        try:
            if self._opened is None:
                if self._url is None and self._data is not None and not self._data.is_dir():
                    raise FileNotFoundError(f"the folder {self._data} was moved away")
                database = open_database(COUNTS, self._data, self._url, self._timeouts, machine_time)
                with ExitStack() as closing:
                    closing.callback(database.close)
                    form = {"unlogged": "" if self._url is None else "UNLOGGED", "text": database.dialect.text}
                    database.create_tables(statement.format_map(form) for statement in TABLES)
                    closing.pop_all()
                self._opened = database
        finally:
            self._lock.release()

    def _now_ms(self) -> int:
        return round(self._clock() * 1000)

    def _prune_sometimes(self) -> None:
        if self._clock() - self._pruned >= PRUNE_EVERY_S:
            self._pruned = self._clock()
            self._database.run("DELETE FROM counts WHERE expires <= ?", self._now_ms())


Counts = DatabaseStorage | MemoryStorage


class LimitStorage:
    """The shared counts, and this process's own ones for as long as the shared ones fail."""

    def __init__(
        self,
        data: Path | None,
        url: str | None,
        clock: Callable[[], float] = time.time,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
    ) -> None:
        self.clock = clock
        self._shared = DatabaseStorage(data, url, clock, timeouts)
        self._own: MemoryStorage | None = None
        self._retry_at = 0.0

    def ask(self, question: Callable[[Counts], Answer]) -> Answer:
        """Return `question(storage)`. After a failure the shared counts rest for `RETRY_AFTER_S`."""
        if time.monotonic() >= self._retry_at:
            try:
                return question(self._shared)
            except StorageError as error:
                self._retry_at = time.monotonic() + RETRY_AFTER_S
                reason = describe_error(error.storage_error)
                LOG.warning("limits: this process counts alone for %.0f s: %s", RETRY_AFTER_S, reason)
        if self._own is None:
            self._own = MemoryStorage()
        return question(self._own)

    def close(self) -> None:
        self._shared.close()


@dataclass(frozen=True)
class Quota:
    """The rest that a limit leaves to a key: `left` of `rate.count`, and the seconds until there is more."""

    name: str
    rate: Rate
    left: int
    wait_s: int


QUOTAS: ContextVar[list[Quota] | None] = ContextVar("quotas", default=None)
"""The quotas that the current request was counted in, if anybody asks for them."""


def note_quota(quota: Quota) -> None:
    """Tell the current request what is left, so that its response says so."""
    if (noted := QUOTAS.get()) is not None:
        noted[:] = [*(each for each in noted if each.name != quota.name), quota]


class LimitReached(Exception):
    """The key has reached its limit; after `wait_s` whole seconds it may try again."""

    def __init__(self, wait_s: int, reason: str = "Too many requests") -> None:
        super().__init__(f"{reason}. Try again in {wait_s} s.")
        self.wait_s = wait_s


class RateLimiter:
    """At most `rate.count` in any `rate.window_s` seconds for each key; None means no limit.

    `name` keeps the counts of different limits apart. The window slides: the count of the window before weighs as much
    as it still overlaps.
    """

    def __init__(self, rate: Rate | None, storage: LimitStorage, name: str) -> None:
        self._item = None if rate is None else RateLimitItemPerSecond(rate.count, rate.window_s, namespace=name)
        self._storage = storage

    def take(self, key: str, cost: int = 1, *, told: bool = True) -> None:
        """Count `cost`. Raise LimitReached, without counting, if that goes over the key's limit.

        The response tells what is left, unless the key isn't the caller's own: others may use it, too.
        """
        if self._item is not None:
            self._storage.ask(partial(_require, self._item, key, cost, counted=True, told=told))

    def check(self, key: str) -> None:
        """Raise LimitReached if the key has reached its limit: `charge` counts once the outcome is known."""
        if self._item is not None:
            self._storage.ask(partial(_require, self._item, key, 1, counted=False, told=True))

    def charge(self, key: str) -> None:
        """Count one unless the key has reached its limit."""
        item = self._item
        if item is not None:
            self._storage.ask(lambda counts: SlidingWindowCounterRateLimiter(counts).hit(item, key))


def _require(item: RateLimitItemPerSecond, key: str, cost: int, counts: Counts, *, counted: bool, told: bool) -> None:
    windows = SlidingWindowCounterRateLimiter(counts)
    granted = (windows.hit if counted else windows.test)(item, key, cost=cost)
    previous, left_s, current, _ = counts.get_sliding_window(item.key_for(key), item.get_expiry())
    used = floor(previous * left_s / item.get_expiry() + current)
    wait_s = _wait_s(item, cost, previous, current, left_s)
    if told:
        note_quota(Quota(item.namespace, Rate(item.amount, item.get_expiry()), max(0, item.amount - used), wait_s))
    if not granted:
        LIMITS.labels(item.namespace).inc()
        raise LimitReached(wait_s)


def _wait_s(item: RateLimitItemPerSecond, cost: int, previous: int, current: int, left_s: float) -> int:
    """Return when both windows together have place for `cost` more, in whole seconds, at least 1."""
    free = item.amount - current - cost + 1
    if free <= 0 or not previous:
        return max(1, ceil(left_s))
    return max(1, ceil(left_s - item.get_expiry() * free / previous))


class GuessLimiter:
    """Waits after failures: from the `free`th on a key waits 1 s, then 2 s, 4 s and so on up to `longest_wait_s`.

    An attempt during a wait is refused and doesn't prolong it. So guesses can't keep out the right answer for longer
    than the longest wait.
    """

    def __init__(self, backoff: Backoff | None, storage: LimitStorage, name: str) -> None:
        self._backoff = backoff
        self._storage = storage
        self._name = name

    def begin(self, key: str) -> None:
        """Raise LimitReached during a wait. After it, one attempt goes on and begins the next wait."""
        if self._backoff is not None:
            self._storage.ask(partial(self._begin, self._backoff, key))

    def fail(self, key: str) -> None:
        """Count a failure."""
        if self._backoff is not None:
            self._storage.ask(partial(self._fail, self._backoff, key))

    def succeed(self, key: str) -> None:
        """Forget the failures of a key."""
        if self._backoff is not None:
            self._storage.ask(partial(self._forget, key))

    def _begin(self, backoff: Backoff, key: str, counts: Counts) -> None:
        failures = counts.get(self._failures(key))
        if failures < backoff.free:
            return
        wait_s = min(2 ** min(failures + 1 - backoff.free, 30), backoff.longest_wait_s)
        if counts.incr(self._wait(key), wait_s) > 1:
            LIMITS.labels(self._name).inc()
            ends = counts.get_expiry(self._wait(key))
            raise LimitReached(max(1, ceil(ends - self._storage.clock())), "Too many wrong attempts from your address")

    def _fail(self, backoff: Backoff, key: str, counts: Counts) -> None:
        if counts.incr(self._failures(key), backoff.forget_s) == backoff.free:
            counts.incr(self._wait(key), 1)

    def _forget(self, key: str, counts: Counts) -> None:
        if counts.get(self._failures(key)):
            counts.clear(self._failures(key))
            counts.clear(self._wait(key))

    def _failures(self, key: str) -> str:
        return f"{self._name}/failures/{key}"

    def _wait(self, key: str) -> str:
        return f"{self._name}/wait/{key}"
