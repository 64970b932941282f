"""Which players follow a game or their inbox now. Only those who sit at the same table learn it; it's never a fact.

A process knows its own event streams. Those of other processes it reads from the store, where each writes one row for
all of its streams: when they have changed, at most every `BEAT_S`, and once a minute. So a node learns a little late
what happens on another one. A browser keeps the stream of a table in a hidden tab, which counts as being there.
"""

import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Literal

from api.accounts.server_nodes import StreamAges, StreamRecords
from domain.store.sql.database import DATABASE_ERRORS
from projections.followers.troubles import TroubleLog

LOG = logging.getLogger("trickbook.streams")
BEAT_S, AGAIN_S = 5.0, 60.0
"""How often a process writes what has changed, and when it repeats what hasn't."""
GRACE_S = 30.0
"""How long a player counts as being at the table without a stream: pages are reloaded, and connections break."""
AWAY_S = 300.0
"""How long a player counts as away after their last stream; then they are offline."""
READ_S = 5.0
"""How long a process trusts what it read of the others."""
INBOX = ""
"""Stands for the inbox in place of a game."""
UNSEEN = ""
"""Stands for the players of a process that sends no streams: they aren't offline, but may be."""
State = Literal["table", "away", "offline"]
Streams = tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]
"""The player and the game of each stream that is open, and of each that has ended."""
NO_STREAMS: Streams = (frozenset(), frozenset())


class Presence:
    """The streams of this process, and what the others wrote of theirs. Safe for concurrent use by several threads."""

    def __init__(self, node: str, records: StreamRecords, timer: Callable[[], float] = time.monotonic) -> None:
        """`node` is the name of this process."""
        self._node, self._records, self._timer = node, records, timer
        self._open = defaultdict[str, Counter[str]](Counter)
        """How many streams of each game a player has; no player without any."""
        self._ended = defaultdict[str, dict[str, float]](dict)
        """When the last stream of a player's game ended, for `AWAY_S`."""
        self._lock = threading.Lock()
        self._written: tuple[float, Streams] = (timer(), NO_STREAMS)
        self._others: tuple[float, Sequence[StreamAges]] = (-READ_S, [])
        self._unseen: StreamAges = {}

    def sends_none(self) -> None:
        """Note that this process sends no streams, as under another WSGI server, so that nobody is called offline."""
        self._unseen, self._written = {UNSEEN: {INBOX: 0.0}}, (self._timer() - AGAIN_S, NO_STREAMS)

    @contextmanager
    def follows(self, player: str | None, game: str) -> Iterator[None]:
        """Count a stream of a game, or of the `INBOX`, until the end of the block; spectators without a token don't."""
        if player is None:
            yield
            return
        with self._lock:
            self._open[player][game] += 1
        try:
            yield
        finally:
            with self._lock:
                games = self._open[player]
                games[game] -= 1
                if not games[game]:
                    del games[game]
                    self._ended[player][game] = self._timer()
                if not games:
                    del self._open[player]

    def of(self, game: str, players: Collection[str]) -> dict[str, State]:
        """Return where each of these players is, for the others at a table.

        Return nothing while no streams are known, and nothing of players without one while a process that sends none
        may serve them: they aren't offline.
        """
        others = self._elsewhere()
        if not (self._open or self._ended or any(others)):
            return {}
        known = [self._own(players), *others]
        found = {player: _state(game, [ages[player] for ages in known if player in ages]) for player in players}
        if any(ages.get(UNSEEN, {}).get(INBOX) == 0 for ages in (self._unseen, *others)):
            return {player: where for player, where in found.items() if where != "offline"}
        return found

    def beat(self) -> None:
        """Write the streams of this process if that's due."""
        now, (written_at, written) = self._timer(), self._written
        streams = self._forget_old(now)
        due_s = AGAIN_S if streams == written else BEAT_S
        if now - written_at < due_s or (streams == written == NO_STREAMS and not self._unseen):
            return
        self._records.write(self._node, self._own() | self._unseen)
        self._written = now, streams

    def run(self, stop: threading.Event) -> None:
        """Beat until `stop`, and then write when the streams ended: their players connect again to another process."""
        trouble = TroubleLog(LOG, "writing which streams are open")
        while not stop.wait(BEAT_S):
            with trouble.attempt():
                self.beat()
        own = self._own()
        if own or self._written[1] != NO_STREAMS:
            with suppress(*DATABASE_ERRORS):
                self._records.write(self._node, own)

    def _forget_old(self, now: float) -> Streams:
        """Forget streams that ended long ago, and return those that are open, and those that have ended."""
        with self._lock:
            for player, games in list(self._ended.items()):
                if lately := {game: at for game, at in games.items() if now - at < AWAY_S}:
                    self._ended[player] = lately
                else:
                    del self._ended[player]
            return _names(self._open), _names(self._ended)

    def _own(self, players: Iterable[str] | None = None) -> StreamAges:
        """Return the streams of these players in this process, by default of all."""
        now = self._timer()
        with self._lock:
            asked = self._open.keys() | self._ended.keys() if players is None else players
            return {player: self._ages(player, now) for player in asked}

    def _ages(self, player: str, now: float) -> dict[str, float]:
        ages = dict.fromkeys(self._open.get(player, ()), 0.0)
        for game, at in self._ended.get(player, {}).items():
            age = max(1.0, now - at)
            place = game if age < GRACE_S else INBOX  # from then on, it doesn't matter which game it was
            ages[place] = min(age, ages.get(place, age))
        return ages

    def _elsewhere(self) -> Sequence[StreamAges]:
        read_at, found = self._others
        now = self._timer()
        if now - read_at >= READ_S:
            found = self._records.of_others(self._node, AGAIN_S + 2 * BEAT_S)
            self._others = now, found
        return found


def _names(streams: Mapping[str, Iterable[str]]) -> frozenset[tuple[str, str]]:
    return frozenset((player, game) for player, games in streams.items() for game in games)


def _state(game: str, known: list[Mapping[str, float]]) -> State:
    at_table = [ages[game] for ages in known if game in ages]
    if at_table and min(at_table) < GRACE_S:
        return "table"
    anywhere = [age for ages in known for age in ages.values()]
    return "away" if anywhere and min(anywhere) < AWAY_S else "offline"
