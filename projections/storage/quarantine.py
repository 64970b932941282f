"""Games that a projection leaves out because an event of theirs can't be read or folded; all other games go on.

An entry belongs to one generation of one projection, so a rebuild starts without any and finds them again. Entries of
`GAME_LOG`, in generation 0, are of games whose log a worker couldn't load.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from domain.engine.timestamps import format_time
from domain.store.sql.database import Transaction

GAME_LOG = "log"
"""The projection in the entries of games whose log a worker couldn't load."""
CREATE_QUARANTINE = """CREATE TABLE IF NOT EXISTS quarantine (
    game {text} NOT NULL, projection {text} NOT NULL, generation BIGINT NOT NULL, position BIGINT NOT NULL,
    version BIGINT NOT NULL, reason {text} NOT NULL, too_new BIGINT NOT NULL, dropped BIGINT NOT NULL,
    since {text} NOT NULL, PRIMARY KEY (game, projection, generation))"""
IN_USE = """(q.generation = 0 OR EXISTS (SELECT 1 FROM followers f
    WHERE f.projection = q.projection AND f.generation = q.generation AND f.state = 'live'))"""
CORRUPT_GAMES = f"(SELECT q.game FROM quarantine q WHERE {IN_USE})"
"""A subquery: the games that any list leaves out now."""
COLUMNS = "game, projection, position, version, reason, too_new, dropped, since"
SELECT_ENTRIES = f"SELECT {COLUMNS} FROM quarantine q WHERE {IN_USE} ORDER BY game, projection LIMIT ?"
COUNT_GAMES = f"SELECT COUNT(DISTINCT q.game) FROM quarantine q WHERE q.dropped = 0 AND {IN_USE}"
PUT_ENTRY = """INSERT INTO quarantine (game, projection, generation, position, version, reason, too_new, dropped, since)
    VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT (game, projection, generation) DO UPDATE SET
    position = excluded.position, version = excluded.version, reason = excluded.reason, too_new = excluded.too_new"""
REMOVE_ENTRY = "DELETE FROM quarantine WHERE game = ? AND projection = ? AND generation = ?"
REMOVE_GENERATION = "DELETE FROM quarantine WHERE projection = ? AND generation = ?"
REMOVE_LOG_ENTRIES = "DELETE FROM quarantine WHERE generation = 0 AND dropped = 0"
DROP_GAME = "UPDATE quarantine SET dropped = 1 WHERE game = ?"


@dataclass(frozen=True)
class Fault:
    """The reason why a game is left out: its first event that can't be read or folded, and the position in its shard.

    `too_new` means that a newer program may be able to read it.
    """

    game: str
    position: int
    version: int
    reason: str
    too_new: bool = False


@dataclass(frozen=True)
class QuarantineEntry:
    """A game in quarantine: its fault, the projection that met it, since when, and whether the operator dropped it."""

    fault: Fault
    projection: str
    dropped: bool
    since: str


def put_entry(transaction: Transaction, projection: str, generation: int, fault: Fault) -> None:
    """Put a game in quarantine, or update its entry."""
    transaction.run(
        PUT_ENTRY, fault.game, projection, generation, fault.position, fault.version, fault.reason,
        int(fault.too_new), format_time(transaction.now()),
    )  # fmt: skip


def remove_entry(transaction: Transaction, projection: str, generation: int, game: str) -> None:
    """Take a game out of the quarantine of one generation."""
    transaction.run(REMOVE_ENTRY, game, projection, generation)


def games_in_quarantine(transaction: Transaction, among: Collection[str]) -> dict[tuple[str, int], set[str]]:
    """Return which of these games each generation of a projection leaves out, by its name and number."""
    left_out = defaultdict[tuple[str, int], set[str]](set)
    for game, *entry in transaction.read_among("SELECT game, projection, generation FROM quarantine", "game", among):
        left_out[entry[0], entry[1]].add(game)
    return left_out


def corrupt_among(transaction: Transaction, games: Sequence[str]) -> frozenset[str]:
    """Return which of these games any list leaves out now."""
    if not games:
        return frozenset()
    marks = ", ".join("?" * len(games))
    statement = f"SELECT q.game FROM quarantine q WHERE q.game IN ({marks}) AND {IN_USE}"
    return frozenset(game for (game,) in transaction.run(statement, *games))


def entries(transaction: Transaction, limit: int) -> list[QuarantineEntry]:
    """Return up to `limit` entries that are in use, by game."""
    return [_entry(*row) for row in transaction.run(SELECT_ENTRIES, limit)]


def fault_of(transaction: Transaction, game: str, projection: str | None = None) -> Fault | None:
    """Return why a game is in quarantine, or None if it isn't. `projection` asks for that of one projection."""
    statement = f"SELECT {COLUMNS} FROM quarantine q WHERE q.game = ? AND {IN_USE}"
    entries_of_game = [_entry(*row) for row in transaction.run(statement, game)]
    return next((each.fault for each in entries_of_game if projection in (None, each.projection)), None)


def _entry(
    game: str, projection: str, position: int, version: int, reason: str, too_new: int, dropped: int, since: str
) -> QuarantineEntry:
    return QuarantineEntry(Fault(game, position, version, reason, bool(too_new)), projection, bool(dropped), since)
