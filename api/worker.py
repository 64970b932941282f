"""What goes on without a request: the projections follow the log, and the house finishes what requests left to it."""

import logging
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from api.services import Services
from domain.game import Corrupt
from domain.store import StoreUnavailable
from projections.databases import RowsUnavailable

LOG = logging.getLogger("trickbook.worker")
EVERY_S = 1.0
REQUESTS_OWN = timedelta(seconds=2)
"""How long a request that brought the house's turn about is left to play on by itself."""
STOPPING_S = 10.0
UNREACHED = (StoreUnavailable, RowsUnavailable)
UNATTENDED = """WHERE status = 'active' AND updated < ? AND NOT EXISTS
    (SELECT 1 FROM {seats} s WHERE s.game = id AND s.kind = 'human' AND s.waiting = 1)"""


class Worker:
    """Runs until told to stop, whatever fails meanwhile; any number of processes may have one."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def run(self, stop: threading.Event) -> None:
        """Follow the log in a thread of its own, and look after the house's games in this one."""
        following = threading.Thread(target=self._services.followers.run, args=(stop,), name="followers", daemon=True)
        following.start()
        while not stop.wait(EVERY_S):
            try:
                self.attend()
            except UNREACHED as error:
                LOG.warning("the house's games could not be looked after: %s", error)
            except Exception:
                LOG.exception("the house's games could not be looked after")
        following.join(STOPPING_S)

    def attend(self, patience: timedelta = REQUESTS_OWN) -> int:
        """Play on every game that has waited that long for the house; how many there were."""
        found = self.unattended(datetime.now(UTC) - patience)
        for game in found:
            try:
                self._play(game)
            except (*UNREACHED, Corrupt) as error:
                LOG.warning("game %s could not be looked after: %s", game, error)
            except Exception:  # one game that cannot be read keeps no other waiting
                LOG.exception("game %s could not be looked after", game)
        return len(found)

    def _play(self, game: str) -> None:
        state = self._services.games.state(game)
        self._services.house.play(state, f"{secrets.token_hex(8)}-{secrets.token_hex(8)}")

    def unattended(self, since: datetime) -> list[str]:
        """The active games in which nobody has been awaited but the house since then."""
        with self._services.rows.reading("lobby") as reading:
            rows = reading.find("games", UNATTENDED, since.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
        return [row["id"] for row in rows]


@contextmanager
def running_worker(services: Services) -> Iterator[Worker]:
    """A worker in a thread, stopped and awaited at the end."""
    worker, stop = Worker(services), threading.Event()
    thread = threading.Thread(target=worker.run, args=(stop,), name="worker", daemon=True)
    thread.start()
    try:
        yield worker
    finally:
        stop.set()
        thread.join(STOPPING_S)
