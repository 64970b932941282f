"""A copy of a log into another number of shards, in its SQLite file."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

from domain.store.log import Numbers
from domain.store.shards.layout import (
    CREATE_RESHARDING,
    CREATE_SHARDS,
    RESHARDING_TABLE,
    SELECT_WITHOUT_OPENING,
    SHARDS_TABLE,
    sqlite_tables,
)
from domain.store.shards.reshard import CopiedRow, CopyPlace, CopyTransaction
from domain.store.sqlite import COLUMNS, SqliteLogFile, log_statements, read_uuid, select_with, unfinished_copy


class SqliteCopy(CopyPlace):
    """The copy in a file whose log has `source` shards, into `shards` shards."""

    def __init__(self, file: SqliteLogFile, source: int, shards: int) -> None:
        self._file, self._source, self.shards = file, source, shards

    def begin(self) -> list[int]:
        with self._file.transaction() as connection:
            unfinished = unfinished_copy(select_with(connection))
            if unfinished != self.shards:
                _drop(connection, unfinished)
                connection.execute(CREATE_RESHARDING.format(schema=""))
                rows = [(shard, 0, self.shards) for shard in range(self._source)]
                connection.executemany(f"INSERT INTO {RESHARDING_TABLE} VALUES (?, ?, ?)", rows)
                for table in sqlite_tables(self.shards):
                    connection.execute(log_statements(table).create_table)
            return [at for (at,) in connection.execute(f"SELECT copied FROM {RESHARDING_TABLE} ORDER BY shard")]

    def drop(self) -> None:
        with self._file.transaction() as connection:
            _drop(connection, self.shards)

    def abandon(self) -> None:
        with self._file.transaction() as connection:
            unfinished = unfinished_copy(select_with(connection))
            if unfinished != self._source:
                _drop(connection, unfinished)

    @contextmanager
    def transaction(self) -> Iterator[CopyTransaction]:
        with self._file.transaction() as connection:
            yield _SqliteCopyTransaction(connection, self._source, self.shards)


def _drop(connection: sqlite3.Connection, shards: int | None) -> None:
    for table in [] if shards is None else [*sqlite_tables(shards), RESHARDING_TABLE]:
        connection.execute(f"DROP TABLE IF EXISTS {table}")


class _SqliteCopyTransaction(CopyTransaction):
    def __init__(self, connection: sqlite3.Connection, source: int, shards: int) -> None:
        self._connection, self._source, self._shards = connection, source, shards

    def insert(self, shard: int, rows: Sequence[CopiedRow]) -> None:
        statement = f"INSERT INTO {sqlite_tables(self._shards)[shard]} ({COLUMNS}) VALUES (?, ?, ?, ?)"
        self._connection.executemany(statement, [(game.hex, *rest) for game, *rest in rows])

    def save_progress(self, copied: Numbers) -> None:
        rows = [(at, shard) for shard, at in enumerate(copied)]
        self._connection.executemany(f"UPDATE {RESHARDING_TABLE} SET copied = ? WHERE shard = ?", rows)

    def lock(self) -> None:
        """Do nothing: a transaction that writes has locked the file."""

    def copied_rows(self) -> Iterator[CopiedRow]:
        for table in sqlite_tables(self._shards):
            for game, *rest in self._connection.execute(f"SELECT {COLUMNS} FROM {table}"):
                version, topic, state = rest
                yield read_uuid(game), version, topic, state

    def game_without_opening(self) -> UUID | None:
        for table in sqlite_tables(self._shards):
            for (game,) in self._connection.execute(SELECT_WITHOUT_OPENING.format(table=table)):
                return read_uuid(game)
        return None

    def switch(self) -> None:
        for table in [*sqlite_tables(self._source), RESHARDING_TABLE]:
            self._connection.execute(f"DROP TABLE {table}")
        self._connection.execute(CREATE_SHARDS.format(schema=""))
        self._connection.execute(f"DELETE FROM {SHARDS_TABLE}")
        self._connection.execute(f"INSERT INTO {SHARDS_TABLE} VALUES (?)", (self._shards,))
