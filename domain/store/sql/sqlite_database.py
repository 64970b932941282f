"""A group of tables in an SQLite file."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Event, Lock
from typing import Any

from domain.store.sql.breaker import Breaker, Timeouts
from domain.store.sql.sqlite_errors import (
    WRITE_LOCK,
    FileDamaged,
    busy_error,
    describe_damage,
    is_busy,
    missing_wal_sentence,
    replacement_sentence,
)
from domain.store.sql.sqlite_files import SIDE_FILES, Identity, identity_of, lacks_wal
from domain.store.sql.statements import ColumnType, RowValues, to_json, upsert_statement
from domain.store.sql.transactions import Clock, Schema, Transaction

WAL_ATTEMPTS = 250
WITHOUT_WAL = "To go on without it, stop every server on this folder, and remove {index}."


class TableFileDamaged(FileDamaged, sqlite3.DatabaseError):
    """The file of a group of tables is damaged."""


class SqliteDatabase:
    """An SQLite file in WAL mode, for its owner alone (mode 0600)."""

    text_type = "TEXT"

    def __init__(self, schema: Schema, path: Path, timeouts: Timeouts, clock: Clock) -> None:
        self._path = path
        self.clock = clock
        self._lock_timeout_s = timeouts.lock_s
        self._breaker = Breaker()
        self._irreplaceable = schema.durable
        self._identity: Identity | None = None
        """The file that the first connection opened."""
        self._synchronous, self._secure_delete = ("FULL", "ON") if schema.durable else ("NORMAL", "OFF")
        self._idle: list[sqlite3.Connection] = []
        self._lock = Lock()
        self._closed = False

    def now(self) -> int:
        return self.clock()

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        with self._connection(writes=not statement.startswith("SELECT")) as connection:
            return connection.execute(statement, values).fetchall()

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Transaction]:
        """Writers wait for each other. Readers see one snapshot and don't wait."""
        with self._connection(writes=writes) as connection:
            connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
            with _commit_or_rollback(connection):
                yield _SqliteTransaction(connection, self.clock)

    def create_tables(self, statements: Iterable[str]) -> None:
        for statement in statements:
            self.run(statement)

    def unsafe_settings(self) -> list[str]:
        """Return nothing: each connection chooses its settings itself."""
        return []

    def drop_deleted(self) -> None:
        """Move what other connections have committed into the file, whose deleted rows are zeros, and empty the WAL."""
        self.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    @contextmanager
    def _connection(self, *, writes: bool) -> Iterator[sqlite3.Connection]:
        """Lend a connection that no other thread uses meanwhile.

        While another program keeps the write lock for too long, one writer waits for it and the others don't.
        """
        self._require_same_file()
        waits = self._breaker.attempt(WRITE_LOCK, is_busy, busy_error) if writes else nullcontext()
        try:
            with waits:
                connection = self._take_idle() or self._connect()
                try:
                    yield connection
                finally:
                    self._give_back(connection)
        except sqlite3.DatabaseError as error:
            damage = describe_damage(self._path, error)
            if damage is None or not self._irreplaceable:
                raise
            raise TableFileDamaged(damage) from error

    def _require_same_file(self) -> None:
        """Raise TableFileDamaged if an irreplaceable file isn't the one that the first connection opened.

        The connections would write on into a file that nobody finds again.
        """
        if self._irreplaceable and self._identity not in (None, identity_of(self._path)):
            raise TableFileDamaged(replacement_sentence(self._path))

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
        if self._identity is None:  # the first; later, a folder that's gone was moved away, and isn't made again
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._irreplaceable:
            require_wal(self._path)
        with suppress(FileNotFoundError):
            self._path.touch(mode=0o600)
        connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            _switch_to_wal(connection, self._lock_timeout_s)
            connection.execute(f"PRAGMA busy_timeout={self._lock_timeout_s * 1000}")
            connection.execute(f"PRAGMA synchronous={self._synchronous}")
            connection.execute(f"PRAGMA secure_delete={self._secure_delete}")
        except sqlite3.Error:
            connection.close()
            raise
        self._identity = self._identity or identity_of(self._path)
        return connection


def require_wal(path: Path) -> None:
    """Raise TableFileDamaged if a file's write-ahead log is missing: a new connection would begin another one."""
    if lacks_wal(path):
        index = path.with_name(path.name + SIDE_FILES[1])
        raise TableFileDamaged(missing_wal_sentence(path, WITHOUT_WAL.format(index=index)))


def _switch_to_wal(connection: sqlite3.Connection, timeout_s: float) -> None:
    """Switch a file to WAL mode. Retry that long; a busy timeout would make each of the attempts longer."""
    for _ in range(WAL_ATTEMPTS):
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode=WAL")
            return
        Event().wait(timeout_s / WAL_ATTEMPTS)
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
