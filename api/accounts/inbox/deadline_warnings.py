"""Warnings that a turn ends soon: one note for each turn, however many workers there are."""

from collections.abc import Iterable

from api.accounts.inbox.outbox import KEPT_US, InboxNote, leave_notes
from projections.storage.database import Database

WARNING_TABLES = (
    """CREATE TABLE IF NOT EXISTS deadline_warnings (
        game TEXT NOT NULL, since TEXT NOT NULL, written BIGINT NOT NULL, PRIMARY KEY (game, since))""",
)


class DeadlineWarnings:
    """The turns whose players were warned. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def leave(self, game: str, since: str, notes: Iterable[InboxNote]) -> bool:
        """Leave the notes about the turn that began `since`, unless somebody has; return whether they are left."""
        with self._database.transaction(writes=True) as transaction:
            insert = "INSERT INTO deadline_warnings VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            is_new = bool(transaction.count_changes(insert, game, since, transaction.now()))
            if is_new:
                leave_notes(transaction, notes)
        return is_new

    def delete_old(self) -> None:
        """Forget turns that were warned about long ago."""
        self._database.run("DELETE FROM deadline_warnings WHERE written < ?", self._database.now() - KEPT_US)
