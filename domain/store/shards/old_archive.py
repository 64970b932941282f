"""Bringing back what version 0.2 had archived: rows of finished games in a table beside that of their shard.

They go back into the log with the numbers, versions and bytes that they had, a page of games in each transaction. The
root of each game is compared before its archived rows are deleted. This can be interrupted at any moment, and several
processes can do it at the same time.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID

from eventsourcing.persistence import PersistenceError
from eventsourcing.postgres import PostgresDatastore
from psycopg import Cursor
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from domain.protocols.merkle_log import EMPTY, leaf
from domain.store.aggregate import PREV_SIZE, Corrupt
from domain.store.application import FactMapper
from domain.store.log import ShardedLog
from domain.store.postgres import MIGRATION_LOCK, PostgresLogFactory, PostgresLogRecorder, fetch_rows
from domain.store.recorder import MAX_INTEGER, RawEvent
from domain.store.shards.layout import postgres_tables, sqlite_tables
from domain.store.shards.postgres_tables import table_names
from domain.store.sql.postgres_pool import lock_migrations
from domain.store.sql.sqlite import SIDE_FILES
from domain.store.sqlite import (
    COLUMNS,
    IS_GAME_ID,
    SELECT_TABLES,
    SqliteLogFile,
    SqliteLogRecorder,
    log_statements,
    read_game_row,
    read_uuid,
)

ARCHIVE_FILE = "archive.db"
GAMES_A_PAGE = 16
"""How many games go back in one transaction: commits wait meanwhile."""
IS_ARCHIVED = (
    "finished games of this store are in an archive, which only version 0.2 reads; run `trickbook store init`, which"
    " puts them back into the log"
)
ALL_COLUMNS = f"notification_id, {COLUMNS}"
SELECT_GAMES = (
    "SELECT DISTINCT originator_id FROM {table} WHERE originator_id > ? AND "
    f"{IS_GAME_ID} ORDER BY originator_id LIMIT ?"
)
POSTGRES_GAMES = """
SELECT DISTINCT originator_id FROM {schema}.{archive} WHERE originator_id > %s ORDER BY originator_id LIMIT %s"""
POSTGRES_COPY = """
INSERT INTO {schema}.{table} (originator_id, originator_version, topic, state, notification_id)
OVERRIDING SYSTEM VALUE
SELECT originator_id, originator_version, topic, state, notification_id
FROM {schema}.{archive} WHERE originator_id = ANY(%s::uuid[]) ON CONFLICT DO NOTHING"""
POSTGRES_LOG_ROWS = """
SELECT originator_version, topic, state FROM {schema}.{table} WHERE originator_id = %s ORDER BY originator_version"""
POSTGRES_ROWS = """
SELECT originator_version, topic, state FROM {schema}.{archive} WHERE originator_id = %s ORDER BY originator_version"""
POSTGRES_DELETE = "DELETE FROM {schema}.{archive} WHERE originator_id = ANY(%s::uuid[])"
POSTGRES_EXISTS = "SELECT 1 WHERE to_regclass(%s) IS NOT NULL"
POSTGRES_REST = "SELECT 1 FROM {schema}.{archive} LIMIT 1"
POSTGRES_DROP = "DROP TABLE {schema}.{archive}"
POSTGRES_RENAME = "ALTER TABLE {schema}.{archive} RENAME TO {damaged}"


class GamesArchived(Exception):
    """Games are in an archive, and the log isn't open for writing."""

    def __init__(self) -> None:
        super().__init__(IS_ARCHIVED)


def archive_table_name(events_table_name: str) -> str:
    """Return the name of the archive of a table in PostgreSQL: games00_archive for games00_events."""
    return f"{events_table_name.removesuffix('_events')}_archive"


def damaged_table_name(archive: str) -> str:
    """Return the name of the table that keeps the archived rows that can't go back."""
    return f"{archive}_damaged"


def has_sqlite_archive(folder: Path, shards: int) -> bool:
    """Return whether games of a log with this number of shards in a folder are in an archive."""
    return bool(_sqlite_archives(folder, shards))


def has_postgres_archive(tables: set[str], shards: int) -> bool:
    """Return whether an archive of a log with this number of shards is among these tables."""
    return not tables.isdisjoint(map(archive_table_name, postgres_tables(shards)))


def bring_back(log: ShardedLog, *, migrate: bool) -> None:
    """Put archived rows back into the log. Raise GamesArchived if there are some and `migrate` is false.

    If the log holds other rows of a game than the archive, or its links are broken, its archived rows are kept in a
    table that nothing reads. A server beside home that can't be reached keeps its archive until a later start.
    """
    for archive in _archives(log):
        if not migrate:
            raise GamesArchived
        reached: UUID | None = UUID(int=0)
        while reached is not None:
            reached = archive.bring_back(reached)


def _archives(log: ShardedLog) -> "Iterator[_SqliteArchive | _PostgresArchive]":
    found = dict[int, set[str]]()
    for recorder in map(log.recorder, range(log.shards)):
        if isinstance(recorder, SqliteLogRecorder):
            if recorder.table in _sqlite_archives(recorder.file.path.parent, log.shards):
                yield _SqliteArchive(recorder, log.mapper)
        elif isinstance(recorder, PostgresLogRecorder):
            datastore = recorder.datastore
            if id(datastore) not in found:
                found[id(datastore)] = _tables_of(datastore, log)
            if archive_table_name(recorder.events_table_name) in found[id(datastore)]:
                yield _PostgresArchive(recorder, log.mapper)


def _sqlite_archives(folder: Path, shards: int) -> set[str]:
    return _tables_in(folder / ARCHIVE_FILE).intersection(sqlite_tables(shards))


def _tables_in(path: Path) -> set[str]:
    """Return the tables in a file; none if it's missing, or if another process removes it meanwhile."""
    try:
        with closing(SqliteLogFile(path)) as file:
            return {name for (name,) in file.rows(SELECT_TABLES)}
    except PersistenceError:
        if path.exists():
            raise
        return set()


def _tables_of(datastore: PostgresDatastore, log: ShardedLog) -> set[str]:
    try:
        return table_names(lambda statement: fetch_rows(datastore, statement.encode(), ()), datastore.schema)
    except PersistenceError:
        if isinstance(log.factory, PostgresLogFactory) and log.factory.datastore is datastore:
            raise
        return set()


class _SqliteArchive:
    """A table in archive.db. Nobody opens that file for it without the log's write lock, so that it can be deleted."""

    def __init__(self, recorder: SqliteLogRecorder, mapper: FactMapper) -> None:
        self._recorder, self._mapper = recorder, mapper
        self._path = recorder.file.path.with_name(ARCHIVE_FILE)

    def bring_back(self, after: UUID) -> UUID | None:
        """Put back the next games with ids above `after`, and return the last; None after the end of the archive.

        Their rows are on disk in the log before another transaction deletes them from the archive.
        """
        table, whole = self._recorder.table, list[UUID]()
        insert = f"INSERT OR IGNORE INTO {table} ({ALL_COLUMNS}) VALUES (?, ?, ?, ?, ?)"
        with self._recorder.file.transaction() as log:
            if table not in _tables_in(self._path):  # another process has brought all of it back
                return None
            with closing(SqliteLogFile(self._path)) as archive:
                recorder = SqliteLogRecorder(archive, table)
                found = archive.rows(SELECT_GAMES.format(table=table), (after.hex, GAMES_A_PAGE))
                games = [read_uuid(game) for (game,) in found]
                for game in games:
                    select = f"SELECT {ALL_COLUMNS} FROM {table} WHERE originator_id = ?"
                    log.executemany(insert, archive.rows(select, (game.hex,)))
                    select = log_statements(table).select_game[False]
                    stored = [read_game_row(row) for row in log.execute(select, (game.hex, 0, MAX_INTEGER, -1))]
                    if _is_back(self._mapper, game, recorder.raw_events(game), stored):
                        whole.append(game)
        return self._delete(games, whole)

    def _delete(self, games: Sequence[UUID], whole: Sequence[UUID]) -> UUID | None:
        table = self._recorder.table
        with self._recorder.file.transaction():
            if table not in _tables_in(self._path):
                return None
            with closing(SqliteLogFile(self._path)) as archive, archive.transaction() as connection:
                ids = [(game.hex,) for game in whole]
                connection.executemany(f"DELETE FROM {table} WHERE originator_id = ?", ids)
                if games:
                    return games[-1]
                if connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
                    connection.execute(f"ALTER TABLE {table} RENAME TO {damaged_table_name(table)}")
                else:
                    connection.execute(f"DROP TABLE {table}")
                left = connection.execute(SELECT_TABLES).fetchall()
            if not left:
                for suffix in ("", *SIDE_FILES):
                    self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        return None


class _PostgresArchive:
    """A table beside that of the log."""

    def __init__(self, recorder: PostgresLogRecorder, mapper: FactMapper) -> None:
        self._datastore, self._mapper = recorder.datastore, mapper
        archive = archive_table_name(recorder.events_table_name)
        names = {"table": recorder.events_table_name, "archive": archive, "damaged": damaged_table_name(archive)}
        self._names = {key: Identifier(name) for key, name in {"schema": recorder.datastore.schema, **names}.items()}
        self._archive = f'{recorder.datastore.schema}."{archive}"'

    def bring_back(self, after: UUID) -> UUID | None:
        """Put back games as `_SqliteArchive.bring_back` does, but in one transaction."""
        with self._datastore.transaction(commit=True) as cursor:
            lock_migrations(cursor, MIGRATION_LOCK)
            run = _Runner(cursor.connection.cursor(row_factory=tuple_row), self._names)
            if not run(POSTGRES_EXISTS, self._archive):
                return None
            games: list[UUID] = [game for (game,) in run(POSTGRES_GAMES, after, GAMES_A_PAGE)]
            run(POSTGRES_COPY, games)
            run(
                POSTGRES_DELETE,
                [
                    game
                    for game in games
                    if _is_back(self._mapper, game, run(POSTGRES_ROWS, game), run(POSTGRES_LOG_ROWS, game))
                ],
            )
            if not games:
                run(POSTGRES_RENAME if run(POSTGRES_REST) else POSTGRES_DROP)
            return games[-1] if games else None


class _Runner:
    """Runs statements with the names of tables in them, and returns their rows."""

    def __init__(self, cursor: Cursor[Any], names: Mapping[str, Identifier]) -> None:
        self._cursor, self._names = cursor, names

    def __call__(self, statement: LiteralString, *values: object) -> list[Any]:
        self._cursor.execute(SQL(statement).format(**self._names), values)
        return self._cursor.fetchall() if self._cursor.description else []


def _is_back(mapper: FactMapper, game: UUID, archived: Sequence[RawEvent], stored: Sequence[RawEvent]) -> bool:
    """Return whether the log holds each archived row, and their root is the link of the event after them."""
    size, frontier = len(archived), EMPTY
    try:
        for version, _, state in mapper.decrypt_rows(str(game), stored):
            if version != frontier.size + 1:
                return False
            if version > size:
                return {*archived} <= {*stored} and state[:PREV_SIZE] == frontier.root()
            frontier = frontier.append(leaf(state[PREV_SIZE:]))
    except (Corrupt, TypeError):  # a damaged file may hold values of any type
        return False
    return not archived
