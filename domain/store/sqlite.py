"""The log in one SQLite file, safe for concurrent use by several threads and processes.

One connection of each process writes. It starts with `BEGIN IMMEDIATE`, so a stale reader never becomes a writer. Each
reader has its own connection and never waits (write-ahead log). A commit is on disk before `insert_events` returns
(synchronous FULL).
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Condition, Lock
from time import monotonic, sleep
from typing import Any
from uuid import UUID

from eventsourcing import persistence
from eventsourcing.persistence import Notification, StoredEvent, Subscription
from eventsourcing.sqlite import SQLiteFactory

from domain.store.recorder import LOCK_TIMEOUT, MAX_INTEGER, LogRecorder, RawEvent

POLL_SECONDS = 0.05
"""Seconds between two checks for commits of other processes."""
RETRY_SECONDS = 0.001
"""Seconds between two tries for the write lock. SQLite's own pauses grow to 0.1 s, which starves some writers."""
PAGE_SIZE = 500

CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS stored_events (
    notification_id INTEGER PRIMARY KEY,
    originator_id TEXT NOT NULL,
    originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version)
)"""
INSERT = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state)"
    " VALUES (?, ?, ?, ?) RETURNING notification_id"
)
SELECT_LAST_VERSION = "SELECT MAX(originator_version) FROM stored_events WHERE originator_id = ?"
SELECT_LAST_ID = "SELECT MAX(notification_id) FROM stored_events"
SELECT_GAME = (
    "SELECT originator_version, topic, state FROM stored_events"
    " WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version"
)
SELECT_VERSION_AT = "SELECT MAX(originator_version) FROM stored_events WHERE originator_id = ? AND notification_id <= ?"
SELECT_OPENINGS = (
    "SELECT notification_id, originator_id FROM stored_events"
    " WHERE notification_id > ? AND notification_id <= ? AND originator_version = 1 ORDER BY notification_id LIMIT ?"
)
SELECT_ALL = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM stored_events"
    " WHERE notification_id >= ? AND notification_id <= ?"
)

SQLITE_ERRORS = (sqlite3.Error, OverflowError, UnicodeDecodeError)
"""What Python's sqlite3 raises. UnicodeDecodeError comes from a damaged file, also when a message quotes its text."""
READER_PRAGMAS = ("query_only=ON",)
WRITER_PRAGMAS = ("busy_timeout=0", "journal_mode=WAL", "synchronous=FULL", "fullfsync=ON")

_uuid = lru_cache(4096)(UUID)


class SqliteLogRecorder(LogRecorder):
    """Call `create_table` to create the file; without it every call raises OperationalError. Open it after a fork."""

    def __init__(self, path: Path, lock_timeout: float = LOCK_TIMEOUT) -> None:
        self._path = path
        self._lock_timeout = lock_timeout
        self._readers: deque[sqlite3.Connection] = deque()
        self._writer: sqlite3.Connection | None = None
        self._writing = Lock()
        self._watch: sqlite3.Connection | None = None
        self._committed = Condition()

    def create_table(self) -> None:
        """Create the file, readable only by its owner since it holds hidden cards, and its table."""
        self._path.touch(mode=0o600)
        with self._transaction() as connection:
            connection.execute(CREATE_TABLE)

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: object) -> Sequence[int] | None:
        """Insert all events in one commit and return their ids. Raise IntegrityError if a version is taken."""
        if not stored_events:
            return None
        rows = [(_hex(e.originator_id), e.originator_version, e.topic, e.state) for e in stored_events]
        with self._transaction() as connection:
            ids: list[int] = [connection.execute(INSERT, row).fetchone()[0] for row in rows]
        self.wake()
        return ids

    def last_version(self, originator_id: UUID) -> int | None:
        """Return the last version. One that isn't a number, as in a damaged file, counts as the highest."""
        found = self._rows(SELECT_LAST_VERSION, (originator_id.hex,))[0][0]
        return found if found is None or isinstance(found, int) else MAX_INTEGER

    def raw_events(self, originator_id: UUID, gt: int = 0, lte: int | None = None) -> list[RawEvent]:
        return self._rows(SELECT_GAME, (originator_id.hex, gt, MAX_INTEGER if lte is None else lte))

    def openings(self, gt: int, lte: int, limit: int) -> list[tuple[int, UUID]]:
        return [(at, _uuid(game)) for at, game in self._rows(SELECT_OPENINGS, (gt, lte, limit))]

    def version_at(self, originator_id: UUID, lte: int) -> int | None:
        found: int | None = self._rows(SELECT_VERSION_AT, (originator_id.hex, lte))[0][0]
        return found

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        statement = f"{SELECT_GAME}{' DESC' if desc else ''} LIMIT ?"
        above, upto = -MAX_INTEGER if gt is None else gt, MAX_INTEGER if lte is None else lte
        rows = self._rows(statement, (_hex(originator_id), above, upto, -1 if limit is None else limit))
        return [StoredEvent(originator_id, version, topic, state) for version, topic, state in rows]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        first = (start or 0) + (0 if inclusive_of_start else 1)
        among = f" AND topic IN ({','.join('?' * len(topics))})" if topics else ""
        statement = f"{SELECT_ALL}{among} ORDER BY notification_id LIMIT ?"
        rows = self._rows(statement, (first, MAX_INTEGER if stop is None else stop, *topics, limit))
        try:
            return [Notification(_uuid(game), version, topic, state, at) for at, game, version, topic, state in rows]
        except (AttributeError, TypeError, ValueError) as error:
            raise persistence.DataError("a row of the log is of no game") from error

    def max_notification_id(self) -> int | None:
        found: int | None = self._rows(SELECT_LAST_ID)[0][0]
        return found

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> "SqliteSubscription":
        return SqliteSubscription(self, gt, topics)

    def data_version(self) -> int:
        """Return a number that changes with every commit of any process: `PRAGMA data_version`."""
        with self._committed:
            try:
                if self._watch is None:
                    self._watch = self._connect(*READER_PRAGMAS)
                number: int = self._watch.execute("PRAGMA data_version").fetchone()[0]
            except sqlite3.Error as error:
                raise _translate(error) from error
        return number

    def await_commit(self, data_version: int, stopped: Callable[[], bool]) -> None:
        """Return once `data_version()` has changed, or stopped() is true (call `wake()` to have it checked)."""
        with self._committed:
            while not stopped() and self.data_version() == data_version:
                self._committed.wait(POLL_SECONDS)

    def wake(self) -> None:
        """Make every thread in `await_commit` check again now."""
        with self._committed:
            self._committed.notify_all()

    def close(self) -> None:
        """Close all connections. A later call opens new ones."""
        with self._writing, self._committed:
            for connection in (self._writer, self._watch, *self._readers):
                if connection is not None:
                    connection.close()
            self._writer = self._watch = None
            self._readers.clear()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if not self._writing.acquire(timeout=self._lock_timeout):
            raise persistence.OperationalError("database is locked by another thread of this process")
        try:
            if self._writer is None:
                self._writer = self._connect(*WRITER_PRAGMAS)
            with self._writer as connection:  # commits, or rolls back when something is raised
                self._execute_with_retry(connection, "BEGIN IMMEDIATE")
                yield connection
        except SQLITE_ERRORS as error:
            raise _translate(error) from error
        finally:
            self._writing.release()

    def _execute_with_retry(self, connection: sqlite3.Connection, statement: str) -> None:
        """Execute a statement that needs the write lock, and wait for the lock up to its timeout."""
        until = monotonic() + self._lock_timeout
        while True:
            try:
                connection.execute(statement)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                    raise
                sleep(RETRY_SECONDS)
            else:
                return

    def _rows(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        try:
            try:
                connection = self._readers.pop()
            except IndexError:
                connection = self._connect(*READER_PRAGMAS)
            rows = connection.execute(statement, parameters).fetchall()
        except SQLITE_ERRORS as error:
            raise _translate(error) from error
        self._readers.append(connection)
        return rows

    def _connect(self, *pragmas: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=self._lock_timeout,
            isolation_level=None,
            check_same_thread=False,
        )
        for pragma in pragmas:
            self._execute_with_retry(connection, f"PRAGMA {pragma}")
        return connection


class SqliteSubscription(Subscription[SqliteLogRecorder]):
    """Yields every notification above gt, in order, and waits for more. `stop()` ends it, from any thread."""

    def __init__(self, recorder: SqliteLogRecorder, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        super().__init__(recorder, gt, topics)
        self._page: deque[Notification] = deque()

    def stop(self) -> None:
        super().stop()
        self._recorder.wake()

    def __next__(self) -> Notification:
        while not self._has_been_stopped:
            if self._page:
                return self._page.popleft()
            data_version = self._recorder.data_version()
            if not self._read_page():
                self._recorder.await_commit(data_version, lambda: self._has_been_stopped)
        raise StopIteration

    def _read_page(self) -> bool:
        """Read the next page. Return False at the end of the log."""
        start, end = self._last_notification_id or 0, self._recorder.max_notification_id() or 0
        page = self._recorder.select_notifications(start, PAGE_SIZE, end, self._topics, inclusive_of_start=False)
        self._page.extend(page)
        self._last_notification_id = page[-1].id if len(page) == PAGE_SIZE else max(start, end)
        return bool(page)


class SqliteLogFactory(SQLiteFactory):
    """The factory for PERSISTENCE_MODULE: a log in the file SQLITE_DBNAME."""

    _log: SqliteLogRecorder | None = None

    def application_recorder(self) -> SqliteLogRecorder:
        pool = self.datastore.pool
        self._log = SqliteLogRecorder(Path(pool.db_name), pool.lock_timeout or LOCK_TIMEOUT)
        if self.env_create_table():
            self._log.create_table()
        return self._log

    def close(self) -> None:
        if self._log is not None:
            self._log.close()
        super().close()


def _hex(originator_id: UUID | str) -> str:
    return (originator_id if isinstance(originator_id, UUID) else UUID(originator_id)).hex


def _translate(error: Exception) -> persistence.PersistenceError:
    """Return the library's error of the same name (PEP 249). A number over 64 bits is a DataError, as on PostgreSQL."""
    kind = getattr(persistence, type(error).__name__, persistence.DataError)
    translated: persistence.PersistenceError = kind(str(error))
    return translated
