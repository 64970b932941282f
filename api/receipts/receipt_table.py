"""The table of receipts. Calls that take turns in one thread store theirs in one transaction, beside the log's."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.store.rounds import CURRENT_ROUND, PendingCommit
from projections.storage.database import Database

MAX_SIZE = 2**53 - 1
SELECT = "SELECT size, root, note FROM receipts WHERE game = ?"
INSERT = "INSERT INTO receipts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING size"


@dataclass(frozen=True)
class StoredReceipt:
    """An issued receipt: the number of events it covers, the root in hex, and the note."""

    size: int
    root: str
    note: str


class _NewReceipt(PendingCommit):
    """A receipt on its way to the table; `added` says then whether the table had none of its size."""

    def __init__(self, group: "StoredReceipts", game: str, receipt: StoredReceipt, at: int) -> None:
        super().__init__(group, ())
        self.row = (game, receipt.size, receipt.root, receipt.note, at)
        self.added = False


class StoredReceipts:
    """The receipts of one store's games. A receipt is never changed. Safe for concurrent use by several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all_of(self, game: str) -> list[StoredReceipt]:
        """Return every receipt issued for the game, by size."""
        return [StoredReceipt(*row) for row in self._database.run(f"{SELECT} ORDER BY size", game)]

    def newest(self, game: str, at_most: int = MAX_SIZE) -> StoredReceipt | None:
        """Return the game's newest receipt over at most `at_most` events."""
        rows = self._database.run(f"{SELECT} AND size <= ? ORDER BY size DESC LIMIT 1", game, at_most)
        return StoredReceipt(*rows[0]) if rows else None

    def at_size(self, game: str, size: int) -> StoredReceipt | None:
        """Return the game's receipt over exactly `size` events."""
        rows = self._database.run(f"{SELECT} AND size = ?", game, size)
        return StoredReceipt(*rows[0]) if rows else None

    def add(self, game: str, receipt: StoredReceipt) -> StoredReceipt:
        """Store a receipt and return it; if there is one of its size, return that one."""
        new, current = _NewReceipt(self, game, receipt, self._database.now()), CURRENT_ROUND.get()
        if current is None:
            self.store([new])
        else:
            current.await_commit(new)
        new.result()
        return receipt if new.added else self.at_size(game, receipt.size) or receipt

    def store(self, commits: Sequence[PendingCommit]) -> None:
        """Store the receipts of several calls in one transaction. Each call gets the error if that fails."""
        new = [commit for commit in commits if isinstance(commit, _NewReceipt)]
        try:
            with self._database.transaction(writes=True) as transaction:
                for each in new:
                    each.added = bool(transaction.run(INSERT, *each.row))
        except Exception as error:  # noqa: BLE001 - it's raised where the call waits
            for each in new:
                each.error = error
