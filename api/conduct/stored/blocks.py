"""Blocks: a player keeps another one away. A block holds both ways, and nobody gets to know of one.

Lifted blocks are kept with their times. The other player never gets the messages that were written meanwhile: if these
came when the block is lifted, they would show that there was one.
"""

from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS blocks (
        player TEXT NOT NULL, other TEXT NOT NULL, since BIGINT NOT NULL, PRIMARY KEY (player, other))""",
    "CREATE INDEX IF NOT EXISTS blocks_of_other ON blocks (other, player)",
    """CREATE TABLE IF NOT EXISTS lifted_blocks (
        player TEXT NOT NULL, other TEXT NOT NULL, since BIGINT NOT NULL, until BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS lifted_blocks_of_both ON lifted_blocks (player, other)",
)
HIDES = """(author IN (SELECT other FROM blocks WHERE player = ?)
    OR EXISTS (SELECT 1 FROM blocks b WHERE b.player = author AND b.other = ? AND b.since <= written)
    OR EXISTS (SELECT 1 FROM lifted_blocks b
        WHERE b.player = author AND b.other = ? AND b.since <= written AND b.until > written))"""
"""Whether a text of `author`, written at `written`, is hidden from a reader, whose id stands in for each mark.

A player doesn't read those whom they block. From the other one, it hides what they write while they block them.
"""
EITHER_WAY = """SELECT 1 FROM blocks WHERE (player = ? AND other = ?) OR (player = ? AND other = ?) LIMIT 1"""


class Blocks:
    """The table of blocks, by player id. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, player: str, other: str) -> None:
        """Block a player. Blocking them again changes nothing."""
        block = "INSERT INTO blocks VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self._database.run(block, player, other, self._database.now())

    def remove(self, player: str, other: str) -> None:
        """Lift the player's own block; one by the other player stays."""
        lift = "DELETE FROM blocks WHERE player = ? AND other = ? RETURNING since"
        with self._database.transaction(writes=True) as transaction:
            for (since,) in transaction.run(lift, player, other):
                transaction.run(
                    "INSERT INTO lifted_blocks VALUES (?, ?, ?, ?)", player, other, since, transaction.now()
                )

    def between(self, a: str, b: str) -> bool:
        """Return whether either of two players has blocked the other."""
        return bool(self._database.run(EITHER_WAY, a, b, b, a))

    def of(self, player: str) -> list[str]:
        """Return the ids of the players whom a player has blocked, the first blocked first."""
        return [other for other, _ in self.with_times(player)]

    def with_times(self, player: str) -> list[tuple[str, int]]:
        """Return the ids of those whom a player has blocked, each with the time of the block, the first one first."""
        rows = self._database.run("SELECT other, since FROM blocks WHERE player = ? ORDER BY since, other", player)
        return [(str(other), int(since)) for other, since in rows]

    def lifted(self, player: str) -> list[tuple[str, int, int]]:
        """Return the ids of those whom a player had blocked, each with the times of the block, the first one first."""
        rows = self._database.run(
            "SELECT other, since, until FROM lifted_blocks WHERE player = ? ORDER BY since, other", player
        )
        return [(str(other), int(since), int(until)) for other, since, until in rows]

    def hidden_from(self, player: str) -> frozenset[str]:
        """Return the ids of all whom a player has blocked, or who have blocked the player."""
        return players_apart(self._database, player)


def players_apart(database: Database | Transaction, player: str) -> frozenset[str]:
    """Return the ids of all whom a player has blocked, or who have blocked the player."""
    rows = database.run(
        "SELECT other FROM blocks WHERE player = ? UNION SELECT player FROM blocks WHERE other = ?", player, player
    )
    return frozenset(str(other) for (other,) in rows)


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete the blocks by a player and those of them, also the lifted ones."""
    for table in ("blocks", "lifted_blocks"):
        transaction.run(f"DELETE FROM {table} WHERE player = ? OR other = ?", player, player)
