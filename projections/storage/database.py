"""Access to a group of tables, in an SQLite file or a PostgreSQL schema.

Statements use the SQL that both engines understand, with `?` for a value. A statement outside a transaction is a
transaction of its own. The engine's errors (`DATABASE_ERRORS`) reach the caller.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Any, LiteralString, Protocol

import psycopg
from psycopg_pool import ConnectionPool

LOCK_TIMEOUT_S = 5.0
WAL_ATTEMPTS = 250
POOL_TIMEOUT_S = 3.0
CONNECTIONS = 8
DATABASE_ERRORS = (sqlite3.Error, psycopg.Error)
RowValues = tuple[Any, ...]


@dataclass(frozen=True)
class Schema:
    """A group of tables that is created and opened as one: the file `name`.db, or the PostgreSQL schema `name`.

    `durable` makes SQLite wait for the disk at each commit; otherwise a power cut may undo the last commits.
    `lock_id` is any number that no other schema uses: the advisory lock for creating tables.
    """

    name: str
    durable: bool
    lock_id: int


class Transaction(Protocol):
    """An open transaction."""

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        """Execute one statement and return its rows, if any."""

    def run_many(self, statement: str, rows: Iterable[RowValues]) -> None:
        """Execute one statement for each of `rows`."""

    def count_changes(self, statement: str, *values: Any) -> int:
        """Execute one statement and return the number of rows it changed."""

    def lock_schema(self) -> None:
        """Wait until no other transaction creates tables, and create the schema if it's missing."""


class Database(Protocol):
    """A group of tables. `text_type` is the type of a text column that is compared byte by byte."""

    text_type: str

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        """Execute one statement, commit it and return its rows, if any."""

    def transaction(self, *, writes: bool) -> AbstractContextManager[Transaction]:
        """Open a transaction: an exception in its block undoes everything."""

    def create_tables(self, statements: Iterable[str]) -> None:
        """Run CREATE statements. Safe for concurrent use by several processes."""

    def close(self) -> None:
        """Close every connection. Later calls raise an error."""


def open_database(schema: Schema, data: Path | None, url: str | None) -> Database:
    """Open a schema in the PostgreSQL database at `url`; without a URL, in an SQLite file in the folder `data`."""
    if url is not None:
        return PostgresDatabase(schema, url)
    if data is None:
        raise ValueError("a database needs a folder or a URL")
    return SqliteDatabase(schema, data / f"{schema.name}.db")


def describe_error(error: Exception) -> str:
    """Return a description that's safe to log: of PostgreSQL's errors, only the name."""
    return type(error).__name__ if isinstance(error, psycopg.Error) else str(error)


class SqliteDatabase:
    """An SQLite file in WAL mode, for its owner alone (mode 0600)."""

    text_type = "TEXT"

    def __init__(self, schema: Schema, path: Path) -> None:
        self._path = path
        self._synchronous = "FULL" if schema.durable else "NORMAL"
        self._idle: list[sqlite3.Connection] = []
        self._lock = Lock()
        self._closed = False

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        with self._connection() as connection:
            return connection.execute(statement, values).fetchall()

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Transaction]:
        """Writers wait for each other. Readers see one snapshot and don't wait."""
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
            with _commit_or_rollback(connection):
                yield _SqliteTransaction(connection)

    def create_tables(self, statements: Iterable[str]) -> None:
        for statement in statements:
            self.run(statement)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection that no other thread uses meanwhile."""
        connection = self._take_idle() or self._connect()
        try:
            yield connection
        finally:
            self._give_back(connection)

    def _take_idle(self) -> sqlite3.Connection | None:
        with self._lock:
            if self._closed:
                raise sqlite3.ProgrammingError(f"{self._path.name} is closed")
            return self._idle.pop() if self._idle else None

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if self._closed:
                connection.close()
            else:
                self._idle.append(connection)

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path.touch(mode=0o600)
        connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            _switch_to_wal(connection)
            connection.execute(f"PRAGMA busy_timeout={round(LOCK_TIMEOUT_S * 1000)}")
            connection.execute(f"PRAGMA synchronous={self._synchronous}")
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Switch a file to WAL mode. Retry for `LOCK_TIMEOUT_S`; a busy timeout would make each of the attempts longer."""
    for _ in range(WAL_ATTEMPTS):
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode=WAL")
            return
        Event().wait(LOCK_TIMEOUT_S / WAL_ATTEMPTS)
    connection.execute("PRAGMA journal_mode=WAL")


@contextmanager
def _commit_or_rollback(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        return self._connection.execute(statement, values).fetchall()

    def run_many(self, statement: str, rows: Iterable[RowValues]) -> None:
        self._connection.executemany(statement, rows)

    def count_changes(self, statement: str, *values: Any) -> int:
        return self._connection.execute(statement, values).rowcount

    def lock_schema(self) -> None:
        """Do nothing: a file has one writer at a time."""


class PostgresDatabase:
    """A schema of a PostgreSQL database, through a pool of connections."""

    text_type = 'TEXT COLLATE "C"'

    def __init__(self, schema: Schema, url: str) -> None:
        self._schema = schema
        self._pool = ConnectionPool(
            url,
            kwargs={
                "autocommit": True,
                "connect_timeout": 3,
                "prepare_threshold": 2,
                "options": f"-c search_path={schema.name}",
            },
            min_size=1,
            max_size=CONNECTIONS,
            timeout=POOL_TIMEOUT_S,
            open=True,
        )

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        with self._pool.connection() as connection:
            return _fetch_all(connection, statement, values)

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Transaction]:
        """A reading transaction sees one snapshot."""
        with self._pool.connection() as connection, connection.transaction():
            if not writes:
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield _PostgresTransaction(connection, self._schema)

    def create_tables(self, statements: Iterable[str]) -> None:
        with self.transaction(writes=True) as transaction:
            transaction.lock_schema()
            for statement in statements:
                transaction.run(statement)

    def close(self) -> None:
        self._pool.close()


class _PostgresTransaction:
    def __init__(self, connection: psycopg.Connection[Any], schema: Schema) -> None:
        self._connection = connection
        self._schema = schema

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        return _fetch_all(self._connection, statement, values)

    def run_many(self, statement: str, rows: Iterable[RowValues]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_with_percent(statement), rows)

    def count_changes(self, statement: str, *values: Any) -> int:
        return self._connection.execute(_with_percent(statement), values).rowcount

    def lock_schema(self) -> None:
        """Hold the lock until the transaction ends."""
        self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (self._schema.lock_id,))
        self._connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self._schema.name}".encode())


def _fetch_all(connection: psycopg.Connection[Any], statement: str, values: RowValues) -> list[RowValues]:
    cursor = connection.execute(_with_percent(statement), values)
    return cursor.fetchall() if cursor.description else []


def _with_percent(statement: str) -> LiteralString:
    return statement.replace("?", "%s")
