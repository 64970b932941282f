"""Limits on how often one key (an address, a player) may do something, counted in this process."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from api.config import Rate

BUCKETS = 100_000


class LimitReached(Exception):
    """The key has no token left; `wait_s` whole seconds until it has one again."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"try again in {wait_s} s")
        self.wait_s = wait_s


class RateLimiter:
    """Token buckets by key, in this process; the least used is forgotten when there are too many."""

    def __init__(self, rate: Rate | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # key -> (left, when)
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> None:
        """Take one token; 429 with Retry-After when there is none."""
        self._ask(key, cost=1)

    def ask(self, key: Hashable) -> None:
        """The same, but the token stays: who has asked is charged where it turns out that something is to be paid."""
        self._ask(key, cost=0)

    def charge(self, key: Hashable) -> None:
        """One token less, though it leave a debt: many may have asked at once."""
        if self._rate is not None:
            with self._lock:
                self._put(key, self._left(key, self._rate) - 1)

    def _ask(self, key: Hashable, cost: int) -> None:
        if self._rate is None:
            return
        with self._lock:
            left = self._left(key, self._rate)
            if left >= 1 and cost:
                self._put(key, left - cost)
        if left < 1:
            wait = max(1, round((1 - left) * self._rate.every_s + 0.5))
            raise LimitReached(wait)

    def _left(self, key: Hashable, rate: Rate) -> float:
        left, when = self._buckets.get(key, (float(rate.burst), self._clock()))
        return min(float(rate.burst), left + (self._clock() - when) / rate.every_s)

    def _put(self, key: Hashable, left: float) -> None:
        self._buckets[key] = (left, self._clock())
        self._buckets.move_to_end(key)
        while len(self._buckets) > BUCKETS:
            self._buckets.popitem(last=False)
