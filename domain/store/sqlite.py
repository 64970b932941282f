"""The log in an SQLite file: its rows and SQL, the recorder of a table, and the tables of all shards.

A file has one writer at a time, whatever the number of shards. All is safe for concurrent use by several threads and
processes. A column of a damaged or changed file may hold a value of any type.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing import persistence
from eventsourcing.persistence import Notification, StoredEvent
from eventsourcing.sqlite import SQLiteFactory

from domain.store.recorder import MAX_INTEGER, LogFileDamaged, LogRecorder, LogTables, NoLog, RawEvent, RawLogRow
from domain.store.shards.layout import (
    ADD_DICTIONARY,
    CREATE_DICTIONARIES,
    CREATE_RESHARDING,
    CREATE_SHARDS,
    ONLY_SQLITE_TABLE,
    SHARDS_TABLE,
    Select,
    choose_shards,
    find_copy,
    find_dictionaries,
    find_shards,
    sqlite_tables,
)
from domain.store.sql.breaker import DEFAULT_TIMEOUTS
from domain.store.sql.sqlite import SqliteFile
from domain.store.sql.sqlite_errors import damage_sentence, describe_damage

MOST_ROWS = 64
"""The most rows of one INSERT. A statement for each row would let other threads take the interpreter after each."""
CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS {table} (
    notification_id INTEGER PRIMARY KEY,
    originator_id TEXT NOT NULL,
    originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version)
)"""
COLUMNS = "originator_id, originator_version, topic, state"
BETWEEN_VERSIONS = (
    "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version"
)
SAFE_COLUMNS = (
    "CASE typeof(topic) WHEN 'text' THEN CAST(topic AS BLOB) END, CASE typeof(state) WHEN 'blob' THEN state END"
)
"""The casts keep Python from decoding text that isn't UTF-8, which would fail for all rows of a query."""
IS_GAME_ID = "typeof(originator_id) = 'text' AND length(originator_id) = 32 AND originator_id NOT GLOB '*[^0-9a-f]*'"
"""Rows of a changed file that name no game are left out."""


class LogStatements:
    """The statements for one table."""

    def __init__(self, table: str) -> None:
        self.create_table = CREATE_TABLE.format(table=table)
        self.insert = f"INSERT INTO {table} ({COLUMNS}) VALUES (?, ?, ?, ?) RETURNING notification_id"
        self.select_last_version = f"SELECT MAX(originator_version) FROM {table} WHERE originator_id = ?"
        self.select_version_at = f"{self.select_last_version} AND notification_id <= ?"
        self.select_through_index = (  # whatever values a changed file holds, the row's own ones are looked up
            f"SELECT found.notification_id FROM {table} AS row NOT INDEXED"
            f" JOIN {table} AS found USING (originator_id, originator_version) WHERE row.notification_id = ?"
        )
        self.select_last_id = f"SELECT MAX(notification_id) FROM {table}"
        select_game = f"SELECT originator_version, {SAFE_COLUMNS} FROM {table} {BETWEEN_VERSIONS}"
        self.select_game = {False: f"{select_game} LIMIT ?", True: f"{select_game} DESC LIMIT ?"}
        """Whether it's the other way round, and the statement."""
        self.select_log_rows = (
            "SELECT notification_id, CAST(originator_id AS BLOB),"
            f" CASE typeof(originator_version) WHEN 'integer' THEN originator_version END, {SAFE_COLUMNS}"
            f" FROM {table} WHERE notification_id > ? ORDER BY notification_id LIMIT ?"
        )
        self.select_openings = (
            f"SELECT notification_id, originator_id FROM {table} WHERE notification_id > ? AND notification_id <= ?"
            f" AND originator_version = 1 AND {IS_GAME_ID} ORDER BY notification_id LIMIT ?"
        )
        self.select_all = (
            f"SELECT notification_id, {COLUMNS} FROM {table} WHERE notification_id >= ? AND notification_id <= ?"
        )
        self._insert_rows = f"INSERT INTO {table} ({COLUMNS}) VALUES "

    def insert_rows(self, count: int) -> str:
        """Return the statement that inserts that many rows, up to `MOST_ROWS`. Their ids are consecutive."""
        return self._insert_rows + ", ".join(["(?, ?, ?, ?)"] * count)


log_statements = cache(LogStatements)
"""Return the statements for a table."""


ID_LENGTH = 32
read_uuid = lru_cache(4096)(UUID)
"""Return the UUID of a stored id; raise ValueError if it's none."""


def read_game_row(row: tuple[Any, ...]) -> RawEvent:
    """Return a row of `select_game` with its topic as text. None replaces a value of another kind."""
    version, topic, state = row
    return version, _text(topic), state


def read_log_row(row: tuple[Any, ...]) -> RawLogRow:
    """Return a row of `select_log_rows` with its game and topic."""
    at, game, version, topic, state = row
    return at, _uuid_or_text(game), version, _text(topic), state


@lru_cache(256)
def _text(stored: bytes | None) -> Any:
    """Return a topic as text; the same few topics come again and again."""
    return None if stored is None else stored.decode(errors="replace")


def _uuid_or_text(stored: bytes | None) -> UUID | str:
    """Return the UUID in a column, or its text if it's none. Only ids of the usual length are cached."""
    if stored is not None and len(stored) == ID_LENGTH:
        return _cached_id(stored)
    return (stored or b"").decode(errors="replace")


@lru_cache(4096)
def _cached_id(stored: bytes) -> UUID | str:
    text = stored.decode(errors="replace")
    try:
        uuid = UUID(text)
    except ValueError:
        return text
    return uuid if uuid.hex == text else text


def hex_of(originator_id: UUID | str) -> str:
    """Return a game's id as it is stored."""
    return (originator_id if isinstance(originator_id, UUID) else UUID(originator_id)).hex


def follows_last_event(connection: sqlite3.Connection, sql: LogStatements, batch: Sequence[StoredEvent]) -> bool:
    """Return whether a batch follows the last event of its game."""
    last = connection.execute(sql.select_last_version, (hex_of(batch[0].originator_id),)).fetchone()[0]
    return bool(batch[0].originator_version == (1 if last is None else last + 1))


def insert(connection: sqlite3.Connection, sql: LogStatements, events: Sequence[StoredEvent]) -> list[int]:
    """Insert events with few statements and return their ids, which are consecutive."""
    ids: list[int] = []
    for at in range(0, len(events), MOST_ROWS):
        rows = [(hex_of(e.originator_id), e.originator_version, e.topic, e.state) for e in events[at : at + MOST_ROWS]]
        last = connection.execute(sql.insert_rows(len(rows)), [value for row in rows for value in row]).lastrowid or 0
        ids += range(last - len(rows) + 1, last + 1)
    return ids


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


DEFAULT_SHARDS = 1
TAKE_ROOM = "CREATE TABLE room (bytes BLOB)", "INSERT INTO room VALUES (zeroblob(32768))", "DROP TABLE room"
"""Needs the room of a few moves, and gives it back to the file."""
SELECT_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table'"


class SqliteTables(LogTables):
    """The tables of a log with this number of shards."""

    def __init__(self, file: SqliteLogFile, count: int) -> None:
        self._file = file
        self._recorders = [SqliteLogRecorder(file, table) for table in sqlite_tables(count)]
        ids = [f"(SELECT MAX(notification_id) FROM {table})" for table in sqlite_tables(count)]
        self._select_last_ids = f"SELECT {', '.join(ids)}"
        self._watch = self.watch_commits()

    @property
    def recorders(self) -> Sequence[SqliteLogRecorder]:
        """The recorder of each shard, in order."""
        return self._recorders

    def insert_batches(self, shards: Sequence[int], batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        stored: list[list[int] | None] = [None] * len(batches)
        with self._file.transaction() as connection:
            for shard in sorted(set(shards)):
                places = [place for place, each in enumerate(shards) if each == shard]
                ids = self._recorders[shard].insert_within(connection, [batches[place] for place in places])
                for place, each in zip(places, ids, strict=True):
                    stored[place] = each
        self._watch.note((shard, ids[-1]) for shard, ids in zip(shards, stored, strict=True) if ids)
        return stored

    def last_ids(self) -> list[int]:
        return [found or 0 for found in self._file.rows(self._select_last_ids)[0]]

    def log_rows(self, after: Sequence[int | None], limit: int) -> list[tuple[int, RawLogRow]]:
        return [
            (shard, row)
            for shard, gt in enumerate(after)
            if gt is not None
            for row in self._recorders[shard].log_rows(gt, limit)
        ]

    def examine(self) -> None:
        self._file.examine()

    def rows_on_disk(self, places: Sequence[tuple[int, int]]) -> list[tuple[int, RawLogRow]]:
        """See `LogTables`. Raise LogFileDamaged if a row isn't found by its game: an older page is among newer ones."""
        tables = sqlite_tables(len(self._recorders))
        rows: list[tuple[int, RawLogRow]] = []
        with self._file.snapshot() as connection:
            for shard, number in places:
                sql = log_statements(tables[shard])
                row = connection.execute(sql.select_log_rows, (number - 1, 1)).fetchone()
                if row is None or row[0] != number:
                    continue
                if connection.execute(sql.select_through_index, (number,)).fetchall() != [(number,)]:
                    raise LogFileDamaged(damage_sentence(self._file.path, "its index and its rows differ"))
                rows.append((shard, read_log_row(row)))
        return rows

    def try_to_write(self) -> None:
        with self._file.transaction() as connection:
            for statement in TAKE_ROOM:
                connection.execute(statement)

    def close(self) -> None:
        self._watch.close()
        self._file.close()


def open_sqlite_tables(file: SqliteLogFile, wanted: int | None, *, create: bool) -> SqliteTables:
    """Open the tables of a file; with `create`, create what is missing. Raise OtherShards if their number differs."""
    if not create:
        found = read_shards(file.rows) if file.path.exists() else None
        if found is None:
            raise NoLog(str(file.path))
        return SqliteTables(file, choose_shards(found, wanted, DEFAULT_SHARDS))
    file.create()
    with file.transaction() as connection:
        select = select_with(connection)
        found = read_shards(select)
        count = choose_shards(found, wanted, DEFAULT_SHARDS)
        for statement in create_statements(count):
            connection.execute(statement)
        if found is None or read_dictionaries(select):
            connection.execute(ADD_DICTIONARY.format(schema=""))
        connection.execute(f"INSERT INTO {SHARDS_TABLE} VALUES (?) ON CONFLICT DO NOTHING", (count,))
    return SqliteTables(file, count)


def create_statements(count: int, copying_to: int | None = None) -> Iterator[str]:
    """Yield the statements for all tables of a log, and of a copy that isn't complete."""
    yield CREATE_SHARDS.format(schema="")
    yield CREATE_DICTIONARIES.format(schema="")
    if copying_to is not None:
        yield CREATE_RESHARDING.format(schema="")
    for table in {*sqlite_tables(count), *([] if copying_to is None else sqlite_tables(copying_to))}:
        yield log_statements(table).create_table


def select_with(connection: sqlite3.Connection) -> Select:
    """Return a function that runs a statement on this connection and returns its rows."""
    return lambda statement: connection.execute(statement).fetchall()


def read_shards(select: Select) -> int | None:
    """Return the number of shards of the log in a file; None if there's no log in it."""
    return find_shards(_tables(select), ONLY_SQLITE_TABLE, select)


def read_dictionaries(select: Select) -> list[int]:
    """Return the dictionaries that states of the log in a file may be compressed with."""
    return find_dictionaries(_tables(select), select)


def unfinished_copy(select: Select) -> int | None:
    """Return the number of shards of a copy in a file that isn't complete, or None."""
    return find_copy(_tables(select), select)


def _tables(select: Select) -> set[str]:
    return {name for (name,) in select(SELECT_TABLES)}
