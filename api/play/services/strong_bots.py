"""Plays for the bots of tables with a strong bot, in the heavy lane, each move a fixed time after the one before.

When it's a bot's turn, the time of its move is fixed and the simple bot's move is chosen; only then the strong bot
thinks. It's stopped in time: a choice that isn't ready when the move is due isn't made. So neither the cards nor the
thoughts show in the time, and the time is the same for all bots of the table, forced or not. Answers to moves don't
wait. The command's id follows from the game and the version, so two processes that play for the same bot commit one
move, and one that was killed meanwhile chooses the same move again.
"""

import hashlib
import hmac
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from math import inf
from time import monotonic
from typing import NamedTuple

from api.container import Services
from api.play.services.autoplay import is_quick, seats_to_play
from api.play.services.games import receipt_at_end
from api.play.services.server_commands import UNAVAILABLE, FailingGames
from domain.commands import SeatCommand
from domain.engine.cuts import ceremony_key
from domain.engine.timestamps import format_time, parse_time
from domain.protocols.fairdeal import block
from domain.rejections import Rejected
from domain.state import State, current_hand, require
from domain.store import ClockHeld, NoSuchGame, StaleVersion
from domain.store.wakeups import Poll
from projections.bots import worlds_of
from projections.bots.strong import Analysis, Knowledge, OutOfTime, think
from projections.followers.troubles import TroubleLog
from projections.lists.lobby_pages import idle_games
from projections.views.audience import visible


def knowledge(services: Services, state: State, seat: int) -> Knowledge | None:
    """Return what the seat knows at this state; None if the game has gone on since."""
    fold = services.views.fold(state.game, seat)
    if fold.version != state.version:
        return None
    entries = services.games.entries(state.game, current_hand(state).ceremony_version, state.version)
    facts = [entry.event.data for entry in entries if visible(entry.event, seat, ())]
    return Knowledge(fold.state, seat, facts)


def think_for_bot(
    services: Services, state: State, seat: int, worlds: int, is_late: Callable[[], bool] = lambda: False
) -> Analysis | None:
    """Return the strong bot's choice; None if the game has gone on.

    Raise LookupError if it has nothing to do, and OutOfTime once it's late.
    """
    known = knowledge(services, state, seat)
    if known is None:
        return None
    ceremony = next(each for each in state.ceremonies if each.n == current_hand(state).n)
    return think(known, ceremony_key(state.game, ceremony), worlds, is_late)


def think_for_person(services: Services, state: State, seat: int, worlds: int) -> Analysis | None:
    """Return a hint for the seat: the same choice again for the same view, and nothing of the ceremony in it."""
    known = knowledge(services, state, seat)
    if known is None:
        return None
    key = sha256(services.secret + f"hint\n{state.game}\n{state.version}\n{seat}".encode()).digest()
    return think(known, block(key, "hint", 0), worlds)


LOG = logging.getLogger("trickbook.bots")
PACE_US = 1_000_000
"""How long after the last fact a bot moves."""
LEAST_US = 500_000
"""How long a bot has at least, if the server learns of its turn too late for the pace."""
MARGIN_US = 50_000
"""How long before its move a bot stops to think, so that the thought takes no processor time from the move."""
LATE_US = 2_000_000
"""A move that comes this much later than planned, because the server was busy or stopped, has the time it comes."""
LOOK_S, IDLE_LOOK_S = 0.25, 30.0
"""How often the list of waiting games is read after a change, and how often at last without one."""
STOP_TIMEOUT_S = 10.0
MAX_GAMES = 1000
"""How many waiting games a look finds."""


class PlannedMove(NamedTuple):
    """A move that waits for its time: in UTC microseconds since 1970, fixed before anybody thought."""

    state: State
    seat: int
    due: int
    move: SeatCommand
    worlds: int | None
    """How many worlds the bot still wants to draw; None if the move is the one to make."""


class StrongBots:
    """Plays for the bots of all tables with a strong bot, until it's stopped. Several processes may each run one."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._failing = FailingGames(services.rows)
        self.planned: dict[str, PlannedMove] = {}
        self._lock = threading.Lock()
        self._changed = threading.Event()
        self._looked = float("-inf")
        self._thoughts, self._thought_at = 0, dict[str, int]()
        """How many thoughts there were, and the number of the last one for each person whose bots wait for one."""

    @contextmanager
    def running(self) -> Iterator[None]:
        """Play in threads of its own, one that thinks and one that keeps time; stop them at the end."""
        stop = threading.Event()
        runs = ((self.run, "bots"), (self.run_thoughts, "strong-bots"))
        threads = [threading.Thread(target=run, args=(stop,), name=name, daemon=True) for run, name in runs]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            self._changed.set()
            self._services.wakeups.wake()
            for thread in threads:
                thread.join(STOP_TIMEOUT_S)

    def run(self, stop: threading.Event) -> None:
        """Look for games and make moves on time until `stop`, despite errors."""
        trouble = TroubleLog(LOG, "bots")
        poll = Poll(self._services.wakeups, LOOK_S, IDLE_LOOK_S)
        while not poll.wait(stop, self._pause_s()):
            with trouble.attempt(*UNAVAILABLE):
                self.play_due()
                if monotonic() - self._looked >= LOOK_S:
                    self._looked = monotonic()
                    self.look()

    def run_thoughts(self, stop: threading.Event) -> None:
        """Think about one planned move after another until `stop`, the first one due first."""
        while not stop.is_set():
            self._changed.wait(LOOK_S)
            self._changed.clear()
            while not stop.is_set() and self.think():
                pass

    def look(self) -> None:
        """Plan the moves of bots in the games that wait for no person."""
        with self._services.rows.snapshot("lobby") as reading:
            games = idle_games(reading, self._services.games.now(), MAX_GAMES)
        new = [game for game in games if game not in self.planned]
        self._failing.each(new, lambda game: self._plan(self._services.games.state(game)))

    def play_due(self) -> int:
        """Make the moves whose time has come, and plan what follows; return how many there were."""
        now = self._now()
        with self._lock:
            planned = sorted(self.planned.items(), key=lambda item: item[1].due)
            moves = {game: each for game, each in planned if each.due <= now}
            for game in moves:
                del self.planned[game]
        return self._failing.each(moves, lambda game: self._play(game, moves[game]))

    def think(self) -> bool:
        """Think about one of the planned moves that want a thought; return whether there was one."""
        with self._lock:
            waiting = [each for each in self.planned.values() if each.worlds]
        if not waiting:
            return False
        planned = self.next_thought(waiting)
        game, move = planned.state.game, planned.move
        try:
            move = self._thought(planned)
        except OutOfTime:
            LOG.debug("the strong bot in game %s had no time", game)
        except UNAVAILABLE as error:
            LOG.warning("the strong bot in game %s: %s", game, error)
        except Exception:  # the bot's fault: the simple bot's move is made
            LOG.exception("the strong bot in game %s", game)
        with self._lock:
            if self.planned.get(game) is planned:
                self.planned[game] = planned._replace(move=move, worlds=None)
        return True

    def next_thought(self, waiting: Sequence[PlannedMove]) -> PlannedMove:
        """Return the move to think about: people take turns, however many tables they have; then the first one due."""
        chosen = min(waiting, key=lambda each: (self._thought_at.get(_opener(each.state), 0), each.due))
        people = {_opener(each.state) for each in waiting}
        self._thoughts += 1
        self._thought_at = {person: at for person, at in self._thought_at.items() if person in people}
        self._thought_at[_opener(chosen.state)] = self._thoughts
        return chosen

    def _thought(self, planned: PlannedMove) -> SeatCommand:
        """Return the strong bot's move. Raise OutOfTime if it isn't found shortly before it's due."""

        def is_late() -> bool:
            return self._now() >= planned.due - MARGIN_US

        thought = think_for_bot(self._services, planned.state, planned.seat, planned.worlds or 1, is_late)
        return planned.move if thought is None else thought.move

    def _now(self) -> int:
        return parse_time(self._services.games.now())

    def _pause_s(self) -> float:
        """Return how long no move is due."""
        with self._lock:
            due = min((planned.due for planned in self.planned.values()), default=inf)
        return (due - self._now()) / 1_000_000

    def _plan(self, state: State) -> None:
        """Fix the time of the next bot's move, and choose the move for the case that no better one comes in time."""
        seat = next((seat for seat in seats_to_play(state) if not is_quick(state, seat)), None)
        if seat is None:
            return
        strategy = state.seats[seat].bot or ""
        worlds = worlds_of(strategy)
        due = max(parse_time(state.at) + PACE_US, self._now() + LEAST_US)
        move = self._services.autoplayer.quick_choice(state, seat, strategy if worlds is None else "simple")
        with self._lock:
            self.planned[state.game] = PlannedMove(state, seat, due, move, worlds)
        self._changed.set()

    def _play(self, game: str, planned: PlannedMove) -> None:
        state, late = planned.state, self._now() - planned.due
        command_id = _command_id(self._services.secret, game, state.version)
        try:
            commit = self._services.games.act(
                game,
                planned.move,
                by=state.seats[planned.seat].player,
                command_id=command_id,
                if_match=state.version,
                at=format_time(planned.due) if late < LATE_US else None,
            )
        except (StaleVersion, ClockHeld, NoSuchGame):
            LOG.debug("game %s has gone on, or waits", game)
            return
        except Rejected as refusal:  # the bot's fault; its cards stay out of the log
            LOG.warning("the strong bot in game %s: %s", game, refusal.code)
            raise
        state = self._services.autoplayer.play(commit.state, command_id)
        receipt_at_end(self._services, game, commit.entries)
        self._plan(state)


def _opener(state: State) -> str:
    """Return the person who opened the table, or its first player if it has none."""
    opened = require(state.opened)
    return next((each.player for each in opened.players if each.kind == "human"), opened.players[0].player)


def _command_id(secret: bytes, game: str, version: int) -> str:
    """Return the id of the command: the same in every process, so that two of them play the move once."""
    digest = hmac.new(secret, f"strong\n{game}\n{version}".encode(), hashlib.sha256).hexdigest()
    return f"{digest[:16]}-{digest[16:32]}"
