"""Work in the background, without a request.

The projections follow the log; the clock applies deadlines; the autoplayer continues games that requests left to it;
and receipts are issued for hands and games that ended without one.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from api.receipts.keys import NoSigningKey
from api.services.container import Services
from domain.commands import Tick
from domain.rejections import GameOver
from domain.state import SERVER
from domain.store import RaceLost, StoreUnavailable, utc_now
from domain.store.aggregate import Corrupt
from projections.lists.deadlines import due_games
from projections.storage.rows import RowsUnavailable

LOG = logging.getLogger("trickbook.worker")
INTERVAL_S = 1.0
REQUEST_PATIENCE = timedelta(seconds=2)
"""How long a request has to play on by itself after a move that leads to the autoplayer's turn."""
MAX_DUE_GAMES = 10_000
"""The number of due games that one turn handles: games that finish their last hand stay due meanwhile."""
STOP_TIMEOUT_S = 10.0
UNAVAILABLE = (StoreUnavailable, RowsUnavailable, NoSigningKey)
SELECT_WAITING = """WHERE status = 'active' AND updated < ? AND NOT EXISTS
    (SELECT 1 FROM {seats} s WHERE s.game = id AND s.kind = 'human' AND s.waiting = 1)"""
SELECT_WITH_BOTS = """WHERE status = 'active' AND updated > ? AND updated < ? AND EXISTS
    (SELECT 1 FROM {seats} s WHERE s.game = id AND s.kind <> 'human' AND s.state = 'in') ORDER BY updated LIMIT ?"""
"""Games in which a bot may act outside its turn: no list records votes and calls that are still open."""
MAX_GAMES_WITH_BOTS = 20
"""The number of those games that one turn handles. Each is read from the log once after each change."""


class Worker:
    """Runs until it is stopped, despite errors. Several processes may each run one."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._seen_until = ""
        self._last_positions = (0, 0)

    def run(self, stop: threading.Event) -> None:
        """Follow the log in another thread; in this one, apply deadlines, play waiting games and issue receipts."""
        following = threading.Thread(target=self._services.followers.run, args=(stop,), name="followers", daemon=True)
        following.start()
        while not stop.wait(INTERVAL_S):
            for turn, task in (
                (self.tick, "applying deadlines"),
                (self.play_waiting_games, "autoplay"),
                (self.issue_receipts, "issuing receipts"),
            ):
                try:
                    turn()
                except UNAVAILABLE as error:
                    LOG.warning("%s failed and will be tried again: %s", task, error)
                except Exception:
                    LOG.exception("%s failed and will be tried again", task)
        following.join(STOP_TIMEOUT_S)

    def tick(self) -> int:
        """Send `Tick` to every game with a passed deadline; return their number. An early `Tick` records nothing."""
        with self._services.rows.snapshot("agenda") as reading:
            games = due_games(reading, utc_now(), MAX_DUE_GAMES)
        return self._each(games, self._tick)

    def _tick(self, game: str) -> None:
        """Send one `Tick`. If it changed the game, the autoplayer plays on at once."""
        command_id = _new_command_id()
        try:
            commit = self._services.games.act(game, Tick(), by=SERVER, command_id=command_id)
        except GameOver:  # another worker was faster, and the list of deadlines is behind
            LOG.debug("game %s was over already", game)
            return
        if commit.entries:
            self._services.autoplayer.play(commit.state, command_id)

    def play_waiting_games(self, patience: timedelta = REQUEST_PATIENCE) -> int:
        """Play on in every game that has waited for the autoplayer for `patience`; return how many waited only for it.

        Also look for bots' votes and calls outside their turn, starting with the game that changed longest ago: a
        server may have been stopped between a call of delay and its votes.
        """
        since = datetime.now(UTC) - patience
        self._each(self._games_with_bots(since), lambda game: self._play(game, since))
        return self._each(self.waiting_games(since), lambda game: self._play(game, since))

    def _games_with_bots(self, since: datetime) -> list[str]:
        """Return the next games with bots that weren't looked at since they changed."""
        with self._services.rows.snapshot("lobby") as reading:
            rows = reading.find("games", SELECT_WITH_BOTS, self._seen_until, _event_time(since), MAX_GAMES_WITH_BOTS)
        self._seen_until = rows[-1]["updated"] if rows else self._seen_until
        return [row["id"] for row in rows]

    def issue_receipts(self) -> int:
        """Issue the missing receipts of hands and games that have ended, and return their number.

        Events stored since the turn before last are left to the requests that stored them.
        """
        upto = self._last_positions[0]
        self._last_positions = (self._last_positions[1], self._services.games.last_position())
        return self._services.receipts.issue_missing(upto)

    def _each(self, games: Collection[str], handle: Callable[[str], None]) -> int:
        for game in games:
            try:
                handle(game)
            except (*UNAVAILABLE, Corrupt, RaceLost) as error:
                LOG.warning("game %s failed and will be tried again: %s", game, error)
            except Exception:  # one unreadable game must not block the others
                LOG.exception("game %s failed and will be tried again", game)
        return len(games)

    def _play(self, game: str, since: datetime) -> None:
        """Play on unless the game has changed since: then its latest request still plays on by itself."""
        state = self._services.games.state(game)
        if state.at <= _event_time(since):
            self._services.autoplayer.play(state, _new_command_id())

    def waiting_games(self, since: datetime) -> list[str]:
        """Return the active games that have waited only for the autoplayer since then."""
        with self._services.rows.snapshot("lobby") as reading:
            rows = reading.find("games", SELECT_WAITING, _event_time(since))
        return [row["id"] for row in rows]


def _event_time(time: datetime) -> str:
    """Return a time in the format of events."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _new_command_id() -> str:
    """Return an id for a command without a request."""
    return f"{secrets.token_hex(8)}-{secrets.token_hex(8)}"


@contextmanager
def running_worker(services: Services) -> Iterator[Worker]:
    """Run a worker in a thread; stop it and wait for it at the end."""
    worker, stop = Worker(services), threading.Event()
    thread = threading.Thread(target=worker.run, args=(stop,), name="worker", daemon=True)
    thread.start()
    try:
        yield worker
    finally:
        stop.set()
        thread.join(STOP_TIMEOUT_S)
