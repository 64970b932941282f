"""The nodes that share a store: processes that write, every few seconds, which facts they can read (docs/upgrades.md).

A node stores a fact of a new version only once all nodes of the last minute know it. A node that sends event streams
writes, too, which players follow a game or their inbox (`api.play.services.presence`). Times are UTC microseconds since
1970, of PostgreSQL's clock if there is one.
"""

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from uuid import uuid4

from domain.events import FACT_VERSIONS
from domain.rules.model import RULES_VERSION
from domain.store.games import RULES, WriteGuard
from domain.store.sql.database import DATABASE_ERRORS, Database, Transaction
from projections.followers.troubles import TroubleLog, background

TABLES = (
    """CREATE TABLE IF NOT EXISTS nodes (
        name TEXT PRIMARY KEY, seen BIGINT NOT NULL, release TEXT NOT NULL, facts TEXT NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS open_streams (node TEXT PRIMARY KEY, seen BIGINT NOT NULL, players TEXT NOT NULL)",
)
HOUR_US = 3600 * 1_000_000
KEPT_US = 24 * 3600 * 1_000_000
"""How long the row of a node that was killed stays."""
UPSERT = """INSERT INTO nodes VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE
    SET seen = excluded.seen, release = excluded.release, facts = excluded.facts"""

FactVersions = Mapping[str, int]
"""The newest version of each fact that a node can read, and of the rules inside facts."""


@dataclass(frozen=True)
class NodeRecord:
    """A node, when it was last seen, its release, and the facts that it knows."""

    name: str
    seen: int
    release: str
    facts: FactVersions


class NodeRecords:
    """The table `nodes`. Every method may be called from any thread."""

    def __init__(self, database: Database, clock: Callable[[Transaction], int]) -> None:
        """`clock` may ask the database for its time."""
        self._database, self._clock = database, clock

    def write(self, name: str, release: str, facts: FactVersions, duration_us: int) -> list[NodeRecord]:
        """Write that a node is there, and return the nodes as `seen_within` does, this one among them.

        Forget those that were last seen a day ago, or a day ahead: by a clock that jumped. Such a node writes again if
        it still runs.
        """
        with self._database.transaction(writes=True) as tables:
            now = self._clock(tables)
            tables.run("DELETE FROM nodes WHERE seen NOT BETWEEN ? AND ?", now - KEPT_US, now + KEPT_US)
            tables.run(UPSERT, name, now, release, json.dumps(facts, sort_keys=True))
            return _seen_about(tables, now, duration_us)

    def remove(self, name: str) -> None:
        """Forget a node that stops."""
        self._database.run("DELETE FROM nodes WHERE name = ?", name)

    def seen_within(self, duration_us: int) -> list[NodeRecord]:
        """Return the nodes that were seen in that time before now, or by a clock that was ahead by as much."""
        with self._database.transaction(writes=False) as tables:
            return _seen_about(tables, self._clock(tables), duration_us)


def _seen_about(tables: Transaction, now: int, duration_us: int) -> list[NodeRecord]:
    select = "SELECT name, seen, release, facts FROM nodes WHERE seen BETWEEN ? AND ?"
    rows = tables.run(select, now - duration_us, now + duration_us)
    return [NodeRecord(name, seen, release, json.loads(facts)) for name, seen, release, facts in rows]


WRITE_STREAMS = """INSERT INTO open_streams VALUES (?, ?, ?) ON CONFLICT (node) DO UPDATE
    SET seen = excluded.seen, players = excluded.players"""
SELECT_ERASED = "SELECT player FROM erasures WHERE at BETWEEN ? AND ?"
SECOND_US = 1_000_000
StreamAges = dict[str, dict[str, float]]
"""Seconds since a player's last stream ended, by player and game; 0 while one is open."""


class StreamRecords:
    """The table `open_streams`, a row for each node. Every method may be called from any thread."""

    def __init__(self, database: Database, clock: Callable[[Transaction], int]) -> None:
        """`clock` may ask the database for its time."""
        self._database, self._clock = database, clock

    def write(self, node: str, players: StreamAges) -> None:
        """Write the streams of a node, and forget nodes that wrote nothing for an hour.

        A process may remember a stream of somebody whom another one has erased meanwhile.
        """
        with self._database.transaction(writes=True) as tables:
            now = self._clock(tables)
            tables.run("DELETE FROM open_streams WHERE seen NOT BETWEEN ? AND ?", now - HOUR_US, now + HOUR_US)
            erased = {row[0] for row in tables.run(SELECT_ERASED, now - KEPT_US, now + KEPT_US)}
            kept = {player: ages for player, ages in players.items() if player not in erased}
            tables.run(WRITE_STREAMS, node, now, json.dumps(kept))

    def of_others(self, node: str, duration_s: float) -> list[StreamAges]:
        """Return what the other nodes wrote. A stream that ended is older by now, and so is one of a silent node."""
        with self._database.transaction(writes=False) as tables:
            now = self._clock(tables)
            rows = tables.run("SELECT seen, players FROM open_streams WHERE node <> ?", node)
        found = list[StreamAges]()
        for seen, players in rows:
            age = abs(now - seen) / SECOND_US
            found.append(
                {
                    player: {game: at if not at and age <= duration_s else at + age for game, at in games.items()}
                    for player, games in json.loads(players).items()
                }
            )
        return found


def erase_player(transaction: Transaction, player: str) -> None:
    """Forget the rows that name a player. A node names them again for as long as they count as away there."""
    transaction.run("DELETE FROM open_streams WHERE players LIKE ?", f'%"{player}"%')


LOG = logging.getLogger("trickbook.nodes")
BEAT_S = 5.0
PRESENT_US = 60_000_000
"""How long after its last heartbeat a node counts as present."""


def known_facts() -> dict[str, int]:
    """Return the facts that this program can read."""
    return {**FACT_VERSIONS, RULES: RULES_VERSION}


class Node:
    """This process as a node, which tells the guard of its store what others can't read yet.

    Call `look` before anything is stored.
    """

    def __init__(
        self, records: NodeRecords, facts: FactVersions | None = None, guard: WriteGuard | None = None
    ) -> None:
        """Without a guard, as in tests, this process stores nothing."""
        self.name = f"{socket.gethostname()[:64]} {uuid4().hex[:12]}"
        self._records, self._facts = records, known_facts() if facts is None else facts
        self._guard = guard or WriteGuard()

    def beat(self) -> None:
        """Write a heartbeat, and look at the other nodes."""
        self._learn(self._records.write(self.name, version("trickbook"), self._facts, PRESENT_US))

    def look(self) -> None:
        """Learn which facts the other nodes know."""
        self._learn(self.others())

    def _learn(self, nodes: Sequence[NodeRecord]) -> None:
        others = [each for each in nodes if each.name != self.name]
        unknown = {fact: other.release for other in others for fact in _newer(self._facts, other.facts)}
        if unknown.keys() != self._guard.unknown.keys():
            self._log(unknown, others)
        self._guard.unknown = unknown

    def others(self) -> list[NodeRecord]:
        """Return the other nodes of the last minute."""
        return [each for each in self._records.seen_within(PRESENT_US) if each.name != self.name]

    def leave(self) -> None:
        """Say that this node stops."""
        self._records.remove(self.name)

    def run(self, stop: threading.Event) -> None:
        """Beat until `stop`."""
        trouble = TroubleLog(LOG, "the heartbeat of this node")
        while not stop.wait(BEAT_S):
            with trouble.attempt():
                self.beat()

    def _log(self, unknown: dict[str, str], others: Sequence[NodeRecord]) -> None:
        if unknown:
            names, releases = ", ".join(sorted(unknown)), ", ".join(sorted({each.release for each in others}))
            LOG.warning("other nodes, of release %s, can't read %s; storing none until they stop", releases, names)
        else:
            LOG.warning("all nodes can read every fact of this release now")


def _newer(facts: FactVersions, others: FactVersions) -> list[str]:
    """Return the facts that are newer here than there, or that don't exist there."""
    return [fact for fact, number in facts.items() if number > others.get(fact, 0)]


@contextmanager
def node_heartbeat(node: Node) -> Iterator[None]:
    """Let other nodes know that this process is there, until the end of the block."""
    node.beat()
    try:
        with background(node.run, "node", BEAT_S):
            yield
    finally:
        with suppress(*DATABASE_ERRORS):
            node.leave()
