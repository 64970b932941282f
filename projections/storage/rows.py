"""Rows of projections, stored with the log position up to which they are folded; both change in one transaction.

Each projection has generations of tables: the live one, which readers use; at times one that is being rebuilt; and the
retired one, kept so that readers who have just begun can finish. A follower first moves the position from the value it
read, and touches rows only if that succeeds: if two followers fold the same page, one of them does nothing.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.store import Notice
from projections.storage.database import (
    DATABASE_ERRORS,
    Schema,
    Transaction,
    describe_error,
    open_database,
)
from projections.storage.tables import ColumnType, Projection, Row, Table

CREATE_FOLLOWERS = """CREATE TABLE IF NOT EXISTS followers (
    projection {text} NOT NULL, generation BIGINT NOT NULL, version BIGINT NOT NULL,
    position BIGINT NOT NULL, state {text} NOT NULL, PRIMARY KEY (projection, generation))"""
SELECT_GENERATION = "SELECT generation, version, position FROM followers WHERE projection = ? AND state = ?"
MOVE_POSITION = "UPDATE followers SET position = ? WHERE projection = ? AND generation = ? AND position = ?"
MARK_DROPPED = "UPDATE followers SET state = 'dropped', position = -1 WHERE projection = ? AND generation = ?"
SET_STATE = "UPDATE followers SET state = ? WHERE projection = ? AND generation = ? AND state = ?"
VIEWS = Schema("views", durable=False, lock_id=7_020_022)
"""Not durable: after a power cut the followers fold the lost commits again."""


class RowsUnavailable(Exception):
    """The database of the projections failed. The log isn't affected."""


@dataclass(frozen=True)
class Generation:
    """One generation of a projection's tables: its number, the projection's version, and the position folded so far."""

    number: int
    version: int
    position: int


class RowSnapshot:
    """A projection's rows at one moment: those of all commits up to `position`."""

    def __init__(self, transaction: Transaction, projection: Projection, generation: Generation) -> None:
        self.position = generation.position
        self._transaction = transaction
        self._projection = projection
        self._names = _table_names(projection, generation)

    def find(self, table: str, tail: str, *values: Any) -> list[Row]:
        """Return the rows that `tail` selects (WHERE, ORDER BY, LIMIT); {name} is a table, ? a value."""
        columns = self._projection.table(table).columns
        selected = ", ".join(map(_quote, columns))
        statement = f"SELECT {selected} FROM {self._names[table]} {tail.format_map(self._names)}"
        return [_from_values(columns, row) for row in self._transaction.run(statement, *values)]


class _Page:
    """The rows that one page of events touches: each is read once and written once."""

    def __init__(self, transaction: Transaction, projection: Projection, generation: Generation) -> None:
        self._transaction = transaction
        self._snapshot = RowSnapshot(transaction, projection, generation)
        self._tables = {table.name: table for table in projection.tables}
        self._names = _table_names(projection, generation)
        self._rows: dict[str, dict[tuple[Any, ...], Row | None]] = {name: {} for name in self._tables}
        self._changed: dict[str, dict[tuple[Any, ...], Row]] = {name: {} for name in self._tables}

    def get(self, table: str, *key: Any) -> Row | None:
        known = self._rows[table]
        if key not in known:
            where = " AND ".join(f"{_quote(column)} = ?" for column in self._tables[table].key_columns)
            known[key] = next(iter(self._snapshot.find(table, f"WHERE {where}", *key)), None)
        row = known[key]
        return None if row is None else dict(row)

    def put(self, table: str, row: Row) -> None:
        key = self._tables[table].key_of(row)
        self._rows[table][key] = self._changed[table][key] = dict(row)

    def write(self) -> None:
        """Write the changed rows."""
        for name, rows in self._changed.items():
            columns = self._tables[name].columns
            upsert = _upsert_statement(self._names[name], self._tables[name])
            self._transaction.run_many(upsert, [_to_values(columns, row) for row in rows.values()])


class RowStore:
    """The rows of `projections`, in `data`/views.db or in the schema `views` at `url`.

    Safe for concurrent use by several processes. Methods raise RowsUnavailable if the database fails.
    """

    def __init__(
        self, data: Path | None, url: str | None, projections: Sequence[Projection], *, migrate: bool = True
    ) -> None:
        self.projections = {projection.name: projection for projection in projections}
        self._database = open_database(VIEWS, data, url)
        if migrate:
            self.migrate()

    def migrate(self) -> None:
        """Create the missing tables. Safe for concurrent use by several processes."""
        with self._schema_transaction() as transaction:
            transaction.run(CREATE_FOLLOWERS.format(text=self._database.text_type))
            for projection in self.projections.values():
                if not _generation_in_state(transaction, projection.name, "live"):
                    self._create(transaction, projection, "live")

    def live_generation(self, name: str) -> Generation:
        """Return the generation that readers use."""
        with self._transaction(writes=False) as transaction:
            return _live_generation(transaction, name)

    @contextmanager
    def snapshot(self, name: str) -> Iterator[RowSnapshot]:
        """Open a snapshot of a projection's live rows."""
        with self._transaction(writes=False) as transaction:
            yield RowSnapshot(transaction, self.projections[name], _live_generation(transaction, name))

    def fold(self, name: str, generation: Generation, notices: Sequence[Notice]) -> bool:
        """Fold the notices that follow the generation's position. Return False if another process did."""
        with self._transaction(writes=True) as transaction:
            at = (name, generation.number, generation.position)
            if transaction.count_changes(MOVE_POSITION, notices[-1].position, *at) != 1:
                return False
            page = _Page(transaction, self.projections[name], generation)
            for notice in notices:
                self.projections[name].fold(page, notice.event)
            page.write()
            return True

    def building_generation(self, name: str) -> Generation | None:
        """Return the generation that is being rebuilt, if any."""
        with self._transaction(writes=False) as transaction:
            return _generation_in_state(transaction, name, "building")

    def begin_rebuild(self, name: str) -> Generation:
        """Return a generation to rebuild from the first event; an interrupted rebuild of the same version continues."""
        projection = self.projections[name]
        with self._schema_transaction() as transaction:
            unfinished = _generation_in_state(transaction, name, "building")
            if unfinished is not None and unfinished.version == projection.version:
                return unfinished
            if unfinished is not None:
                self._drop(transaction, projection, unfinished)
            retired = _generation_in_state(transaction, name, "retired")
            if retired is not None:
                self._drop(transaction, projection, retired)
            return self._create(transaction, projection, "building")

    def make_live(self, name: str, rebuilt: Generation) -> None:
        """Let readers use the rebuilt generation from now on. Do nothing if another process has already done so."""
        with self._schema_transaction() as transaction:
            live = _live_generation(transaction, name)
            if transaction.count_changes(SET_STATE, "live", name, rebuilt.number, "building"):
                transaction.run(SET_STATE, "retired", name, live.number, "live")

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Transaction]:
        try:
            with self._database.transaction(writes=writes) as transaction:
                yield transaction
        except DATABASE_ERRORS as error:
            raise RowsUnavailable(f"the database of the projections failed: {describe_error(error)}") from error

    @contextmanager
    def _schema_transaction(self) -> Iterator[Transaction]:
        with self._transaction(writes=True) as transaction:
            transaction.lock_schema()
            yield transaction

    def _create(self, transaction: Transaction, projection: Projection, state: str) -> Generation:
        last = transaction.run("SELECT MAX(generation) FROM followers WHERE projection = ?", projection.name)[0][0]
        generation = Generation((last or 0) + 1, projection.version, 0)
        row = (projection.name, generation.number, generation.version, generation.position, state)
        transaction.run("INSERT INTO followers VALUES (?, ?, ?, ?, ?)", *row)
        for name, table_name in _table_names(projection, generation).items():
            for statement in _create_statements(table_name, projection.table(name), self._database.text_type):
                transaction.run(statement)
        return generation

    def _drop(self, transaction: Transaction, projection: Projection, old: Generation) -> None:
        """Drop a generation's tables. Its number isn't reused, so a follower that still holds it changes nothing."""
        transaction.run(MARK_DROPPED, projection.name, old.number)
        for table_name in _table_names(projection, old).values():
            transaction.run(f"DROP TABLE IF EXISTS {table_name}")


def _generation_in_state(transaction: Transaction, name: str, state: str) -> Generation | None:
    rows = transaction.run(SELECT_GENERATION, name, state)
    return Generation(*rows[0]) if rows else None


def _live_generation(transaction: Transaction, name: str) -> Generation:
    live = _generation_in_state(transaction, name, "live")
    if live is None:
        raise LookupError(f"the projection {name} has no rows in this database")
    return live


def _table_names(projection: Projection, generation: Generation) -> dict[str, str]:
    return {table.name: f"{projection.name}_{generation.number}_{table.name}" for table in projection.tables}


def _quote(column: str) -> str:
    return f'"{column}"'


def _create_statements(table_name: str, table: Table, text: str) -> Iterator[str]:
    types: dict[ColumnType, str] = {"text": text, "number": "BIGINT", "json": text}
    columns = ", ".join(f"{_quote(column)} {types[kind]}" for column, kind in table.columns.items())
    yield f"CREATE TABLE {table_name} ({columns}, PRIMARY KEY ({', '.join(map(_quote, table.key_columns))}))"
    for number, index in enumerate(table.indexes):
        yield f"CREATE INDEX {table_name}_{number} ON {table_name} ({', '.join(map(_quote, index))})"


def _upsert_statement(table_name: str, table: Table) -> str:
    columns = [_quote(column) for column in table.columns]
    new = ", ".join(f"{column} = excluded.{column}" for column in columns[table.key :])
    key, marks = ", ".join(columns[: table.key]), ", ".join("?" * len(columns))
    return f"INSERT INTO {table_name} ({', '.join(columns)}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET {new}"


def _to_values(columns: dict[str, ColumnType], row: Row) -> tuple[Any, ...]:
    return tuple(
        json.dumps(row[column], separators=(",", ":")) if kind == "json" and row[column] is not None else row[column]
        for column, kind in columns.items()
    )


def _from_values(columns: dict[str, ColumnType], values: Iterable[Any]) -> Row:
    return {
        column: json.loads(value) if kind == "json" and value is not None else value
        for (column, kind), value in zip(columns.items(), values, strict=True)
    }
