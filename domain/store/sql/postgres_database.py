"""A group of tables in a PostgreSQL schema."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, LiteralString

import psycopg

from domain.store.sql.breaker import Timeouts
from domain.store.sql.postgres_pool import PoolShare, lock_migrations
from domain.store.sql.transactions import (
    POSTGRES,
    Clock,
    ColumnType,
    RowValues,
    Schema,
    Transaction,
    to_json,
    upsert_json_statement,
)

BEGIN_READING = b"BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
BEGIN = {True: b"BEGIN", False: b"BEGIN; SET LOCAL synchronous_commit = off"}
"""Whether commits must last, and how a transaction begins that writes."""
CREATE_SCHEMA = "CREATE SCHEMA IF NOT EXISTS {schema}; SET LOCAL search_path = {schema}"
SELECT_UNSAFE = (
    "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name"
)
SELECT_RELATIONS = "SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace(?)"
SELECT_COLUMNS = (
    "SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND atttypid > 0"
)
"""A column that was dropped has no type. The views of information_schema take much longer."""
CREATES = re.compile(r"CREATE (?:UNLOGGED TABLE|TABLE|INDEX|UNIQUE INDEX) IF NOT EXISTS (\w+)\b")
"""To create what exists does nothing, a hundred times at each start. To create an index that exists also waits for all
who write to its table, and blocks those who come."""


class PostgresDatabase:
    """A schema of a PostgreSQL database, through a pool of connections."""

    dialect = POSTGRES

    def __init__(self, schema: Schema, url: str, timeouts: Timeouts, clock: Clock) -> None:
        self._schema = schema
        self.clock = clock
        self._pool = PoolShare(url, timeouts, schema.connections)
        self._pool.open()

    def now(self) -> int:
        return self.clock()

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        with self._pool.connection() as connection:
            return _fetch_all(connection, statement, values)

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Transaction]:
        """A reading transaction sees one snapshot."""
        with self._pool.connection() as connection:  # which commits, or rolls back when something is raised
            connection.execute(BEGIN[self._schema.durable] if writes else BEGIN_READING, prepare=False)
            yield _PostgresTransaction(connection, self._schema, self.clock)

    def create_tables(self, statements: Iterable[str]) -> None:
        with self.transaction(writes=True) as transaction:
            transaction.lock_schema()
            present = {name for (name,) in transaction.run(SELECT_RELATIONS, self._schema.name)}
            for statement in statements:
                created = CREATES.match(statement)
                if created is None or created[1] not in present:
                    transaction.run(statement)

    def require_files(self) -> None:
        """Do nothing: the files are the database's."""

    def unsafe_settings(self) -> list[str]:
        return [name for (name,) in self.run(SELECT_UNSAFE)]

    def drop_deleted(self) -> None:
        """Do nothing: autovacuum removes deleted rows."""

    def close(self) -> None:
        self._pool.close()


class _PostgresTransaction:
    def __init__(self, connection: psycopg.Connection[Any], schema: Schema, clock: Clock) -> None:
        self._connection = connection
        self._schema = schema
        self.now = clock

    def run(self, statement: str, *values: Any) -> list[RowValues]:
        return _fetch_all(self._connection, statement, values)

    def run_many(self, statement: str, rows: Iterable[RowValues]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_with_percent(statement), rows)

    def read_among(self, select: str, column: str, values: Collection[str]) -> list[RowValues]:
        return self.run(f"{select} WHERE {column} = ANY(?)", list(values))

    def upsert(self, table: str, columns: Mapping[str, ColumnType], key: int, rows: Collection[RowValues]) -> None:
        """Send the rows as one JSON text: as a parameter each, the values would take five times as long."""
        self.run(
            upsert_json_statement(table, columns, key), to_json([dict(zip(columns, row, strict=True)) for row in rows])
        )

    def count_changes(self, statement: str, *values: Any) -> int:
        return self._connection.execute(_with_percent(statement), values).rowcount

    def lock_schema(self) -> None:
        """Hold the lock until the transaction ends."""
        lock_migrations(self._connection.cursor(), self._schema.lock_id)
        self._connection.execute(CREATE_SCHEMA.format(schema=self._schema.name).encode(), prepare=False)

    def columns(self, table: str) -> set[str]:
        return {name for (name,) in self.run(SELECT_COLUMNS, f"{self._schema.name}.{table}")}


def _fetch_all(connection: psycopg.Connection[Any], statement: str, values: RowValues) -> list[RowValues]:
    cursor = connection.execute(_with_percent(statement), values)
    return [] if cursor.rownumber is None else cursor.fetchall()


def _with_percent(statement: str) -> LiteralString:
    return statement.replace("?", "%s")
