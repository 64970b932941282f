"""The check of posted rulebooks: a process of its own plays each, so that it slows nobody down and can't last.

The process runs at the lowest priority. A rulebook that needs more time or memory than it may take is refused.
"""

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from time import monotonic
from typing import Any

from api.container import Services
from api.play.services.server_commands import UNAVAILABLE
from api.tables.stored.rulebooks import RulebookStatus, StoredRulebook
from domain.store.wakeups import Poll
from projections.followers.troubles import TroubleLog

LOG = logging.getLogger("trickbook.rulebooks")
LOOK_S, IDLE_LOOK_S = 1.0, 30.0
"""The pauses between two looks at what waits, after something has happened and at other times."""
CHECK = (sys.executable, "-m", "replay.rulebook_check")
TOO_MUCH = "Its games take too long to play, so no server could check them. Look for hands or games that hardly end."
NOTE_S = 1.0
"""How often the progress is noted."""
MOST_OUTPUT = 8 * 1024 * 1024


class RulebookChecker:
    """Checks rulebooks one after another, until it's stopped. Several processes may each run one."""

    def __init__(self, services: Services) -> None:
        self._books, self._wakeups = services.accounts.rulebooks, services.wakeups

    def run(self, stop: threading.Event) -> None:
        """Look for rulebooks that wait, soon after one was posted."""
        trouble, poll = TroubleLog(LOG, "checking rulebooks"), Poll(self._wakeups, LOOK_S, IDLE_LOOK_S)
        while not poll.wait(stop):
            with trouble.attempt(*UNAVAILABLE):
                while not stop.is_set() and self.run_once(stop):
                    LOG.debug("looking for the next rulebook")

    def run_once(self, stop: threading.Event) -> bool:
        """Check the rulebook that has waited longest, and return whether there was one."""
        waiting = self._books.take_waiting()
        if waiting is not None:
            self._check(waiting, stop)
        return waiting is not None

    def _check(self, rulebook: StoredRulebook, stop: threading.Event) -> None:
        said: dict[str, Any] = {"games": 0}
        noted = monotonic()
        for said in _played(rulebook.rules, stop):
            if "green" not in said and monotonic() - noted >= NOTE_S:
                self._books.note_progress(rulebook.address, said["games"])
                self._wakeups.ring()
                noted = monotonic()
        if stop.is_set():
            return  # another worker checks it once the lease is over
        if "green" not in said:
            said |= {"green": False, "says": TOO_MUCH, "export": None}
        status = RulebookStatus.GREEN if said["green"] else RulebookStatus.REFUSED
        self._books.finish(rulebook.address, status, said["games"], said["says"], said["export"])
        self._wakeups.ring()
        LOG.info("rulebook %s is %s after %d games", rulebook.address, status, said["games"])


def _played(rules: str, stop: threading.Event) -> Iterator[dict[str, Any]]:
    """Yield what the process says, line by line, to its end or until the worker stops."""
    with subprocess.Popen(CHECK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdin is None or process.stdout is None:
                return
            process.stdin.write(rules)
            process.stdin.close()
            while not stop.is_set() and (line := process.stdout.readline(MOST_OUTPUT)):
                yield json.loads(line)
        finally:
            process.kill()
