"""A copy of a log into another number of shards, in its PostgreSQL database."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from domain.store.log import Numbers
from domain.store.postgres import MIGRATION_LOCK
from domain.store.shards.layout import (
    CREATE_RESHARDING,
    CREATE_SHARDS,
    RESHARDING_TABLE,
    SELECT_WITHOUT_OPENING,
    SHARDS_TABLE,
    postgres_tables,
)
from domain.store.shards.postgres_tables import PostgresTables, append_to_shards, select_with, unfinished_copy
from domain.store.shards.reshard import CopiedRow, CopyPlace, CopyTransaction
from domain.store.shards.servers import MAP_TABLE
from domain.store.sql.breaker import Timeouts
from domain.store.sql.postgres_pool import connect, lock_migrations

SCHEMA = "log"
IN_SCHEMA = SQL("log.")
COPY_ROWS = "COPY {} (originator_id, originator_version, topic, state) FROM STDIN (FORMAT BINARY)"
COLUMN_TYPES = "uuid", "int8", "text", "bytea"
ROWS_PER_PAGE = 2000


class PostgresCopy(CopyPlace):
    """The copy in a database whose log has `source` shards, into `shards` shards."""

    def __init__(self, url: str, timeouts: Timeouts, source: int, tables: PostgresTables) -> None:
        self._place, self._source, self._tables = (url, timeouts), source, tables
        self.shards = len(tables.recorders)

    def begin(self) -> list[int]:
        with self._connect() as connection:
            lock_migrations(connection.cursor(), MIGRATION_LOCK)
            unfinished = unfinished_copy(select_with(connection), SCHEMA)
            if unfinished != self.shards:
                _drop(connection, unfinished)
                connection.execute(SQL(CREATE_RESHARDING).format(schema=IN_SCHEMA))
                for shard in range(self._source):
                    insert = SQL("INSERT INTO {} VALUES (%s, 0, %s)").format(Identifier(SCHEMA, RESHARDING_TABLE))
                    connection.execute(insert, (shard, self.shards))
                self._tables.create(connection.cursor())
            progress = SQL("SELECT copied FROM {} ORDER BY shard").format(Identifier(SCHEMA, RESHARDING_TABLE))
            return [int(at) for (at,) in connection.execute(progress)]

    def drop(self) -> None:
        with self._connect() as connection:
            _drop(connection, self.shards)

    def abandon(self) -> None:
        with self._connect() as connection:
            unfinished = unfinished_copy(select_with(connection), SCHEMA)
            if unfinished != self._source:
                _drop(connection, unfinished)

    @contextmanager
    def transaction(self) -> Iterator[CopyTransaction]:
        with self._connect() as connection:
            yield _PostgresCopyTransaction(connection, self._source, self.shards)

    def _connect(self) -> psycopg.Connection[Any]:
        """Connect; the block of a `with` is a transaction."""
        return connect(*self._place)


def _drop(connection: psycopg.Connection[Any], shards: int | None) -> None:
    if shards is not None:
        _drop_tables(connection, shards)


def _drop_tables(connection: psycopg.Connection[Any], shards: int) -> None:
    """Drop the tables of a log with this number of shards, their functions, and the progress of the copy."""
    tables = postgres_tables(shards)
    for name in (*tables, RESHARDING_TABLE):
        connection.execute(SQL("DROP TABLE IF EXISTS {}").format(Identifier(SCHEMA, name)))
    functions = [f"{kind}_{name}" for name in tables for kind in ("append", "append_batches")]
    for function in (*functions, append_to_shards(shards)):
        connection.execute(SQL("DROP FUNCTION IF EXISTS {}").format(Identifier(SCHEMA, function)))


class _PostgresCopyTransaction(CopyTransaction):
    def __init__(self, connection: psycopg.Connection[Any], source: int, shards: int) -> None:
        self._connection, self._source, self._shards = connection, source, shards

    def insert(self, shard: int, rows: Sequence[CopiedRow]) -> None:
        table = Identifier(SCHEMA, postgres_tables(self._shards)[shard])
        with self._connection.cursor().copy(SQL(COPY_ROWS).format(table)) as copy:
            copy.set_types(COLUMN_TYPES)
            for row in rows:
                copy.write_row(row)

    def save_progress(self, copied: Numbers) -> None:
        update = SQL("UPDATE {} SET copied = %s WHERE shard = %s").format(Identifier(SCHEMA, RESHARDING_TABLE))
        for shard, at in enumerate(copied):
            self._connection.execute(update, (at, shard))

    def lock(self) -> None:
        for name in postgres_tables(self._source):
            self._connection.execute(SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(Identifier(SCHEMA, name)))

    def copied_rows(self) -> Iterator[CopiedRow]:
        select = SQL("SELECT originator_id, originator_version, topic, state FROM {}")
        for name in postgres_tables(self._shards):
            with self._connection.cursor(name="rows") as cursor:
                cursor.itersize = ROWS_PER_PAGE
                yield from cursor.execute(select.format(Identifier(SCHEMA, name)))

    def game_without_opening(self) -> UUID | None:
        for name in postgres_tables(self._shards):
            select = SQL(SELECT_WITHOUT_OPENING).format(table=Identifier(SCHEMA, name))
            for (game,) in self._connection.execute(select):
                return UUID(str(game))
        return None

    def switch(self) -> None:
        _drop_tables(self._connection, self._source)
        self._connection.execute(SQL("DROP TABLE IF EXISTS {}").format(Identifier(SCHEMA, MAP_TABLE)))
        shards = Identifier(SCHEMA, SHARDS_TABLE)
        self._connection.execute(SQL(CREATE_SHARDS).format(schema=IN_SCHEMA))
        self._connection.execute(SQL("DELETE FROM {}").format(shards))
        self._connection.execute(SQL("INSERT INTO {} VALUES ({})").format(shards, Literal(self._shards)))
