"""Log lines about work that fails again and again: one at each change, and at most one a minute between."""

import logging
from threading import Event
from time import monotonic

REPEAT_S = 60.0
"""The shortest time between two lines about the same trouble."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 10.0


class TroubleLog:
    """The troubles of one task, with the pause before its next attempt, which doubles up to `LONGEST_PAUSE_S`."""

    def __init__(self, log: logging.Logger, task: str) -> None:
        self._log, self._task = log, task
        self._logged_at = 0.0
        self.reason: str | None = None
        """Why the task last failed, or None."""
        self.pause_s = 0.0

    def failed(self, reason: str) -> bool:
        """Note a failure and return whether its reason is new."""
        changed, now = reason != self.reason, monotonic()
        if changed or now - self._logged_at >= REPEAT_S:
            self._log.warning("%s failed and will be tried again: %s", self._task, reason)
            self._logged_at = now
        self.reason = reason
        self.pause_s = min(LONGEST_PAUSE_S, max(FIRST_PAUSE_S, 2 * self.pause_s))
        return changed

    def succeeded(self) -> bool:
        """Note a success and return whether the task failed before."""
        recovered = self.reason is not None
        if recovered:
            self._log.warning("%s works again", self._task)
        self.reason, self.pause_s = None, 0.0
        return recovered

    def wait(self, stop: Event) -> None:
        """Wait for the time of the next attempt."""
        stop.wait(self.pause_s)
