"""Limits on how often one key (an address, a player) may do something, counted per process."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from api.config import Rate

MAX_BUCKETS = 100_000


class LimitReached(Exception):
    """The key has no token left; in `wait_s` whole seconds it has one again."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"try again in {wait_s} s")
        self.wait_s = wait_s


class RateLimiter:
    """Token buckets by key. If there are too many, the least recently used one is dropped."""

    def __init__(self, rate: Rate | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # key -> (tokens left, time)
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> None:
        """Take one token. Raise LimitReached if none is left."""
        self._require(key, cost=1)

    def check(self, key: Hashable) -> None:
        """Raise LimitReached if no token is left, without taking one: `charge` takes it once the cost is known."""
        self._require(key, cost=0)

    def charge(self, key: Hashable) -> None:
        """Take one token even if the balance goes negative: several requests may have passed `check` together."""
        if self._rate is not None:
            with self._lock:
                self._put(key, self._left(key, self._rate) - 1)

    def _require(self, key: Hashable, cost: int) -> None:
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
        while len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
