"""The one way to open an SQLite file, a group of tables in one, and the watch over a file that is in use.

Somebody may remove or replace it. One connection of each process writes. It starts with `BEGIN IMMEDIATE`, so a stale
reader never becomes a writer. Each reader has its own connection and never waits (write-ahead log).
"""

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any, NoReturn

from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Breaker, Timeouts
from domain.store.sql.sqlite_errors import (
    WRITE_LOCK,
    FileDamaged,
    busy_error,
    describe_damage,
    is_busy,
    missing_wal_sentence,
    removed_wal_sentence,
    replacement_sentence,
)
from domain.store.sql.transactions import (
    SQLITE,
    Clock,
    ColumnType,
    RowValues,
    Schema,
    Transaction,
    to_json,
    upsert_statement,
)

RETRY_S = 0.001
"""Seconds between two tries for the write lock. SQLite's own pauses grow to 0.1 s, which starves some writers."""
PROBE_S = 0.2
"""Seconds to wait for the write lock if another program kept it for too long a moment ago."""
PATIENCE_S = 5.0
SQLITE_ERRORS = (sqlite3.Error, OverflowError, UnicodeDecodeError)
"""The errors of Python's sqlite3. UnicodeDecodeError comes from a damaged file, also when a message quotes its text."""
READER_PRAGMAS = ("query_only=ON",)
WRITER_PRAGMAS = ("busy_timeout=0", "journal_mode=WAL")
DURABLE_PRAGMAS = (*WRITER_PRAGMAS, "synchronous=FULL", "fullfsync=ON")
"""A commit is on disk before `transaction` ends."""
SIDE_FILES = ("-wal", "-shm")
"""As the last connection is closed, SQLite removes both, the second one first. It creates the first one first."""
SAVING_TRIES = 200
Identity = tuple[int, int]
Sides = tuple[Identity | None, Identity | None]


class TableFileDamaged(FileDamaged, sqlite3.DatabaseError):
    """The file of a group of tables is damaged."""


class Access(StrEnum):
    """How to open a file; no access creates it."""

    WRITE = "mode=rw"
    READ = "mode=ro"
    UNCHANGED = "mode=ro&immutable=1"
    """Read a copy that nobody changes, and leave no files beside it."""


def open_file(path: Path, access: Access, patience_s: float = PATIENCE_S) -> sqlite3.Connection:
    """Return a connection whose statements outside a transaction are transactions of their own."""
    uri = f"{path.absolute().as_uri()}?{access}"
    return sqlite3.connect(uri, uri=True, timeout=patience_s, isolation_level=None, check_same_thread=False)


def create_file(path: Path) -> None:
    """Create a file if it's missing, readable only by its owner."""
    path.touch(mode=0o600)


class SqliteFile:
    """The connections of this process to one file in WAL mode. Open it after a fork.

    `is_irreplaceable` says that it's an error if the file, or one beside it, isn't the one that the first connection
    opened. `create` creates the file; without it, every call raises OperationalError.
    """

    damaged: Callable[[str], Exception] = TableFileDamaged
    """Returns the error of a file that was damaged or removed."""
    pragmas: Sequence[str] = DURABLE_PRAGMAS
    """The settings of the connection that writes."""

    def __init__(
        self,
        path: Path,
        lock_timeout: float = DEFAULT_TIMEOUTS.lock_s,
        *,
        is_irreplaceable: bool = True,
    ) -> None:
        self.path = path
        self.is_irreplaceable = is_irreplaceable
        self.identity: Identity | None = None
        """The file that the first connection opened."""
        self._own_path, *self._side_paths = (f"{path}{suffix}" for suffix in ("", *SIDE_FILES))
        self._lock_timeout = lock_timeout
        self._readers: deque[sqlite3.Connection] = deque()
        self._writer: sqlite3.Connection | None = None
        self._sides: tuple[sqlite3.Connection, Sides] | None = None
        """The files beside it, and a connection that has them open, so that SQLite doesn't remove them."""
        self._held: sqlite3.Connection | None = None
        self._closed = False
        self._writing = Lock()
        self._breaker = Breaker()

    def create(self) -> None:
        """Create the file if it's missing."""
        create_file(self.path)

    def close(self) -> None:
        """Close all connections. A later call opens new ones."""
        self._closed = True
        with self._writing:
            for connection in (self._writer, self._held, *self._readers):
                if connection is not None:
                    connection.close()
            self._writer = self._held = self.identity = self._sides = None
            self._readers.clear()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open a writing transaction on the one connection that writes.

        While another program keeps the write lock for too long, one caller waits for it and the others don't.
        """
        until = monotonic() + (PROBE_S if self._breaker.is_tripped(WRITE_LOCK) else self._lock_timeout)
        try:
            with self._breaker.attempt(WRITE_LOCK, is_busy, busy_error), self._turn(until):
                if self._writer is None:
                    self._writer = self.connect(*self.pragmas)
                self._require_same_files()
                with self._writer as connection:  # commits, or rolls back when something is raised
                    _execute_with_retry(connection, "BEGIN IMMEDIATE", until)
                    self._note_sides(connection)
                    yield connection
        except SQLITE_ERRORS as error:
            self._fail(error)

    @contextmanager
    def _turn(self, until: float) -> Iterator[None]:
        if not self._writing.acquire(timeout=max(0.0, until - monotonic())):
            raise busy_error("another thread of this process writes")
        try:
            yield
        finally:
            self._writing.release()

    def rows(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        try:
            connection = self._reader()
            try:
                rows = connection.execute(statement, parameters).fetchall()
            except SQLITE_ERRORS:
                connection.close()
                raise
        except SQLITE_ERRORS as error:
            self._fail(error)
        self._give_back(connection)
        return rows

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a reading transaction: it sees one snapshot."""
        try:
            connection = self._reader()
            try:
                with connection:
                    connection.execute("BEGIN")
                    yield connection
            finally:
                self._give_back(connection)
        except SQLITE_ERRORS as error:
            self._fail(error)

    def _reader(self) -> sqlite3.Connection:
        try:
            return self._readers.pop()
        except IndexError:
            return self.connect(*READER_PRAGMAS)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if self._closed:
            connection.close()
        else:
            self._readers.append(connection)

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Open a reading transaction on the file as it is now: a new connection has cached nothing."""
        try:
            with closing(self.connect(*READER_PRAGMAS)) as connection:
                connection.execute("BEGIN")
                yield connection
        except SQLITE_ERRORS as error:
            self._fail(error)

    def connect(self, *pragmas: str) -> sqlite3.Connection:
        """Return a new connection with these pragmas."""
        self._closed = False
        self._require_wal()
        connection = open_file(self.path, Access.WRITE, self._lock_timeout)
        try:
            until = monotonic() + self._lock_timeout
            for pragma in pragmas:
                _execute_with_retry(connection, f"PRAGMA {pragma}", until)
            self.require_same_file()
        except BaseException:
            connection.close()
            raise
        return connection

    def examine(self) -> None:
        """Raise the error of a damaged file if it, or one beside it, isn't the one that this process uses."""
        try:
            with self._turn(monotonic() + self._lock_timeout):
                self._hold()
                self._require_same_files()
        except SQLITE_ERRORS as error:
            self._fail(error)

    def watch(self) -> None:
        """Watch over the files from now on. A thread that writes does so itself."""
        if self._sides is None and self._writing.acquire(blocking=False):
            try:
                self._hold()
            except SQLITE_ERRORS as error:
                self._fail(error)
            finally:
                self._writing.release()

    def is_replaced(self) -> bool:
        """Return whether the file, or one beside it, isn't the one that is watched."""
        sides = self._sides
        return sides is not None and (identity_of(self._own_path), self._read_sides()) != (self.identity, sides[1])

    def _hold(self) -> None:
        if self._held is None:
            self._require_same_files()
            held = self.connect(*READER_PRAGMAS)
            held.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
            held.execute("PRAGMA busy_timeout=0")  # like the writer: `_save_commits` waits itself
            self._note_sides(held)
            self._held = held

    def require_same_file(self) -> None:
        """Raise the error of a damaged file if the path names no longer the file that the first connection opened.

        The connections would write on into a file that nobody finds again.
        """
        identity = identity_of(self._own_path)
        if self.is_irreplaceable and (identity is None or self.identity not in (None, identity)):
            raise self.damaged(replacement_sentence(self.path))
        self.identity = self.identity or identity

    def require_files(self) -> None:
        """Raise the error of a damaged file if it, or one beside it, was removed or replaced: nothing is stored."""
        self.require_same_file()
        self._require_wal()

    def _require_same_files(self) -> None:
        """Raise as `require_same_file` does, and also if a file beside it was removed or replaced.

        Then move what is stored into the file first: the connections still have the removed ones. Nothing is lost then,
        and the index of a write-ahead log that's gone doesn't keep programs from opening the file after a kill.
        """
        self.require_same_file()
        if self._sides is None or not self.is_irreplaceable:
            return
        (connection, (wal, index)), found = self._sides, self._read_sides()
        if found != (wal, index):
            if _save_commits(connection) and found == (None, index):
                Path(self._side_paths[1]).unlink(missing_ok=True)
            raise self.damaged(removed_wal_sentence(self.path))

    def _require_wal(self) -> None:
        """Raise the error of a damaged file if its write-ahead log is missing: a connection would begin another one."""
        if not self.is_irreplaceable:
            return
        if self._sides is not None and self._sides[1] != self._read_sides():
            raise self.damaged(removed_wal_sentence(self.path))
        if self._sides is None and lacks_wal(self.path):
            raise self.damaged(missing_wal_sentence(self.path))

    def _note_sides(self, connection: sqlite3.Connection) -> None:
        """Remember the files beside it, which this connection has open, if it has a write-ahead log."""
        if self._sides is None and None not in (sides := self._read_sides()):
            self._sides = connection, sides

    def _read_sides(self) -> Sides:
        wal, index = map(identity_of, self._side_paths)
        return wal, index

    def _fail(self, error: Exception) -> NoReturn:
        translated = self.translate(error)
        if translated is error:
            raise error
        raise translated from error

    def translate(self, error: Exception) -> Exception:
        """Return the error for the caller in place of one of SQLite's."""
        damage = describe_damage(self.path, error) if self.is_irreplaceable else None
        return error if damage is None else self.damaged(damage)


def _save_commits(connection: sqlite3.Connection) -> bool:
    """Move what is in the write-ahead log into the file; return False if somebody reads it for too long."""
    for _ in range(SAVING_TRIES):
        busy, frames, moved = connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        if not busy and frames == moved:
            return True
        sleep(RETRY_S)
    return False


def lacks_wal(path: Path) -> bool:
    """Return whether a file's write-ahead log was removed: programs that were killed leave it beside its index.

    The index is looked for twice, since a program that ends at this moment removes both.
    """
    wal, index = (path.with_name(path.name + suffix) for suffix in SIDE_FILES)
    return index.exists() and not wal.exists() and index.exists()


def identity_of(path: str | Path) -> Identity | None:
    """Return what tells a file from any other; None if it is missing."""
    try:
        status = os.stat(path)  # noqa: PTH116 - each commit asks, and Path.stat takes five times as long
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _execute_with_retry(connection: sqlite3.Connection, statement: str, until: float) -> None:
    """Execute a statement that needs the write lock, and wait for the lock until that moment."""
    while True:
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if not is_busy(error) or monotonic() > until:
                raise
            sleep(RETRY_S)
        else:
            return


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
