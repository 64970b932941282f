"""The nodes that share this store: each process that reads games writes here, every few seconds, which facts it knows.

A node that sends event streams writes, too, which players follow a game or their inbox (`api.play.services.presence`).

Times are UTC microseconds since 1970, of PostgreSQL's clock if there is one.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from domain.store.sql.database import Database, Transaction

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
SECOND = 1_000_000
StreamAges = dict[str, dict[str, float]]
"""Seconds since a player's last stream ended, by player and game; 0 while one is open."""


class StreamRecords:
    """The table `open_streams`, a row for each node. Every method may be called from any thread."""

    def __init__(self, database: Database, clock: Callable[[Transaction], int]) -> None:
        """`clock` may ask the database for its time."""
        self._database, self._clock = database, clock

    def write(self, node: str, players: StreamAges) -> None:
        """Write the streams of a node, and forget nodes of which nothing was heard for an hour.

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
            age = abs(now - seen) / SECOND
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
