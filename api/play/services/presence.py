"""Which players follow a game or their inbox now. Only those who sit at the same table learn it; it's never a fact.

A process knows its own event streams. Those of other processes it reads from the store, where each writes one row for
all of its streams: when they have changed, at most every `WRITE_S`, and once a minute. So a node learns a little late
what happens on another one. A browser keeps the stream of a table in a hidden tab, which counts as being there.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Literal

from api.accounts.node_records import StreamRecords
from domain.store.sql.database import DATABASE_ERRORS, describe_error
from projections.followers.projection_follower import TroubleLog

LOG = logging.getLogger("trickbook.streams")
BEAT_S, WRITE_S, AGAIN_S = 5.0, 15.0, 60.0
"""How often a process looks whether to write, how soon it writes a change, and when it repeats what hasn't changed."""
GRACE_S = 30.0
"""How long a player counts as being at the table without a stream: pages are reloaded, and connections break."""
AWAY_S = 300.0
"""How long a player counts as away after their last stream; then they are offline."""
READ_S = 5.0
"""How long a process trusts what it read of the others."""
INBOX = ""
"""Stands for the inbox in place of a game."""
State = Literal["table", "away", "offline"]
Ages = Mapping[str, Mapping[str, float]]
"""Seconds since a player's last stream ended, by player and game; 0 while one is open."""


class Presence:
    """The streams of this process, and what the others wrote of theirs. Safe for concurrent use by several threads."""

    def __init__(self, node: str, records: StreamRecords, timer: Callable[[], float] = time.monotonic) -> None:
        """`node` is the name of this process."""
        self._node, self._records, self._timer = node, records, timer
        self._open = Counter[tuple[str, str]]()
        self._ended: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()
        self._written: tuple[float, frozenset[tuple[str, str]]] = (timer(), frozenset())
        self._others: tuple[float, Sequence[Ages]] = (-READ_S, [])

    @contextmanager
    def follows(self, player: str | None, game: str) -> Iterator[None]:
        """Count a stream of a game, or of the `INBOX`, until the end of the block; spectators without a token don't."""
        if player is None:
            yield
            return
        key = player, game
        with self._lock:
            self._open[key] += 1
        try:
            yield
        finally:
            with self._lock:
                self._open[key] -= 1
                if not self._open[key]:
                    del self._open[key]
                    self._ended[key] = self._timer()

    def of(self, game: str, players: Collection[str]) -> dict[str, State]:
        """Return where each of these players is, for the others at a table."""
        known = [self._own(), *self._elsewhere()]
        return {player: _state(game, [ages[player] for ages in known if player in ages]) for player in players}

    def beat(self) -> None:
        """Write the streams of this process if that's due."""
        now, (written_at, written) = self._timer(), self._written
        with self._lock:
            self._ended = {key: at for key, at in self._ended.items() if now - at < AWAY_S}
            is_open = frozenset(self._open)
        due_s = AGAIN_S if is_open == written else WRITE_S
        if now - written_at < due_s or not (is_open or written):
            return
        self._records.write(self._node, self._own())
        self._written = now, is_open

    def run(self, stop: threading.Event) -> None:
        """Beat until `stop`, and then write that no stream is open."""
        trouble = TroubleLog(LOG, "writing which streams are open")
        while not stop.wait(BEAT_S):
            try:
                self.beat()
            except DATABASE_ERRORS as error:
                trouble.failed(describe_error(error))
            else:
                trouble.succeeded()
        if self._written[1]:
            with suppress(*DATABASE_ERRORS):
                self._records.write(self._node, {})

    def _own(self) -> dict[str, dict[str, float]]:
        found, now = dict[str, dict[str, float]](), self._timer()
        with self._lock:
            for (player, game), at in self._ended.items():
                found.setdefault(player, {})[game] = max(1.0, now - at)
            for player, game in self._open:
                found.setdefault(player, {})[game] = 0.0
        return found

    def _elsewhere(self) -> Sequence[Ages]:
        read_at, found = self._others
        now = self._timer()
        if now - read_at >= READ_S:
            found = self._records.of_others(self._node, AGAIN_S + WRITE_S + BEAT_S)
            self._others = now, found
        return found


def _state(game: str, known: list[Mapping[str, float]]) -> State:
    at_table = [ages[game] for ages in known if game in ages]
    if at_table and min(at_table) < GRACE_S:
        return "table"
    anywhere = [age for ages in known for age in ages.values()]
    return "away" if anywhere and min(anywhere) < AWAY_S else "offline"
