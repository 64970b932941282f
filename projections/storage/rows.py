"""Rows in a database, with the position up to which the log has been folded into them: both change in one transaction.

Each projection has generations of tables: the live one, which is read; perhaps one being made anew beside it; and the
retired one, kept so that whoever has just begun to read it may finish. A follower moves the position before it touches
a row, from where it found it and not otherwise: of two followers at one place, one does nothing.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.store import Notice
from projections.storage.database import Database, Transaction, database
from projections.storage.tables import Kind, Projection, Row, Table

FOLLOWERS = """CREATE TABLE IF NOT EXISTS followers (
    projection {text} NOT NULL, generation BIGINT NOT NULL, version BIGINT NOT NULL,
    position BIGINT NOT NULL, state {text} NOT NULL, PRIMARY KEY (projection, generation))"""
FOUND = "SELECT generation, version, position FROM followers WHERE projection = ? AND state = ?"
MOVED = "UPDATE followers SET position = ? WHERE projection = ? AND generation = ? AND position = ?"
DROPPED = "UPDATE followers SET state = 'dropped', position = -1 WHERE projection = ? AND generation = ?"
SWAPPED = "UPDATE followers SET state = ? WHERE projection = ? AND generation = ? AND state = ?"


@dataclass(frozen=True)
class Generation:
    """Tables of a projection: which, made by which version of it, folded up to which position."""

    number: int
    version: int
    position: int


class Reading:
    """A look at a projection's rows as of one moment: those of all commits up to `position`."""

    def __init__(self, transaction: Transaction, projection: Projection, generation: Generation) -> None:
        self.position = generation.position
        self._transaction = transaction
        self._projection = projection
        self._names = _names(projection, generation)

    def find(self, table: str, tail: str, *values: Any) -> list[Row]:
        """The rows that `tail` asks for: WHERE, ORDER BY, LIMIT; it writes other tables as {name} and values as ?."""
        columns = self._projection.table(table).columns
        selected = ", ".join(map(_quoted, columns))
        asked = f"SELECT {selected} FROM {self._names[table]} {tail.format_map(self._names)}"
        return [_read(columns, row) for row in self._transaction.run(asked, *values)]


class _Page:
    """The rows that a page of events touches: each read once and written once."""

    def __init__(self, transaction: Transaction, projection: Projection, generation: Generation) -> None:
        self._transaction = transaction
        self._reading = Reading(transaction, projection, generation)
        self._tables = {table.name: table for table in projection.tables}
        self._names = _names(projection, generation)
        self._rows: dict[str, dict[tuple[Any, ...], Row | None]] = {name: {} for name in self._tables}
        self._changed: dict[str, dict[tuple[Any, ...], Row]] = {name: {} for name in self._tables}

    def get(self, table: str, *key: Any) -> Row | None:
        known = self._rows[table]
        if key not in known:
            where = " AND ".join(f"{_quoted(column)} = ?" for column in self._tables[table].key_columns)
            known[key] = next(iter(self._reading.find(table, f"WHERE {where}", *key)), None)
        row = known[key]
        return None if row is None else dict(row)

    def put(self, table: str, row: Row) -> None:
        key = self._tables[table].key_of(row)
        self._rows[table][key] = self._changed[table][key] = dict(row)

    def write(self) -> None:
        """Write what was put."""
        for name, rows in self._changed.items():
            columns = self._tables[name].columns
            upsert = _upsert(self._names[name], self._tables[name])
            self._transaction.many(upsert, [_written(columns, row) for row in rows.values()])


class RowStore:
    """The rows of `projections` in `data`/views.db or in the schema `views` at `url`. Any number of processes may."""

    def __init__(
        self, data: Path | None, url: str | None, projections: Sequence[Projection], *, migrate: bool = True
    ) -> None:
        self.projections = {projection.name: projection for projection in projections}
        self._database: Database = database(data, url)
        if migrate:
            self.migrate()

    def migrate(self) -> None:
        """Create what is missing; any number of processes may do so at once."""
        with self._alone() as transaction:
            transaction.run(FOLLOWERS.format(text=self._database.text))
            for projection in self.projections.values():
                if not _found(transaction, projection.name, "live"):
                    self._create(transaction, projection, "live")

    def live(self, name: str) -> Generation:
        """The generation that is read."""
        with self._database.transaction(writes=False) as transaction:
            return _live(transaction, name)

    @contextmanager
    def reading(self, name: str) -> Iterator[Reading]:
        """Look at a projection's live rows as of one moment."""
        with self._database.transaction(writes=False) as transaction:
            yield Reading(transaction, self.projections[name], _live(transaction, name))

    def fold(self, name: str, generation: Generation, notices: Sequence[Notice]) -> bool:
        """Fold in the notices that follow the generation's position; False, and nothing done, if others have."""
        with self._database.transaction(writes=True) as transaction:
            at = (name, generation.number, generation.position)
            if transaction.count(MOVED, notices[-1].position, *at) != 1:
                return False
            page = _Page(transaction, self.projections[name], generation)
            for notice in notices:
                self.projections[name].fold(page, notice.event)
            page.write()
            return True

    def building(self, name: str) -> Generation | None:
        """The generation being made, if any."""
        with self._database.transaction(writes=False) as transaction:
            return _found(transaction, name, "building")

    def begin(self, name: str) -> Generation:
        """A generation to be made from the first event: one that was broken off goes on, where the version is ours."""
        projection = self.projections[name]
        with self._alone() as transaction:
            begun = _found(transaction, name, "building")
            if begun is not None and begun.version == projection.version:
                return begun
            if begun is not None:
                self._drop(transaction, projection, begun)
            retired = _found(transaction, name, "retired")
            if retired is not None:
                self._drop(transaction, projection, retired)
            return self._create(transaction, projection, "building")

    def swap(self, name: str, made: Generation) -> None:
        """Read the generation that was made from now on; nothing where another process has seen to it."""
        with self._alone() as transaction:
            live = _live(transaction, name)
            if transaction.count(SWAPPED, "live", name, made.number, "building"):
                transaction.run(SWAPPED, "retired", name, live.number, "live")

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    @contextmanager
    def _alone(self) -> Iterator[Transaction]:
        with self._database.transaction(writes=True) as transaction:
            transaction.alone()
            yield transaction

    def _create(self, transaction: Transaction, projection: Projection, state: str) -> Generation:
        last = transaction.run("SELECT MAX(generation) FROM followers WHERE projection = ?", projection.name)[0][0]
        made = Generation((last or 0) + 1, projection.version, 0)
        row = (projection.name, made.number, made.version, made.position, state)
        transaction.run("INSERT INTO followers VALUES (?, ?, ?, ?, ?)", *row)
        for name, named in _names(projection, made).items():
            for statement in _ddl(named, projection.table(name), self._database.text):
                transaction.run(statement)
        return made

    def _drop(self, transaction: Transaction, projection: Projection, old: Generation) -> None:
        """Its number is never given again: who still holds it shall find nothing to fold into."""
        transaction.run(DROPPED, projection.name, old.number)
        for named in _names(projection, old).values():
            transaction.run(f"DROP TABLE IF EXISTS {named}")


def _found(transaction: Transaction, name: str, state: str) -> Generation | None:
    rows = transaction.run(FOUND, name, state)
    return Generation(*rows[0]) if rows else None


def _live(transaction: Transaction, name: str) -> Generation:
    live = _found(transaction, name, "live")
    if live is None:
        raise LookupError(f"the projection {name} has no rows here")
    return live


def _names(projection: Projection, generation: Generation) -> dict[str, str]:
    return {table.name: f"{projection.name}_{generation.number}_{table.name}" for table in projection.tables}


def _quoted(column: str) -> str:
    return f'"{column}"'


def _ddl(named: str, table: Table, text: str) -> Iterator[str]:
    kinds: dict[Kind, str] = {"text": text, "number": "BIGINT", "json": text}
    columns = ", ".join(f"{_quoted(column)} {kinds[kind]}" for column, kind in table.columns.items())
    yield f"CREATE TABLE {named} ({columns}, PRIMARY KEY ({', '.join(map(_quoted, table.key_columns))}))"
    for number, index in enumerate(table.indexes):
        yield f"CREATE INDEX {named}_{number} ON {named} ({', '.join(map(_quoted, index))})"


def _upsert(named: str, table: Table) -> str:
    columns = [_quoted(column) for column in table.columns]
    new = ", ".join(f"{column} = excluded.{column}" for column in columns[table.key :])
    key, marks = ", ".join(columns[: table.key]), ", ".join("?" * len(columns))
    return f"INSERT INTO {named} ({', '.join(columns)}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET {new}"


def _written(columns: dict[str, Kind], row: Row) -> tuple[Any, ...]:
    return tuple(
        json.dumps(row[column], separators=(",", ":")) if kind == "json" and row[column] is not None else row[column]
        for column, kind in columns.items()
    )


def _read(columns: dict[str, Kind], values: Iterable[Any]) -> Row:
    return {
        column: json.loads(value) if kind == "json" and value is not None else value
        for (column, kind), value in zip(columns.items(), values, strict=True)
    }
