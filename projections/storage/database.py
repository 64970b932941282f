"""The two databases that rows are kept in, spoken to in the SQL both understand, with `?` for a value."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Event, Lock
from typing import Any, LiteralString, Protocol

import psycopg
from psycopg_pool import ConnectionPool

LOCK_PATIENCE_S = 5.0
TRIES = 250
POOL_PATIENCE_S = 3.0
CONNECTIONS = 8
SETTINGS = {"autocommit": True, "connect_timeout": 3, "prepare_threshold": 2, "options": "-c search_path=views"}
MIGRATING = 7_020_022  # any number: the advisory lock of who creates tables


class RowsUnavailable(Exception):
    """The database of the projections did not do as asked; the log is not touched by that."""


class Transaction(Protocol):
    """An open transaction."""

    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Execute one statement; its rows, [] where it returns none."""

    def count(self, statement: str, *values: Any) -> int:
        """Execute one statement; how many rows it changed."""

    def many(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Execute one statement for each of `rows`."""

    def alone(self) -> None:
        """Wait until no other transaction creates tables; they can be created then."""


class Database(Protocol):
    """Where rows are kept; `text` is the type of a text column, compared byte by byte."""

    text: str

    def transaction(self, *, writes: bool) -> AbstractContextManager[Transaction]:
        """A context manager giving a Transaction: all of it happens or nothing. RowsUnavailable where that fails."""

    def close(self) -> None:
        """Let go of every connection."""


class SqliteDatabase:
    """A file with a write-ahead log; what a power cut takes back, the followers fold again."""

    text = "TEXT"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._free: list[sqlite3.Connection] = []
        self._lock = Lock()

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Transaction]:
        """Writers come one at a time and wait for each other; readers see one moment and wait for nobody."""
        try:
            with self._lent() as connection:
                connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
                with _ended(connection):
                    yield _SqliteTransaction(connection)
        except sqlite3.Error as error:
            raise RowsUnavailable(f"the rows are out of reach: {error}") from error

    def close(self) -> None:
        """Let go of every connection."""
        with self._lock:
            for connection in self._free:
                connection.close()
            self._free.clear()

    @contextmanager
    def _lent(self) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else has until it is given back."""
        with self._lock:
            connection = self._free.pop() if self._free else None
        connection = connection or self._connect()
        try:
            yield connection
        finally:
            with self._lock:
                self._free.append(connection)

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path.touch(mode=0o600)
        made = sqlite3.connect(self._path, timeout=LOCK_PATIENCE_S, isolation_level=None, check_same_thread=False)
        try:
            patiently(made, "PRAGMA journal_mode=WAL")
            made.execute("PRAGMA synchronous=NORMAL")
        except sqlite3.Error:
            made.close()
            raise
        return made


def patiently(connection: sqlite3.Connection, statement: str) -> None:
    """SQLite itself does not wait for its turn to switch a new file to the log."""
    for _ in range(TRIES):
        with suppress(sqlite3.OperationalError):
            connection.execute(statement)
            return
        Event().wait(LOCK_PATIENCE_S / TRIES)
    connection.execute(statement)


@contextmanager
def _ended(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, values).fetchall()

    def count(self, statement: str, *values: Any) -> int:
        return self._connection.execute(statement, values).rowcount

    def many(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        self._connection.executemany(statement, rows)

    def alone(self) -> None:
        """Whoever writes to the file already is."""


class PostgresDatabase:
    """The schema `views` of a PostgreSQL database."""

    text = 'TEXT COLLATE "C"'

    def __init__(self, url: str) -> None:
        self._pool = ConnectionPool(
            url, kwargs=SETTINGS, min_size=1, max_size=CONNECTIONS, timeout=POOL_PATIENCE_S, open=True
        )

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Transaction]:
        """One transaction; a reading one sees one moment."""
        try:
            with self._pool.connection() as connection, connection.transaction():
                if not writes:
                    connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                yield _PostgresTransaction(connection)
        except psycopg.Error as error:
            raise RowsUnavailable(f"the rows are out of reach: {type(error).__name__}") from error

    def close(self) -> None:
        """Let go of every connection."""
        self._pool.close()


class _PostgresTransaction:
    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        cursor = self._connection.execute(_percent(statement), values)
        return cursor.fetchall() if cursor.description else []

    def count(self, statement: str, *values: Any) -> int:
        return self._connection.execute(_percent(statement), values).rowcount

    def many(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_percent(statement), rows)

    def alone(self) -> None:
        """Held until the transaction ends; there is a schema then."""
        self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATING,))
        self._connection.execute("CREATE SCHEMA IF NOT EXISTS views")


def _percent(statement: str) -> LiteralString:
    return statement.replace("?", "%s")


def database(data: Path | None, url: str | None) -> Database:
    """The database at `url`, else the file views.db in the folder `data`."""
    if url is not None:
        return PostgresDatabase(url)
    if data is None:
        raise ValueError("rows are kept in a folder or at a URL")
    return SqliteDatabase(data / "views.db")
