"""The numbers of new rows: each owner's rows are counted in the order in which they were put."""

from collections.abc import Collection, Mapping, Sequence

from domain.store.sql.transactions import ColumnType, RowValues, Transaction, quote
from projections.storage.tables import Numbering, TableColumns

PRUNE_EVERY = 50
"""An owner's old rows are removed after that many new ones, not after each."""
HEAD_COLUMNS: Mapping[str, ColumnType] = {"owner": "text", "last": "number"}


def heads_table(name: str) -> TableColumns:
    """Return the table of the last number of each owner."""
    return TableColumns(name, dict(HEAD_COLUMNS))


def number_rows(
    transaction: Transaction, table: TableColumns, names: Mapping[str, str], rows: Sequence[RowValues]
) -> list[RowValues]:
    """Return the new rows of a table with their numbers, without those that would be removed at once.

    Move the heads, and remove stored rows that have become too old. The caller holds the projection's lock; `names` are
    the names of the projection's tables in the database.
    """
    numbering = table.numbering
    if numbering is None:
        return list(rows)
    columns = list(table.columns)
    owner_at, number_at = columns.index(numbering.owner), columns.index(numbering.column)
    owners = {str(row[owner_at]) for row in rows}
    before = dict.fromkeys(owners, 0) | _read_heads(transaction, names[numbering.heads], owners)
    heads, numbered = dict(before), list[RowValues]()
    for row in rows:
        owner = row[owner_at]
        heads[owner] += 1
        numbered.append((*row[:number_at], heads[owner], *row[number_at + 1 :]))
    transaction.upsert(names[numbering.heads], HEAD_COLUMNS, 1, list(heads.items()))
    for owner, last in heads.items():
        if last // PRUNE_EVERY > before[owner] // PRUNE_EVERY:
            _prune(transaction, names[table.name], numbering, owner, last)
    return [row for row in numbered if row[number_at] > heads[row[owner_at]] - numbering.most]


def _read_heads(transaction: Transaction, name: str, owners: Collection[str]) -> dict[str, int]:
    known = transaction.read_among(f"SELECT owner, last FROM {name}", quote("owner"), owners)
    return dict(known)


def _prune(transaction: Transaction, name: str, numbering: Numbering, owner: str, last: int) -> None:
    where = f"{quote(numbering.owner)} = ? AND {quote(numbering.column)} <= ?"
    transaction.run(f"DELETE FROM {name} WHERE {where}", owner, last - numbering.most)
