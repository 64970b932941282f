"""The table of cosignatures: for each receipt and witness the first valid line that anybody has brought."""

from collections.abc import Sequence

from domain.protocols.signed_notes import MAX_COSIGNATURES, Note, Signature, parse_note, parse_signatures
from projections.storage.database import Database

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
