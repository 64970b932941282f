"""The tables of all shards in one PostgreSQL database. Writers of different shards don't wait for each other.

A transaction that writes to several shards locks their tables in ascending order, so that no two wait for each other.
"""

from collections.abc import Collection, Sequence
from math import inf
from time import monotonic
from typing import Any

import psycopg
from eventsourcing.persistence import PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresDatastore
from psycopg.sql import SQL, Composed, Identifier, Literal

from domain.store.postgres import CREATE_SCHEMA, MIGRATION_LOCK, PostgresLogRecorder, columns_of, fetch_rows
from domain.store.recorder import MAX_INTEGER, LogTables, NoLog, RawLogRow
from domain.store.shards.layout import (
    ADD_DICTIONARY,
    CREATE_DICTIONARIES,
    CREATE_SHARDS,
    KEEP_SHARDS,
    SHARDS_TABLE,
    Select,
    choose_shards,
    find_copy,
    find_dictionaries,
    find_shards,
    postgres_tables,
)
from domain.store.shards.servers import read_map
from domain.store.sql.postgres_pool import lock_migrations

DEFAULT_SHARDS = 8
HURRY_S, HURRY_MS = 5.0, 800
"""How many seconds after a failed transaction on several shards one on a single shard waits less for its lock.

The second figure is the most milliseconds that all shards wait together.
"""
CREATE_APPEND_TO_SHARDS = """
CREATE OR REPLACE FUNCTION {function}(
    bounds int[], ids uuid[], versions bigint[], topics text[], states bytea[], batches int[], patience text
) RETURNS TABLE (stored_id bigint, stored_game uuid, stored_version bigint) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
{parts}
END $$"""
APPEND_TO_SHARD = """    IF bounds[{next}] > bounds[{first}] THEN
        RETURN QUERY SELECT * FROM {append}(
            ids[bounds[{first}] + 1:bounds[{next}]], versions[bounds[{first}] + 1:bounds[{next}]],
            topics[bounds[{first}] + 1:bounds[{next}]], states[bounds[{first}] + 1:bounds[{next}]],
            batches[bounds[{first}] + 1:bounds[{next}]], patience
        );
    END IF;"""
"""`bounds` are the places in the columns at which each shard begins, and the end."""
APPEND_TO_SHARDS = (
    "SELECT stored_id, stored_game, stored_version FROM {function}"
    "(%b::int[], %b::uuid[], %b::bigint[], %b::text[], %b::bytea[], %b::int[],"
    " COALESCE(%b, current_setting('lock_timeout')))"
)
SELECT_LAST_ID = "(SELECT MAX(notification_id) FROM {table})"
SELECT_LOG_ROWS = """(SELECT {shard}, notification_id, originator_id, originator_version, topic, state FROM {table}
    WHERE notification_id > %b ORDER BY notification_id LIMIT %b)"""
SELECT_TABLES = "SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace('{schema}') AND relkind = 'r'"
INSERT_SHARDS = "INSERT INTO {schema}." + SHARDS_TABLE + " VALUES ({count}) ON CONFLICT DO NOTHING"


class PostgresTables(LogTables):
    """The tables of a log with this number of shards in one database, which may hold some of them only (`held`)."""

    def __init__(self, datastore: PostgresDatastore, count: int, held: Sequence[int] | None = None) -> None:
        self._datastore, names = datastore, postgres_tables(count)
        self.held = range(count) if held is None else held
        self._recorders = [PostgresLogRecorder(datastore, events_table_name=name) for name in names]
        self._function = Identifier(datastore.schema, append_to_shards(count))
        tables = {shard: Identifier(datastore.schema, names[shard]) for shard in self.held}
        ids = SQL(", ").join(SQL(SELECT_LAST_ID).format(table=table) for table in tables.values())
        self._select_last_ids = (SQL("SELECT ") + ids).as_bytes()
        self._select_log_rows = (
            SQL(" UNION ALL ")
            .join(SQL(SELECT_LOG_ROWS).format(shard=Literal(shard), table=table) for shard, table in tables.items())
            .as_bytes()
        )
        self._failed_at = -inf
        """When a transaction on several shards last failed: each of them may be locked."""
        self._hurried_patience = f"{HURRY_MS // count}ms"
        self._append = SQL(APPEND_TO_SHARDS).format(function=self._function).as_bytes()

    @property
    def recorders(self) -> Sequence[PostgresLogRecorder]:
        """The recorder of each shard, in order."""
        return self._recorders

    def insert_batches(self, shards: Sequence[int], batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        """Insert batches as `PostgresLogRecorder.insert_batches` does."""
        if len(set(shards)) == 1:
            hurried = monotonic() - self._failed_at < HURRY_S
            return self._recorders[shards[0]].insert_batches(batches, self._hurried_patience if hurried else None)
        places = sorted(range(len(batches)), key=shards.__getitem__)
        sizes = [sum(len(batches[place]) for place in places if shards[place] < end) for end in range(self._count + 1)]
        columns = columns_of([event for place in places for event in batches[place]])
        numbers = [place for place in places for _ in batches[place]]
        shortest = next(filter(None, (self._recorders[shard].patience() for shard in set(shards))), None)
        try:
            rows = fetch_rows(self._datastore, self._append, [sizes, *columns, numbers, shortest])
        except PersistenceError:
            self._failed_at = monotonic()
            raise
        ids = {(game, version): at for at, game, version in rows}
        keys = [[(event.originator_id, event.originator_version) for event in batch] for batch in batches]
        return [[ids[key] for key in batch] if batch[0] in ids else None for batch in keys]

    @property
    def _count(self) -> int:
        return len(self._recorders)

    def last_ids(self) -> list[int]:
        """Return the last notification id of each shard that this database holds."""
        return [found or 0 for found in fetch_rows(self._datastore, self._select_last_ids, ())[0]]

    def log_rows(self, after: Sequence[int | None], limit: int) -> list[tuple[int, RawLogRow]]:
        wanted = [shard for shard in self.held if after[shard] is not None]
        if len(wanted) == 1:
            gt = after[wanted[0]] or 0
            return [(wanted[0], row) for row in self._recorders[wanted[0]].log_rows(gt, limit)]
        bounds = (after[shard] for shard in self.held)
        parameters = [value for gt in bounds for value in (MAX_INTEGER if gt is None else gt, limit)]
        rows = fetch_rows(self._datastore, self._select_log_rows, parameters)
        return sorted(((shard, tuple(row)) for shard, *row in rows), key=lambda each: (each[0], each[1][0]))

    def try_to_write(self) -> None:
        write_nothing(self._datastore)

    def close(self) -> None:
        self._datastore.close()

    def create(self, cursor: psycopg.Cursor[Any], assigned: Collection[int] = ()) -> None:
        """Create the tables and functions that are missing, but no table of an `assigned` shard: a move makes it."""
        for shard in self.held:
            self._recorders[shard].create_within(cursor, only_functions=shard in assigned)
        cursor.execute(self._create_append())

    def _create_append(self) -> Composed:
        schema = self._datastore.schema
        parts = [
            SQL(APPEND_TO_SHARD).format(
                first=Literal(shard + 1),
                next=Literal(shard + 2),
                append=Identifier(schema, f"append_batches_{recorder.events_table_name}"),
            )
            for shard, recorder in enumerate(self._recorders)
        ]
        return SQL(CREATE_APPEND_TO_SHARDS).format(function=self._function, parts=SQL("\n").join(parts))


def append_to_shards(count: int) -> str:
    """Return the name of the function that writes to several shards in one transaction."""
    return f"append_to_{count}_shards"


def write_nothing(datastore: PostgresDatastore) -> None:
    """Commit something that changes nothing in the database of a log."""
    table = Identifier(datastore.schema, SHARDS_TABLE)
    with datastore.transaction(commit=True) as cursor:
        cursor.execute(SQL(KEEP_SHARDS).format(table=table))


def open_postgres_tables(datastore: PostgresDatastore, wanted: int | None, *, create: bool) -> int:
    """Return the number of shards of a schema; with `create`, create what is missing.

    Raise OtherShards if their number differs. No table of a shard that was ever moved is created: it's elsewhere, or on
    its way back.
    """

    def select(statement: str) -> list[Any]:
        return fetch_rows(datastore, statement.encode(), ())

    if not create:
        found = read_shards(select, datastore.schema)
        if found is None:
            raise NoLog("this database")
        return choose_shards(found, wanted, DEFAULT_SHARDS)
    schema = Identifier(datastore.schema)
    with datastore.transaction(commit=True) as cursor:
        lock_migrations(cursor, MIGRATION_LOCK)
        cursor.execute(SQL(CREATE_SCHEMA).format(schema=schema))
        found = read_shards(select, datastore.schema)
        count = choose_shards(found, wanted, DEFAULT_SHARDS)
        for statement in (CREATE_SHARDS, CREATE_DICTIONARIES):
            cursor.execute(SQL(statement).format(schema=schema + SQL(".")))
        if found is None or read_dictionaries(select, datastore.schema):
            cursor.execute(SQL(ADD_DICTIONARY).format(schema=schema + SQL(".")))
        cursor.execute(SQL(INSERT_SHARDS).format(schema=schema, count=Literal(count)))
        PostgresTables(datastore, count).create(cursor, read_map(select))
    return count


def select_with(connection: psycopg.Connection[Any]) -> Select:
    """Return a function that runs a statement on this connection and returns its rows."""
    return lambda statement: connection.execute(statement.encode()).fetchall()


def read_shards(select: Select, schema: str) -> int | None:
    """Return the number of shards of the log in a schema; None if there's no log in it."""
    (only_table,) = postgres_tables(1)
    return find_shards(table_names(select, schema), only_table, select, f"{schema}.")


def read_dictionaries(select: Select, schema: str) -> list[int]:
    """Return the dictionaries that states of the log in a schema may be compressed with."""
    return find_dictionaries(table_names(select, schema), select, f"{schema}.")


def unfinished_copy(select: Select, schema: str) -> int | None:
    """Return the number of shards of a copy in a schema that isn't complete, or None."""
    return find_copy(table_names(select, schema), select, f"{schema}.")


def table_names(select: Select, schema: str) -> set[str]:
    """Return the names of a schema's tables."""
    return {name for (name,) in select(SELECT_TABLES.format(schema=schema))}
