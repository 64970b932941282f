"""The tables of all shards in one SQLite file, which has one writer at a time whatever their number."""

import sqlite3
from collections.abc import Iterator, Sequence

from eventsourcing.persistence import StoredEvent

from domain.store.recorder import LogFileDamaged, LogTables, NoLog, RawLogRow
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
from domain.store.sql.sqlite_errors import damage_sentence
from domain.store.sqlite.recorder import SqliteLogFile, SqliteLogRecorder
from domain.store.sqlite.rows import log_statements, read_log_row

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
