"""The rows that one page of events touches: each table is read at most once, and each changed row is written once."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from domain.store.sql.transactions import ColumnType, RowValues, Transaction, quote
from projections.storage.tables import Generation, Numbering, Projection, Row, TableColumns, table_names
from projections.storage.totals import StoredTables, change_totals

Key = tuple[Any, ...]


class PageRows:
    """The rows of the games of a page. If `strict`, `put` raises ValueError for a row that a database refuses."""

    def __init__(
        self,
        transaction: Transaction,
        projection: Projection,
        generation: Generation,
        games: Collection[str],
        *,
        strict: bool = False,
    ) -> None:
        names = table_names(projection, generation)
        self._transaction, self._names = transaction, names
        self._columns = {table.name: table for table in projection.tables}
        self._tables = {table.name: _TableRows(transaction, table, names, games, strict) for table in projection.tables}
        self._known = {name: table.rows for name, table in self._tables.items()}

    def get(self, table: str, *key: Any) -> Row | None:
        """Return a row, which the caller may change and put back. Raise DamagedRow if it isn't as it was written."""
        return self._known[table].get(key) or self._tables[table].read(key)

    def put(self, table: str, row: Row) -> None:
        """Write one row, replacing the row with the same key."""
        self._tables[table].put(row)

    def discard(self, game: str) -> None:
        """Forget what was put for a game."""
        for table in self._tables.values():
            table.discard(game)

    def encode(self) -> set[str]:
        """Encode what was put, and return the games with a row that a database refuses."""
        return set[str]().union(*(table.encode() for table in self._tables.values()))

    def write(self) -> None:
        """Write what `encode` encoded and differs from what is stored."""
        for name, table in self._tables.items():
            columns = self._columns[name]
            if columns.totals:
                before, after = table.changes()
                change_totals(self._transaction, self._columns, self._names, columns, before, after)
            if columns.derivation:
                changes = table.changes()
                table.write()
                StoredTables(self._transaction, self._columns, self._names).derive(columns, *changes)
            else:
                table.write()


class _TableRows:
    def __init__(
        self,
        transaction: Transaction,
        table: TableColumns,
        names: Mapping[str, str],
        games: Collection[str],
        strict: bool,
    ) -> None:
        self._transaction, self._table, self._games = transaction, table, games
        self._name, self._names = names[table.name], names
        self._codec = table.codec
        self._stored: dict[Key, RowValues] | None = None
        self.rows: dict[Key, Row] = {}
        self._put: dict[Key, Row] = {}
        self._encoded: dict[Key, RowValues] = {}
        self._strict = strict

    def read(self, key: Key) -> Row | None:
        stored = self._read_all().get(key)
        if stored is None:
            return None
        row = self.rows[key] = self._codec.from_values(stored)
        return row

    def put(self, row: Row) -> None:
        if self._strict:
            self._codec.to_values(row)
        key = self._table.key_of(row)
        self.rows[key] = self._put[key] = row

    def _read_all(self) -> dict[Key, RowValues]:
        """Return the stored rows of the page's games, read at the first call."""
        if self._stored is None:
            columns = ", ".join(map(quote, self._table.columns))
            select, game = f"SELECT {columns} FROM {self._name}", quote(self._table.key_columns[0])
            rows = self._transaction.read_among(select, game, self._games)
            self._stored = {row[: self._table.key]: row for row in rows}
        return self._stored

    def discard(self, game: str) -> None:
        for rows in (self.rows, self._put, self._encoded):
            for key in [key for key in rows if key[0] == game]:
                del rows[key]

    def encode(self) -> set[str]:
        refused = set[str]()
        for key, row in self._put.items():
            try:
                self._encoded[key] = self._codec.to_values(row)
            except (TypeError, ValueError):
                refused.add(key[0])
        return refused

    def changes(self) -> tuple[list[RowValues], list[RowValues]]:
        """Return the rows that `write` will replace, as they are stored, and those that it will write."""
        stored = self._read_all() if self._encoded else {}
        after = {key: values for key, values in self._encoded.items() if stored.get(key) != values}
        return [stored[key] for key in after if key in stored], list(after.values())

    def write(self) -> None:
        stored = self._stored or {}
        changed = [values for key, values in self._encoded.items() if stored.get(key) != values]
        if changed:
            changed = number_rows(self._transaction, self._table, self._names, changed)
            self._transaction.upsert(self._name, self._table.columns, self._table.key, changed)


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
    owner_at, number_at, apart_at = map(columns.index, (numbering.owner, numbering.column, numbering.apart[0]))
    owners = {str(row[owner_at]) for row in rows}
    before = dict.fromkeys(owners, 0) | _read_heads(transaction, names[numbering.heads], owners)
    heads, numbered = dict(before), list[RowValues]()
    for row in rows:
        owner = row[owner_at]
        heads[owner] += 1
        numbered.append((*row[:number_at], heads[owner], *row[number_at + 1 :]))
    transaction.upsert(names[numbering.heads], HEAD_COLUMNS, 1, list(heads.items()))
    new, kept = Counter[tuple[str, bool]](), list[RowValues]()
    for row in reversed(numbered):
        group = str(row[owner_at]), row[apart_at] in numbering.apart[1]
        new[group] += 1
        if new[group] <= numbering.most:
            kept.append(row)
    for owner, last in heads.items():
        if last // PRUNE_EVERY > before[owner] // PRUNE_EVERY:
            for is_apart in (False, True):
                most = max(0, numbering.most - new[owner, is_apart])
                _prune(transaction, names[table.name], numbering, owner, most, is_apart=is_apart)
    return kept[::-1]


def _read_heads(transaction: Transaction, name: str, owners: Collection[str]) -> dict[str, int]:
    known = transaction.read_among(f"SELECT owner, last FROM {name}", quote("owner"), owners)
    return dict(known)


def _prune(transaction: Transaction, name: str, numbering: Numbering, owner: str, most: int, *, is_apart: bool) -> None:
    """Remove the rows of an owner that are kept apart, or the others, except the last `most`."""
    column, values = numbering.apart
    number, group = quote(numbering.column), f"{quote(column)} {'IN' if is_apart else 'NOT IN'}"
    where = f"{quote(numbering.owner)} = ? AND {group} ({', '.join('?' * len(values))})"
    newest = f"SELECT {number} FROM {name} WHERE {where} ORDER BY {number} DESC LIMIT 1 OFFSET ?"
    named = (owner, *sorted(values))
    transaction.run(f"DELETE FROM {name} WHERE {where} AND {number} <= ({newest})", *named, *named, most)
