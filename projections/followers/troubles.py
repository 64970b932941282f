"""Tasks in the background: each in a thread of its own, with the pauses and the lines of the log after a failure."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from domain.store.sql.database import DATABASE_ERRORS, describe_error

REPEAT_S = 60.0
"""The shortest time between two lines about the same trouble."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 10.0


class TroubleLog:
    """The troubles of one task, with the pause before its next attempt, which doubles up to `LONGEST_PAUSE_S`."""

    def __init__(self, logger: logging.Logger, task: str) -> None:
        self._logger, self._task = logger, task
        self._logged_at = 0.0
        self.reason: str | None = None
        """Why the task last failed, or None."""
        self.pause_s = 0.0

    def failed(self, reason: str) -> bool:
        """Note a failure and return whether its reason is new."""
        changed, now = reason != self.reason, monotonic()
        if changed or now - self._logged_at >= REPEAT_S:
            self._logger.warning("%s failed and will be tried again: %s", self._task, reason)
            self._logged_at = now
        self.reason = reason
        self.pause_s = min(LONGEST_PAUSE_S, max(FIRST_PAUSE_S, 2 * self.pause_s))
        return changed

    def succeeded(self) -> bool:
        """Note a success and return whether the task failed before."""
        recovered = self.reason is not None
        if recovered:
            self._logger.warning("%s works again", self._task)
        self.reason, self.pause_s = None, 0.0
        return recovered

    @contextmanager
    def attempt(self, *unavailable: type[Exception]) -> Iterator[None]:
        """Note how the block went, and let no error leave it.

        Errors in `unavailable` say in words why the task can't go on now. An unexpected one is logged with its
        traceback while it is new.
        """
        try:
            yield
        except unavailable as error:
            self.failed(str(error))
        except DATABASE_ERRORS as error:
            self.failed(describe_error(error))
        except Exception as error:
            if self.failed(type(error).__name__):
                self._logger.exception("%s", self._task)
        else:
            self.succeeded()

    def wait(self, stop: threading.Event) -> None:
        """Wait for the time of the next attempt."""
        stop.wait(self.pause_s)


@contextmanager
def background(run: Callable[[threading.Event], object], name: str, timeout_s: float) -> Iterator[None]:
    """Call `run(stop)` in a thread of its own; at the end of the block set `stop`, and wait `timeout_s` at most."""
    stop = threading.Event()
    thread = threading.Thread(target=run, args=(stop,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout_s)
