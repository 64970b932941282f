"""A group of tables, whichever engine keeps it: transactions, and statements in the SQL of both engines."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from domain.store.sql.statements import ColumnType, Dialect, RowValues

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
