"""A group of tables, whichever engine keeps it: transactions, and statements in the SQL of both engines."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import msgspec

ColumnType = Literal["text", "number", "json"]
"""How a column is stored. Every column may hold None."""
RowValues = tuple[Any, ...]


@dataclass(frozen=True)
class Dialect:
    """The words of one engine in CREATE statements.

    `text` is the type of a text column that is compared byte by byte, `in_place` leaves room for rows that change, and
    `by_range` makes an index on columns that names ranges of rows, so that it needn't change with each row.
    """

    text: str
    in_place: str
    by_range: str


SQLITE = Dialect(text="TEXT", in_place="", by_range="({columns})")
POSTGRES = Dialect(
    text='TEXT COLLATE "C"',
    in_place=" WITH (fillfactor = 80)",
    by_range="USING brin ({columns}) WITH (pages_per_range = 4, autosummarize = on)",
)
_to_json = msgspec.json.Encoder().encode


def to_json(value: Any) -> str:
    return _to_json(value).decode()


def quote(column: str) -> str:
    """Return a column's name as SQL."""
    return f'"{column}"'


def upsert_statement(table_name: str, columns: Mapping[str, ColumnType], key: int) -> str:
    """Return the statement that writes a row, replacing the row with the same first `key` columns."""
    return f"{_insert(table_name, columns)} VALUES ({', '.join('?' * len(columns))}) {_on_conflict(columns, key)}"


def upsert_json_statement(table_name: str, columns: Mapping[str, ColumnType], key: int) -> str:
    """Return PostgreSQL's statement that does so with each object of a JSON array."""
    types = ", ".join(f"{quote(column)} {'bigint' if kind == 'number' else 'text'}" for column, kind in columns.items())
    rows = f"SELECT {', '.join(map(quote, columns))} FROM json_to_recordset(?::json) AS rows_to_put({types})"
    return f"{_insert(table_name, columns)} {rows} {_on_conflict(columns, key)}"


def _insert(table_name: str, columns: Iterable[str]) -> str:
    return f"INSERT INTO {table_name} ({', '.join(map(quote, columns))})"


def _on_conflict(columns: Iterable[str], key: int) -> str:
    quoted = list(map(quote, columns))
    new = ", ".join(f"{column} = excluded.{column}" for column in quoted[key:])
    return f"ON CONFLICT ({', '.join(quoted[:key])}) DO UPDATE SET {new}"


Clock = Callable[[], int]
"""Returns the time in UTC microseconds since 1970."""


@dataclass(frozen=True)
class Schema:
    """A group of tables that is created and opened as one: the file `name`.db, or the PostgreSQL schema `name`.

    `durable` makes each commit wait for the disk; otherwise a power cut may undo the last commits.
    `lock_id` is any number that no other schema uses: the advisory lock for creating tables. At most `connections` to
    PostgreSQL are in use at a time: those of all schemas together leave some for moves.
    """

    name: str
    durable: bool
    lock_id: int
    connections: int = 6


class Transaction(Protocol):
    """An open transaction."""

    def now(self) -> int:
        """Return the time by the clock of the database."""

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        """Execute one statement and return its rows, if any."""

    def run_many(self, statement: str, rows: Iterable[RowValues]) -> None:
        """Execute one statement for each of `rows`."""

    def read_among(self, select: str, column: str, values: Collection[str]) -> list[RowValues]:
        """Execute a SELECT without its WHERE, and return the rows whose `column` is one of `values`."""

    def upsert(self, table: str, columns: Mapping[str, ColumnType], key: int, rows: Collection[RowValues]) -> None:
        """Write rows with these columns at once; each replaces the row with the same first `key` columns.

        No two of them may have the same key.
        """

    def count_changes(self, statement: str, *values: Any) -> int:
        """Execute one statement and return the number of rows it changed."""

    def lock_schema(self) -> None:
        """Wait until no other transaction creates tables, and create the schema if it's missing."""

    def columns(self, table: str) -> set[str]:
        """Return the names of a table's columns; none if the schema has no such table."""


class Database(Protocol):
    """A group of tables.

    `clock` says what time it is for all who read and write the tables.
    """

    dialect: Dialect
    clock: Clock

    def now(self) -> int:
        """Return the time by `clock`."""

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        """Execute one statement, commit it and return its rows, if any."""

    def transaction(self, *, writes: bool) -> AbstractContextManager[Transaction]:
        """Open a transaction: an exception in its block undoes everything."""

    def create_tables(self, statements: Iterable[str]) -> None:
        """Run CREATE statements. Safe for concurrent use by several processes."""

    def require_files(self) -> None:
        """Raise the error of a damaged file if a file that it needs to store anything was removed or replaced."""

    def unsafe_settings(self) -> list[str]:
        """Return the names of the engine's settings that are off although commits may be lost without them."""

    def drop_deleted(self) -> None:
        """Remove deleted rows from the files as far as the engine lets us, so that no text of them can be found."""

    def close(self) -> None:
        """Close every connection. Later calls raise an error."""
