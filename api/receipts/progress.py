"""How far in each shard of the log the worker has issued missing receipts, with leafs that tell the history."""

from domain.store import Games
from domain.store.positions import LogPosition, Positions
from projections.storage.database import Database

SELECT_PROGRESS = "SELECT shard, position, leaf FROM receipt_progress ORDER BY shard"
SELECT_PROGRESS_OF_0_1 = "SELECT last FROM counters WHERE name = 'receipts'"
DELETE_PROGRESS = "DELETE FROM receipt_progress"
PUT_PROGRESS = """INSERT INTO receipt_progress VALUES (?, ?, ?)
    ON CONFLICT (shard) DO UPDATE SET position = excluded.position, leaf = excluded.leaf"""


class ReceiptProgress:
    """The table `receipt_progress`."""

    def __init__(self, database: Database, games: Games) -> None:
        self._database, self._games = database, games

    def positions(self) -> Positions:
        """Return the positions to continue from: the beginning if the log isn't the one of then.

        That's so after a return to a backup, and if the log has another number of shards now.
        """
        stored = self._stored()
        return stored if self._games.log.has_positions(stored) else ()

    def save(self, reached: Positions) -> None:
        """Continue after these positions from now on."""
        with self._database.transaction(writes=True) as transaction:
            transaction.run(DELETE_PROGRESS)
            transaction.run_many(PUT_PROGRESS, [(each.shard, each.number, each.leaf) for each in reached])

    def _stored(self) -> Positions:
        rows = self._database.run(SELECT_PROGRESS)
        if rows:
            return tuple(LogPosition(*row) for row in rows)
        older = self._database.run(SELECT_PROGRESS_OF_0_1)  # it has no leaf, and the log had one shard
        at = self._games.log.position_at(0, int(older[0][0])) if older else None
        return () if at is None else (at,)
