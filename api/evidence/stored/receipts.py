"""The rows of receipts and of witnesses' signatures, with the position up to which receipts are issued."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.protocols.signed_notes import MAX_COSIGNATURES, Note, Signature, parse_note, parse_signatures
from domain.store.group_commit import CURRENT_ROUND, PendingCommit
from domain.store.sql.database import Database, Transaction

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


def has_newer(transaction: Transaction, game: str, size: int) -> bool:
    """Return whether the game has a receipt over more events."""
    return bool(transaction.run("SELECT 1 FROM receipts WHERE game = ? AND size > ? LIMIT 1", game, size))


INSERT_COSIGNATURES = "INSERT INTO cosignatures VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
SELECT_COSIGNATURES = """SELECT line FROM (
    SELECT line, witness FROM cosignatures WHERE game = ? AND size = ? ORDER BY added, witness LIMIT ?) AS first
    ORDER BY witness"""


class StoredCosignatures:
    """The cosignatures of one store's receipts. Safe for concurrent use by several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, game: str, size: int, lines: Sequence[Signature]) -> None:
        """Store lines; of a witness that has signed this receipt already, the earlier one stays."""
        with self._database.transaction(writes=True) as transaction:
            at = transaction.now()
            transaction.run_many(INSERT_COSIGNATURES, [(game, size, each.label, each.line, at) for each in lines])

    def with_lines(self, game: str, size: int, note: str) -> str:
        """Return a receipt with the cosignatures that are stored for it: the first ones, if it has no room for all."""
        lines = [str(line) for (line,) in self._database.run(SELECT_COSIGNATURES, game, size, MAX_COSIGNATURES)]
        if not lines:
            return note
        plain = parse_note(note)
        return Note(plain.body, (*plain.signatures, *(each for line in lines for each in parse_signatures(line)))).text
