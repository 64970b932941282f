"""A group of tables in an SQLite file."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from domain.store.sql.breaker import Timeouts
from domain.store.sql.sqlite_file import DURABLE_PRAGMAS, WRITER_PRAGMAS, SqliteFile
from domain.store.sql.statements import SQLITE, ColumnType, RowValues, to_json, upsert_statement
from domain.store.sql.transactions import Clock, Schema, Transaction


class SqliteDatabase:
    """A group of tables in a file. If commits must last, the file is irreplaceable, and deleted rows are zeros."""

    dialect = SQLITE

    def __init__(self, schema: Schema, path: Path, timeouts: Timeouts, clock: Clock) -> None:
        self.clock = clock
        file = SqliteFile(path, timeouts.lock_s, is_irreplaceable=schema.durable)
        own = (*DURABLE_PRAGMAS, "secure_delete=ON") if schema.durable else (*WRITER_PRAGMAS, "synchronous=NORMAL")
        file.pragmas = own
        self._opened: SqliteFile | None = file
        self._name = path.name

    @property
    def file(self) -> SqliteFile:
        """The file, which this process has created. Raise ProgrammingError after `close`."""
        file = self._opened
        if file is None:
            raise sqlite3.ProgrammingError(f"{self._name} is closed")
        if file.identity is None:  # later, a folder that's gone was moved away, and isn't made again
            file.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.create()
        return file

    def now(self) -> int:
        return self.clock()

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        if statement.startswith("SELECT"):
            file = self._readable()
            rows = file.rows(statement, values)
            file.watch()
            return rows
        with self.file.transaction() as connection:
            return connection.execute(statement, values).fetchall()

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Transaction]:
        """Writers wait for each other. Readers see one snapshot and don't wait."""
        file = self.file if writes else self._readable()
        with file.transaction() if writes else file.reading() as connection:
            yield _SqliteTransaction(connection, self.clock)
        file.watch()

    def _readable(self) -> SqliteFile:
        """Return the file. Raise TableFileDamaged if it's irreplaceable and was replaced."""
        file = self.file
        if file.identity is not None:
            file.require_same_file()
        return file

    def create_tables(self, statements: Iterable[str]) -> None:
        with self.transaction(writes=True) as transaction:
            for statement in statements:
                transaction.run(statement)

    def require_files(self) -> None:
        """Raise TableFileDamaged if the file, or one beside it, was removed or replaced: then nothing is stored."""
        self.file.require_files()

    def unsafe_settings(self) -> list[str]:
        """Return nothing: each connection chooses its settings itself."""
        return []

    def drop_deleted(self) -> None:
        """Move what other connections have committed into the file, whose deleted rows are zeros, and empty the WAL."""
        with closing(self.file.connect()) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        file, self._opened = self._opened, None
        if file is not None:
            file.close()


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection, clock: Clock) -> None:
        self._connection = connection
        self.now = clock

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        return self._connection.execute(statement, values).fetchall()

    def run_many(self, statement: str, rows: Iterable[RowValues]) -> None:
        self._connection.executemany(statement, rows)

    def read_among(self, select: str, column: str, values: Collection[str]) -> list[RowValues]:
        return self.run(f"{select} WHERE {column} IN (SELECT value FROM json_each(?))", to_json(list(values)))

    def upsert(self, table: str, columns: Mapping[str, ColumnType], key: int, rows: Collection[RowValues]) -> None:
        self._connection.executemany(upsert_statement(table, columns, key), rows)

    def count_changes(self, statement: str, *values: Any) -> int:
        return self._connection.execute(statement, values).rowcount

    def lock_schema(self) -> None:
        """Do nothing: a file has one writer at a time."""

    def columns(self, table: str) -> set[str]:
        return {name for (name,) in self.run("SELECT name FROM pragma_table_info(?)", table)}
