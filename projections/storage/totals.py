"""Totals and what else follows from the rows of all games: it changes in the transaction that changes the rows."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from domain.store.sql.transactions import RowValues, Transaction, quote
from projections.storage.tables import Row, TableColumns

Key = tuple[str, ...]


def change_totals(
    transaction: Transaction,
    tables: Mapping[str, TableColumns],
    names: Mapping[str, str],
    table: TableColumns,
    before: Iterable[RowValues],
    after: Iterable[RowValues],
) -> None:
    """Change the totals of a table whose rows were `before` and are `after`, each as the values of its columns.

    The caller holds the projection's lock. `tables` are the projection's by name, `names` their names in the database.
    """
    changes: dict[str, dict[Key, list[int]]] = defaultdict(dict)
    for sign, rows in ((-1, before), (1, after)):
        for values in rows:
            row = table.codec.from_values(values)
            for totals in table.totals:
                for key, amounts in totals.amounts(row).items():
                    sums = changes[totals.table].setdefault(key, [0] * len(amounts))
                    sums[:] = [total + sign * amount for total, amount in zip(sums, amounts, strict=True)]
    for name, by_key in changes.items():
        changed = {key: sums for key, sums in sorted(by_key.items()) if any(sums)}
        _add(transaction, names[name], tables[name], changed)


def _add(transaction: Transaction, name: str, table: TableColumns, changed: Mapping[Key, list[int]]) -> None:
    """Add to the stored totals, and remove those of no rows."""
    columns, key = list(map(quote, table.columns)), list(map(quote, table.key_columns))
    sums = ", ".join(f"{column} = {name}.{column} + excluded.{column}" for column in columns[table.key :])
    insert = f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    transaction.run_many(
        f"{insert} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {sums}",
        [(*each, *amounts) for each, amounts in changed.items()],
    )
    where = " AND ".join(f"{column} = ?" for column in key)
    fewer = [each for each, amounts in changed.items() if amounts[0] < 0]
    if fewer:
        transaction.run_many(f"DELETE FROM {name} WHERE {where} AND {columns[table.key]} = 0", fewer)


class StoredTables:
    """The tables of a generation in an open transaction. `tables` are by name, `names` their names in the database."""

    def __init__(self, transaction: Transaction, tables: Mapping[str, TableColumns], names: Mapping[str, str]) -> None:
        self._transaction, self._tables, self._names = transaction, tables, names

    def derive(self, table: TableColumns, before: Iterable[RowValues], after: Iterable[RowValues]) -> None:
        """Derive what follows from the rows of a table, which were `before` and are `after`."""
        if table.derivation is not None:
            at = list(table.columns).index(table.derivation.column)
            olds, news = (
                [table.codec.from_values(row) for row in rows if row[at] is not None] for rows in (before, after)
            )
            if olds or news:
                table.derivation.derive(self, olds, news)

    def find(self, table: str, tail: str, *values: Any) -> list[Row]:
        """Return the rows that `tail` selects (WHERE, ORDER BY, LIMIT); ? is a value."""
        rows = self._transaction.run(f"{self._select(table)} {tail}", *values)
        return list(map(self._tables[table].codec.from_values, rows))

    def find_among(self, table: str, column: str, values: Collection[str]) -> list[Row]:
        """Return the rows whose `column` is one of `values`."""
        rows = self._transaction.read_among(self._select(table), quote(column), values)
        return list(map(self._tables[table].codec.from_values, rows))

    def _select(self, table: str) -> str:
        return f"SELECT {', '.join(map(quote, self._tables[table].columns))} FROM {self._names[table]}"

    def put(self, table: str, rows: Sequence[Row]) -> None:
        """Write rows, each replacing the row with the same key."""
        columns = self._tables[table]
        if rows:
            values = list(map(columns.codec.to_values, rows))
            self._transaction.upsert(self._names[table], columns.columns, columns.key, values)

    def remove(self, table: str, tail: str, *values: Any) -> None:
        """Remove the rows that `tail` (WHERE) selects."""
        self._transaction.run(f"DELETE FROM {self._names[table]} {tail}", *values)
