"""The recorder of a table of the log in an SQLite file, safe for concurrent use by several threads and processes."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from eventsourcing import persistence
from eventsourcing.persistence import Notification, StoredEvent
from eventsourcing.sqlite import SQLiteFactory

from domain.store.recorder import MAX_INTEGER, LogFileDamaged, LogRecorder, RawEvent, RawLogRow
from domain.store.sql.breaker import DEFAULT_TIMEOUTS
from domain.store.sql.sqlite_errors import describe_damage
from domain.store.sql.sqlite_file import SqliteFile
from domain.store.sqlite.rows import (
    follows_last_event,
    hex_of,
    insert,
    log_statements,
    read_game_row,
    read_log_row,
    read_uuid,
)


class SqliteLogFile(SqliteFile):
    """Readable only by its owner, since it holds hidden cards."""

    damaged = LogFileDamaged

    def translate(self, error: Exception) -> persistence.PersistenceError:
        """Return the library's error of the same name (PEP 249), FileDamaged, or DataError as PostgreSQL would."""
        damage = describe_damage(self.path, error)
        kind = getattr(persistence, type(error).__name__, persistence.DataError)
        translated: persistence.PersistenceError = kind(str(error)) if damage is None else LogFileDamaged(damage)
        return translated


class SqliteLogRecorder(LogRecorder):
    """Call `create_table` to create the file; without it every call raises OperationalError. Open it after a fork."""

    def __init__(self, file: SqliteLogFile, table: str = "stored_events") -> None:
        self.file, self.table, self._sql = file, table, log_statements(table)

    def create_table(self) -> None:
        """Create the file and the table if they are missing."""
        self.file.create()
        with self.file.transaction() as connection:
            connection.execute(self._sql.create_table)

    def insert_alone(self, stored_events: Sequence[StoredEvent]) -> Sequence[int]:
        rows = [(hex_of(e.originator_id), e.originator_version, e.topic, e.state) for e in stored_events]
        with self.file.transaction() as connection:
            ids: list[int] = [connection.execute(self._sql.insert, row).fetchone()[0] for row in rows]
        self.watch.note([(self.shard, ids[-1])])
        return ids

    def insert_batches(self, batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        with self.file.transaction() as connection:
            stored = self.insert_within(connection, batches)
        self.watch.note((self.shard, ids[-1]) for ids in stored if ids)
        return stored

    def insert_within(
        self, connection: sqlite3.Connection, batches: Sequence[Sequence[StoredEvent]]
    ) -> list[list[int] | None]:
        """Insert batches as `insert_batches` does, within a transaction of the file."""
        follow = [follows_last_event(connection, self._sql, batch) for batch in batches]
        events = [event for batch, follows in zip(batches, follow, strict=True) if follows for event in batch]
        ids = iter(insert(connection, self._sql, events))
        return [[next(ids) for _ in batch] if follows else None for batch, follows in zip(batches, follow, strict=True)]

    def last_version(self, originator_id: UUID) -> int | None:
        """Return the last version. One that isn't a number, as in a damaged file, counts as the highest."""
        found = self.file.rows(self._sql.select_last_version, (originator_id.hex,))[0][0]
        return found if found is None or isinstance(found, int) else MAX_INTEGER

    def _game_rows(
        self, game: UUID | str, above: int, upto: int, limit: int | None, *, desc: bool = False
    ) -> list[RawEvent]:
        parameters = (hex_of(game), above, upto, -1 if limit is None else limit)
        return [read_game_row(row) for row in self.file.rows(self._sql.select_game[desc], parameters)]

    def log_rows(self, gt: int, limit: int) -> list[RawLogRow]:
        return [read_log_row(row) for row in self.file.rows(self._sql.select_log_rows, (gt, limit))]

    def openings(self, gt: int, lte: int, limit: int) -> list[tuple[int, UUID]]:
        return [(at, read_uuid(game)) for at, game in self.file.rows(self._sql.select_openings, (gt, lte, limit))]

    def version_at(self, originator_id: UUID, lte: int) -> int | None:
        found: int | None = self.file.rows(self._sql.select_version_at, (originator_id.hex, lte))[0][0]
        return found

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
        statement = f"{self._sql.select_all}{among} ORDER BY notification_id LIMIT ?"
        rows = self.file.rows(statement, (first, MAX_INTEGER if stop is None else stop, *topics, limit))
        try:
            return [
                Notification(read_uuid(game), version, topic, state, at) for at, game, version, topic, state in rows
            ]
        except (AttributeError, TypeError, ValueError) as error:
            raise persistence.DataError("a row of the log is of no game") from error

    def max_notification_id(self) -> int | None:
        found: int | None = self.file.rows(self._sql.select_last_id)[0][0]
        return found

    def close(self) -> None:
        """Close all connections of the file. A later call opens new ones."""
        self.file.close()


class SqliteLogFactory(SQLiteFactory):
    """The factory for PERSISTENCE_MODULE: a log in the file SQLITE_DBNAME."""

    _file: SqliteLogFile | None = None

    def log_file(self) -> SqliteLogFile:
        """Return the file, the same for all recorders of this factory."""
        if self._file is None:
            pool = self.datastore.pool
            self._file = SqliteLogFile(Path(pool.db_name), pool.lock_timeout or DEFAULT_TIMEOUTS.lock_s)
        return self._file

    def application_recorder(self) -> SqliteLogRecorder:
        recorder = SqliteLogRecorder(self.log_file())
        if self.env_create_table():
            recorder.create_table()
        return recorder

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        super().close()
