"""Limits on how often one key (an address, a player) may do something, counted for all processes of a store."""

from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from math import ceil, floor

from limits import RateLimitItemPerSecond
from limits.strategies import SlidingWindowCounterRateLimiter

from api.config import Backoff, Rate
from api.services.limit_storage import Counts, LimitStorage
from api.services.operations.metrics import LIMITS


@dataclass(frozen=True)
class Quota:
    """What a limit leaves to a key: `left` of `rate.count`, and the seconds until there is more."""

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
