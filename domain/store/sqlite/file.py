"""The SQLite file of a log: its connections, its one writer, and its errors. The tables of all shards are in it.

One connection of each process writes. It starts with `BEGIN IMMEDIATE`, so a stale reader never becomes a writer. Each
reader has its own connection and never waits (write-ahead log). A commit is on disk before `transaction` ends
(synchronous FULL).
"""

import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any

from eventsourcing import persistence

from domain.store.recorder import LogFileDamaged
from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Breaker
from domain.store.sql.sqlite_errors import (
    WRITE_LOCK,
    busy_error,
    describe_damage,
    is_busy,
    missing_wal_sentence,
    removed_wal_sentence,
    replacement_sentence,
)
from domain.store.sql.sqlite_files import SIDE_FILES, Identity, identity_of, lacks_wal

RETRY_S = 0.001
"""Seconds between two tries for the write lock. SQLite's own pauses grow to 0.1 s, which starves some writers."""
PROBE_S = 0.2
"""Seconds to wait for the write lock if another program kept it for too long a moment ago."""
SQLITE_ERRORS = (sqlite3.Error, OverflowError, UnicodeDecodeError)
"""The errors of Python's sqlite3. UnicodeDecodeError comes from a damaged file, also when a message quotes its text."""
READER_PRAGMAS = ("query_only=ON",)
WRITER_PRAGMAS = ("busy_timeout=0", "journal_mode=WAL", "synchronous=FULL", "fullfsync=ON")
SAVING_TRIES = 200
Sides = tuple[Identity | None, Identity | None]


class SqliteLogFile:
    """Call `create` to create the file; without it every call raises OperationalError. Open it after a fork."""

    def __init__(self, path: Path, lock_timeout: float = DEFAULT_TIMEOUTS.lock_s) -> None:
        self.path = path
        self._own_path, *self._side_paths = (f"{path}{suffix}" for suffix in ("", *SIDE_FILES))
        self._lock_timeout = lock_timeout
        self._readers: deque[sqlite3.Connection] = deque()
        self._writer: sqlite3.Connection | None = None
        self._identity: Identity | None = None
        self._sides: tuple[sqlite3.Connection, Sides] | None = None
        """The files beside the log, and a connection that has them open, so that SQLite doesn't remove them."""
        self._held: sqlite3.Connection | None = None
        self._writing = Lock()
        self._breaker = Breaker()

    def create(self) -> None:
        """Create the file, readable only by its owner since it holds hidden cards."""
        self.path.touch(mode=0o600)

    def close(self) -> None:
        """Close all connections. A later call opens new ones."""
        with self._writing:
            for connection in (self._writer, self._held, *self._readers):
                if connection is not None:
                    connection.close()
            self._writer = self._held = self._identity = self._sides = None
            self._readers.clear()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open a writing transaction on the one connection that writes."""
        until = monotonic() + (PROBE_S if self._breaker.is_tripped(WRITE_LOCK) else self._lock_timeout)
        try:
            with self._breaker.attempt(WRITE_LOCK, is_busy, busy_error), self._turn(until):
                if self._writer is None:
                    self._writer = self.connect(*WRITER_PRAGMAS)
                self._require_same_files()
                with self._writer as connection:  # commits, or rolls back when something is raised
                    _execute_with_retry(connection, "BEGIN IMMEDIATE", until)
                    self._note_sides(connection)
                    yield connection
        except SQLITE_ERRORS as error:
            raise self._translate(error) from error

    @contextmanager
    def _turn(self, until: float) -> Iterator[None]:
        if not self._writing.acquire(timeout=max(0.0, until - monotonic())):
            raise busy_error("another thread of this process writes")
        try:
            yield
        finally:
            self._writing.release()

    def rows(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query."""
        try:
            try:
                connection = self._readers.pop()
            except IndexError:
                connection = self.connect(*READER_PRAGMAS)
            rows = connection.execute(statement, parameters).fetchall()
        except SQLITE_ERRORS as error:
            raise self._translate(error) from error
        self._readers.append(connection)
        return rows

    def examine(self) -> None:
        """Raise LogFileDamaged if the file, or one of those beside it, isn't the one that this process uses."""
        try:
            with self._turn(monotonic() + self._lock_timeout):
                if self._held is None:
                    self._require_same_files()
                    held = self.connect(*READER_PRAGMAS)
                    held.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
                    held.execute("PRAGMA busy_timeout=0")  # like the writer: `_save_commits` waits itself
                    self._note_sides(held)
                    self._held = held
                self._require_same_files()
        except SQLITE_ERRORS as error:
            raise self._translate(error) from error

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Open a reading transaction on the file as it is now: a new connection has cached nothing."""
        try:
            with closing(self.connect(*READER_PRAGMAS)) as connection:
                connection.execute("BEGIN")
                yield connection
        except SQLITE_ERRORS as error:
            raise self._translate(error) from error

    def connect(self, *pragmas: str) -> sqlite3.Connection:
        """Return a new connection with these pragmas."""
        self._require_wal()
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=self._lock_timeout,
            isolation_level=None,
            check_same_thread=False,
        )
        until = monotonic() + self._lock_timeout
        for pragma in pragmas:
            _execute_with_retry(connection, f"PRAGMA {pragma}", until)
        self._require_same_file()
        return connection

    def _require_same_file(self) -> None:
        """Raise LogFileDamaged if the path names no longer the file that the first connection opened.

        The connections would write on into a file that nobody finds again.
        """
        identity = identity_of(self._own_path)
        if identity is None or self._identity not in (None, identity):
            raise LogFileDamaged(replacement_sentence(self.path))
        self._identity = identity

    def _require_same_files(self) -> None:
        """Raise LogFileDamaged as `_require_same_file` does, and also if a file beside it was removed or replaced.

        Then move what is stored into the file first: the connections still have the removed ones. Nothing is lost then,
        and the index of a write-ahead log that's gone doesn't keep programs from opening the file after a kill.
        """
        self._require_same_file()
        if self._sides is None:
            return
        (connection, (wal, index)), found = self._sides, self._read_sides()
        if found != (wal, index):
            if _save_commits(connection) and found == (None, index):
                self.path.with_name(self.path.name + SIDE_FILES[1]).unlink(missing_ok=True)
            raise LogFileDamaged(removed_wal_sentence(self.path))

    def _require_wal(self) -> None:
        """Raise LogFileDamaged if the write-ahead log is missing: a new connection would begin another one."""
        if self._sides is not None and self._sides[1] != self._read_sides():
            raise LogFileDamaged(removed_wal_sentence(self.path))
        if self._sides is None and lacks_wal(self.path):
            raise LogFileDamaged(missing_wal_sentence(self.path))

    def _note_sides(self, connection: sqlite3.Connection) -> None:
        """Remember the files beside the log, which this connection has open."""
        if self._sides is None:
            self._sides = connection, self._read_sides()

    def _read_sides(self) -> Sides:
        wal, index = map(identity_of, self._side_paths)
        return wal, index

    def _translate(self, error: Exception) -> persistence.PersistenceError:
        """Return the library's error of the same name (PEP 249), FileDamaged, or DataError as PostgreSQL would."""
        damage = describe_damage(self.path, error)
        kind = getattr(persistence, type(error).__name__, persistence.DataError)
        translated: persistence.PersistenceError = kind(str(error)) if damage is None else LogFileDamaged(damage)
        return translated


def _save_commits(connection: sqlite3.Connection) -> bool:
    """Move what is in the write-ahead log into the file; return False if somebody reads it for too long."""
    for _ in range(SAVING_TRIES):
        busy, frames, moved = connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        if not busy and frames == moved:
            return True
        sleep(RETRY_S)
    return False


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
