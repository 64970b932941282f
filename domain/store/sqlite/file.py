"""The SQLite file of a log: its connections, its one writer, and its errors. The tables of all shards are in it.

One connection of each process writes. It starts with `BEGIN IMMEDIATE`, so a stale reader never becomes a writer. Each
reader has its own connection and never waits (write-ahead log). A commit is on disk before `transaction` ends
(synchronous FULL).
"""

import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any

from eventsourcing import persistence

from domain.store.breaker import DEFAULT_TIMEOUTS, Breaker
from domain.store.recorder import LogFileDamaged
from domain.store.sqlite.errors import WRITE_LOCK, busy_error, describe_damage, is_busy, replacement_sentence

RETRY_S = 0.001
"""Seconds between two tries for the write lock. SQLite's own pauses grow to 0.1 s, which starves some writers."""
PROBE_S = 0.2
"""Seconds to wait for the write lock if another program kept it for too long a moment ago."""
SQLITE_ERRORS = (sqlite3.Error, OverflowError, UnicodeDecodeError)
"""What Python's sqlite3 raises. UnicodeDecodeError comes from a damaged file, also when a message quotes its text."""
READER_PRAGMAS = ("query_only=ON",)
WRITER_PRAGMAS = ("busy_timeout=0", "journal_mode=WAL", "synchronous=FULL", "fullfsync=ON")


class SqliteLogFile:
    """Call `create` to create the file; without it every call raises OperationalError. Open it after a fork."""

    def __init__(self, path: Path, lock_timeout: float = DEFAULT_TIMEOUTS.lock_s) -> None:
        self.path = path
        self._lock_timeout = lock_timeout
        self._readers: deque[sqlite3.Connection] = deque()
        self._writer: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._writing = Lock()
        self._breaker = Breaker()

    def create(self) -> None:
        """Create the file, readable only by its owner since it holds hidden cards."""
        self.path.touch(mode=0o600)

    def close(self) -> None:
        """Close all connections. A later call opens new ones."""
        with self._writing:
            for connection in (self._writer, *self._readers):
                if connection is not None:
                    connection.close()
            self._writer = self._identity = None
            self._readers.clear()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open a writing transaction on the one connection that writes."""
        until = monotonic() + (PROBE_S if self._breaker.is_tripped(WRITE_LOCK) else self._lock_timeout)
        try:
            with self._breaker.attempt(WRITE_LOCK, is_busy, busy_error), self._turn(until):
                if self._writer is None:
                    self._writer = self.connect(*WRITER_PRAGMAS)
                self._require_same_file()
                with self._writer as connection:  # commits, or rolls back when something is raised
                    _execute_with_retry(connection, "BEGIN IMMEDIATE", until)
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

    def connect(self, *pragmas: str) -> sqlite3.Connection:
        """Return a new connection with these pragmas."""
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
        try:
            status = self.path.stat()
        except FileNotFoundError:
            raise LogFileDamaged(replacement_sentence(self.path)) from None
        identity = status.st_dev, status.st_ino
        if self._identity not in (None, identity):
            raise LogFileDamaged(replacement_sentence(self.path))
        self._identity = identity

    def _translate(self, error: Exception) -> persistence.PersistenceError:
        """Return the library's error of the same name (PEP 249), FileDamaged, or DataError as PostgreSQL would."""
        damage = describe_damage(self.path, error)
        kind = getattr(persistence, type(error).__name__, persistence.DataError)
        translated: persistence.PersistenceError = kind(str(error)) if damage is None else LogFileDamaged(damage)
        return translated


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
