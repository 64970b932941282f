"""Time limits of databases, and a breaker: while a database is known not to answer, only one caller waits for it.

Without the breaker, every request would wait for its own time-out, and the requests behind them for many.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import monotonic

RETRY_S = 0.8
"""Seconds after a time-out until a caller may try again: by then, those who waited behind it have gone."""
TRY_S = 10.0
"""Seconds after which a caller that tries and reports nothing doesn't keep others from trying."""


@dataclass(frozen=True)
class Timeouts:
    """Whole seconds: for a connection, for a lock (of PostgreSQL or of an SQLite file), and for a statement."""

    connect_s: int = 2
    lock_s: int = 2
    statement_s: int = 3


REFUSAL = "It didn't answer in time a moment ago."
DEFAULT_TIMEOUTS = Timeouts()


class Breaker:
    """The keys, such as a statement or a database, that didn't answer in time.

    After a pause, one caller at a time tries each again. Safe for concurrent use by several threads.
    """

    def __init__(self) -> None:
        self._refused_until: dict[object, float] = {}
        self._trips = Counter[object]()
        self._lock = Lock()

    @contextmanager
    def attempt(
        self, key: object, is_timeout: Callable[[Exception], bool], refusal: Callable[[str], Exception]
    ) -> Iterator[None]:
        """Run the block, and learn from what it raises whether the key answers.

        Raise `refusal` at once if the key didn't answer a moment ago, or another caller is trying it.
        """
        if not self._admit(key):
            raise refusal(REFUSAL)
        try:
            yield
        except Exception as error:
            if is_timeout(error):
                self._trip(key)
            else:
                self.reset(key)
            raise
        self.reset(key)

    def trips(self, key: object) -> int:
        """Return how often the key's answers have stopped, so that a thread notices what another one found out."""
        return self._trips[key]

    def is_tripped(self, key: object) -> bool:
        """Return whether the key hasn't answered since a caller waited in vain."""
        return key in self._refused_until

    def reset(self, key: object) -> None:
        """Admit everybody, since a caller got an answer."""
        if self._refused_until:
            with self._lock:
                self._refused_until.pop(key, None)

    def _admit(self, key: object) -> bool:
        if not self._refused_until:
            return True
        with self._lock:
            now, refused_until = monotonic(), self._refused_until.get(key)
            if refused_until is not None and now < refused_until:
                return False
            if refused_until is not None:
                self._refused_until[key] = now + TRY_S
            return True

    def _trip(self, key: object) -> None:
        with self._lock:
            self._trips[key] += key not in self._refused_until
            self._refused_until[key] = monotonic() + RETRY_S
