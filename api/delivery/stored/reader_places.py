"""How far each reader of the log has come, and how far in the accounts' notes.

A reader writes the effect of a page and its new place in one transaction. Only one process goes on from a place.
"""

from dataclasses import dataclass

from domain.store.log import LogPosition, Positions
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS reader_places (
        reader TEXT NOT NULL, shard BIGINT NOT NULL, position BIGINT NOT NULL, leaf TEXT NOT NULL,
        PRIMARY KEY (reader, shard))""",
)
NOTES = -1
"""Stands for the accounts' notes, where shards have their numbers. Each place has it, so there is a row to lock."""
LOCK = "UPDATE reader_places SET position = position WHERE reader = ? AND shard = ?"
"""Lets one process at a time go on."""
SELECT = "SELECT shard, position, leaf FROM reader_places WHERE reader = ? ORDER BY shard"


@dataclass(frozen=True)
class ReaderPlace:
    """A place in the log, and the number of the last note."""

    positions: Positions
    note: int = 0

    @property
    def rows(self) -> list[tuple[int, int, str]]:
        """The same as rows."""
        return [(NOTES, self.note, ""), *((each.shard, each.number, each.leaf) for each in self.positions)]


class ReaderPlaces:
    """The table `reader_places`. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, reader: str) -> ReaderPlace | None:
        """Return how far a reader has come; None before its first page."""
        rows = self._database.run(SELECT, reader)
        notes = next((number for shard, number, _ in rows if shard == NOTES), 0)
        return ReaderPlace(tuple(LogPosition(*row) for row in rows if row[0] != NOTES), notes) if rows else None

    @staticmethod
    def go_on(transaction: Transaction, reader: str, before: ReaderPlace | None, reached: ReaderPlace) -> bool:
        """Let a reader go on from `before` to `reached`; return False if another process has gone on from there."""
        if before is None:
            transaction.lock_schema()  # there is no row to lock yet
        else:
            transaction.run(LOCK, reader, NOTES)
        rows = [(int(shard), int(position), str(leaf)) for shard, position, leaf in transaction.run(SELECT, reader)]
        if rows != ([] if before is None else before.rows):
            return False
        transaction.run("DELETE FROM reader_places WHERE reader = ?", reader)
        new = [(reader, *row) for row in reached.rows]
        transaction.run_many("INSERT INTO reader_places VALUES (?, ?, ?, ?)", new)
        return True
