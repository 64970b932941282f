"""What goes on without a request.

The projections follow the log, the clock brings about what falls due, the house finishes what requests left to it, and
receipts are given for what ended without them.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from api.receipts.keys import NoKey
from api.services.container import Services
from domain.commands import Tick
from domain.rejections import GameOver
from domain.state import SERVER
from domain.store import RaceLost, StoreUnavailable, utc_now
from domain.store.aggregate import Corrupt
from projections.lists.deadlines import due_games
from projections.storage.rows import RowsUnavailable

LOG = logging.getLogger("trickbook.worker")
EVERY_S = 1.0
REQUESTS_OWN = timedelta(seconds=2)
"""How long a request that brought the house's turn about is left to play on by itself."""
DUE_AT_ONCE = 10_000
"""Games the clock looks at in one turn, at most: those that play their last hand out stay due meanwhile."""
STOPPING_S = 10.0
UNREACHED = (StoreUnavailable, RowsUnavailable, NoKey)
UNATTENDED = """WHERE status = 'active' AND updated < ? AND NOT EXISTS
    (SELECT 1 FROM {seats} s WHERE s.game = id AND s.kind = 'human' AND s.waiting = 1)"""
PERHAPS = """WHERE status = 'active' AND updated > ? AND updated < ? AND EXISTS
    (SELECT 1 FROM {seats} s WHERE s.game = id AND s.kind <> 'human' AND s.state = 'in') ORDER BY updated LIMIT ?"""
"""Games in which a bot may have something to do beside the turn: no list tells who has a vote or a call."""
PERHAPS_AT_ONCE = 20
"""Of these, each read from the log once after whatever happens in it, so many are looked at in one turn."""


class Worker:
    """Runs until told to stop, whatever fails meanwhile; any number of processes may have one."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._looked_at = ""
        self._stood = (0, 0)

    def run(self, stop: threading.Event) -> None:
        """Follow the log in a thread of its own; be the clock, and look after the house's games, in this one."""
        following = threading.Thread(target=self._services.followers.run, args=(stop,), name="followers", daemon=True)
        following.start()
        while not stop.wait(EVERY_S):
            for turn, of in (
                (self.tick, "games in which something is due"),
                (self.attend, "the house's games"),
                (self.certify, "receipts"),
            ):
                try:
                    turn()
                except UNREACHED as error:
                    LOG.warning("%s could not be looked after: %s", of, error)
                except Exception:
                    LOG.exception("%s could not be looked after", of)
        following.join(STOPPING_S)

    def tick(self) -> int:
        """Let every game in which something is due hear the clock; how many there were. What is not makes no facts."""
        with self._services.rows.snapshot("agenda") as reading:
            found = due_games(reading, utc_now(), DUE_AT_ONCE)
        return self._each(found, self._tick)

    def _tick(self, game: str) -> None:
        """Once; where somebody is out of time, or a hand was dealt, the house plays on in the same turn."""
        asked = _unasked()
        try:
            heard = self._services.games.act(game, Tick(), by=SERVER, command_id=asked)
        except GameOver:  # another clock was faster, and the agenda does not know yet
            LOG.debug("game %s was over already", game)
            return
        if heard.entries:
            self._services.house.play(heard.state, asked)

    def attend(self, patience: timedelta = REQUESTS_OWN) -> int:
        """Play on every game that has waited that long for the house; how many waited for nobody else.

        Bots' votes and calls beside the turn are looked for too, from the game that changed longest ago on: a server
        may have been stopped between a call of delay and its votes.
        """
        since = datetime.now(UTC) - patience
        self._each(self._perhaps(since), lambda game: self._play(game, since))
        return self._each(self.unattended(since), lambda game: self._play(game, since))

    def _perhaps(self, since: datetime) -> list[str]:
        """The next games with bots that have not been looked at since they changed."""
        with self._services.rows.snapshot("lobby") as reading:
            rows = reading.find("games", PERHAPS, self._looked_at, _written(since), PERHAPS_AT_ONCE)
        self._looked_at = rows[-1]["updated"] if rows else self._looked_at
        return [row["id"] for row in rows]

    def certify(self) -> int:
        """Give the receipts of hands and games that ended without a request that took one; how many.

        What was stored since the turn before last is left to the requests that stored it.
        """
        upto = self._stood[0]
        self._stood = (self._stood[1], self._services.games.last_position())
        return self._services.receipts.catch_up(upto)

    def _each(self, found: Collection[str], look_after: Callable[[str], None]) -> int:
        for game in found:
            try:
                look_after(game)
            except (*UNREACHED, Corrupt, RaceLost) as error:
                LOG.warning("game %s could not be looked after: %s", game, error)
            except Exception:  # one game that cannot be read keeps no other waiting
                LOG.exception("game %s could not be looked after", game)
        return len(found)

    def _play(self, game: str, since: datetime) -> None:
        """Play on, but where something has happened that the lists do not know yet: that is still its request's own."""
        state = self._services.games.state(game)
        if state.at <= _written(since):
            self._services.house.play(state, _unasked())

    def unattended(self, since: datetime) -> list[str]:
        """The active games in which nobody has been awaited but the house since then."""
        with self._services.rows.snapshot("lobby") as reading:
            rows = reading.find("games", UNATTENDED, _written(since))
        return [row["id"] for row in rows]


def _written(time: datetime) -> str:
    """As events write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _unasked() -> str:
    """The id of a command that no request brought about."""
    return f"{secrets.token_hex(8)}-{secrets.token_hex(8)}"


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
