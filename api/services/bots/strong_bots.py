"""Plays for strong bots in the heavy lane, on a fixed tick.

In one tick a bot thinks, and at the beginning of the next its move is committed, forced or not: how long it thought
doesn't show. Answers to moves don't wait for it. Its command's id follows from the game and the version, so two
processes that think of the same move commit it once, and one that was killed between the two ticks chooses it again.
"""

import hashlib
import hmac
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from api.services.autoplay import is_quick, seats_to_play
from api.services.bots.choices import think_for_bot
from api.services.container import Services
from api.services.failing_games import UNAVAILABLE, FailingGames
from domain.commands import SeatCommand
from domain.engine.paces import EVENT_TIME
from domain.rejections import Rejected
from domain.store import ClockHeld, NoSuchGame, StaleVersion
from projections.bots import worlds_of
from projections.followers.troubles import TroubleLog
from projections.lists.lobby_pages import idle_games

LOG = logging.getLogger("trickbook.bots")
TICK_S, STOP_TIMEOUT_S = 0.5, 10.0
MAX_GAMES = 50
"""How many games one tick thinks about; the others wait for the next."""


class Ready(NamedTuple):
    """A move that waits for the next tick."""

    version: int
    player: str
    move: SeatCommand


class StrongBots:
    """Plays for the strong bots of all games, until it's stopped. Several processes may each run one."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._failing = FailingGames(services.rows)
        self.ready: dict[str, Ready] = {}
        self._played: list[str] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        """Play in a thread of its own; stop it at the end."""
        stop = threading.Event()
        playing = threading.Thread(target=self.run, args=(stop,), name="strong-bots", daemon=True)
        playing.start()
        try:
            yield
        finally:
            stop.set()
            playing.join(STOP_TIMEOUT_S)

    def run(self, stop: threading.Event) -> None:
        """Tick until `stop`, despite errors."""
        trouble = TroubleLog(LOG, "strong bots")
        while not stop.wait(TICK_S):
            with trouble.attempt(*UNAVAILABLE):
                self.tick()

    def tick(self) -> int:
        """Commit the moves of the last tick, then think of the next ones; return how many were committed."""
        ready, self.ready, self._played = self.ready, {}, []
        self._failing.each(list(ready), lambda game: self._commit(game, ready[game]))
        committed = len(self._played)
        self._failing.each(list(dict.fromkeys([*self._played, *self._waiting()]))[:MAX_GAMES], self._think)
        return committed

    def _waiting(self) -> list[str]:
        with self._services.rows.snapshot("lobby") as reading:
            now = datetime.fromisoformat(self._services.clock.now()).strftime(EVENT_TIME)
            return idle_games(reading, now, MAX_GAMES)

    def _think(self, game: str) -> None:
        state = self._services.games.state(game)
        seat = next((seat for seat in seats_to_play(state) if not is_quick(state, seat)), None)
        if seat is None:
            return
        player = state.seats[seat]
        thought = think_for_bot(self._services, state, seat, worlds_of(player.bot) or 1)
        if thought is not None:
            self.ready[game] = Ready(state.version, player.player, thought.move)

    def _commit(self, game: str, ready: Ready) -> None:
        command_id = _command_id(self._services.secret, game, ready.version)
        try:
            commit = self._services.games.act(
                game, ready.move, by=ready.player, command_id=command_id, if_match=ready.version
            )
        except (StaleVersion, ClockHeld, NoSuchGame):
            LOG.debug("game %s has gone on, or waits", game)
            return
        except Rejected as refusal:  # the bot's fault; its cards stay out of the log
            LOG.warning("the strong bot in game %s: %s", game, refusal.code)
            raise
        self._played.append(game)
        self._services.autoplayer.play(commit.state, command_id)
        self._services.receipts.issue_at_end(game, commit.entries)


def _command_id(secret: bytes, game: str, version: int) -> str:
    """Return the id of the command: the same in every process, so that two of them play the move once."""
    digest = hmac.new(secret, f"strong\n{game}\n{version}".encode(), hashlib.sha256).hexdigest()
    return f"{digest[:16]}-{digest[16:32]}"
