"""Blocks: a player keeps another one away. A block holds both ways, and nobody hears of one."""

from api.accounts.clock import now
from projections.storage.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS blocks (
        player TEXT NOT NULL, other TEXT NOT NULL, since BIGINT NOT NULL, PRIMARY KEY (player, other))""",
    "CREATE INDEX IF NOT EXISTS blocks_of_other ON blocks (other, player)",
)
EITHER_WAY = """SELECT 1 FROM blocks WHERE (player = ? AND other = ?) OR (player = ? AND other = ?) LIMIT 1"""


class Blocks:
    """The table of blocks, by player id. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, player: str, other: str) -> None:
        """Block a player. Blocking them again changes nothing."""
        self._database.run("INSERT INTO blocks VALUES (?, ?, ?) ON CONFLICT DO NOTHING", player, other, now())

    def remove(self, player: str, other: str) -> None:
        """Lift the player's own block; one by the other player stays."""
        self._database.run("DELETE FROM blocks WHERE player = ? AND other = ?", player, other)

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

    def hidden_from(self, player: str) -> frozenset[str]:
        """Return the ids of all whom a player has blocked, or who have blocked the player."""
        rows = self._database.run(
            "SELECT other FROM blocks WHERE player = ? UNION SELECT player FROM blocks WHERE other = ?", player, player
        )
        return frozenset(str(other) for (other,) in rows)


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete the blocks by a player and those of them."""
    transaction.run("DELETE FROM blocks WHERE player = ? OR other = ?", player, player)
