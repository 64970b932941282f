"""The log in a schema of a PostgreSQL database: the library's recorder, with faster writes and reads of a game.

The library sends LOCK, NOTIFY and INSERT one by one in a transaction. Here one database function locks and inserts, and
its call is the transaction; nobody listens for a NOTIFY. The lock keeps notification ids in the order of the commits,
so every write to the table must use one of the two functions. It's an advisory lock, since a lock on the table would
wait for VACUUM, and cancel each autovacuum. The functions keep their plans: PostgreSQL would take short arrays as a
reason to plan every call again, which takes longer than the call.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from eventsourcing.persistence import Notification, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment, EnvType
from psycopg import Connection, Cursor
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.sql import SQL, Identifier, Literal

from domain.store.recorder import LOG_SCHEMA, MAX_INTEGER, STATEMENT_TIMEOUT, LogRecorder, RawEvent, RawLogRow
from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Timeouts
from domain.store.sql.postgres_pool import OUR_SCHEMAS, DatabaseHangs, PoolShare, lock_migrations

CREATE_SCHEMA = "CREATE SCHEMA IF NOT EXISTS {schema}"
CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS {schema}.{table} (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    notification_id bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (originator_id, originator_version),
    UNIQUE (notification_id)
)"""
CREATE_APPEND = """
CREATE OR REPLACE FUNCTION {schema}.{append}(
    ids uuid[], versions bigint[], topics text[], states bytea[], patience text
) RETURNS SETOF bigint LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    PERFORM set_config('lock_timeout', patience, true);
    PERFORM pg_advisory_xact_lock({lock} | {relation}::regclass::oid::bigint);
    RETURN QUERY
        INSERT INTO {schema}.{table} (originator_id, originator_version, topic, state)
        SELECT * FROM unnest(ids, versions, topics, states)
        RETURNING notification_id;
END $$"""
APPEND = "SELECT {schema}.{append}(%b::uuid[], %b::bigint[], %b::text[], %b::bytea[], current_setting('lock_timeout'))"
CREATE_APPEND_BATCHES = """
CREATE OR REPLACE FUNCTION {schema}.{append_batches}(
    ids uuid[], versions bigint[], topics text[], states bytea[], batches int[], patience text
) RETURNS TABLE (stored_id bigint, stored_game uuid, stored_version bigint) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    following int[];
BEGIN
    PERFORM set_config('lock_timeout', patience, true);
    PERFORM pg_advisory_xact_lock({lock} | {relation}::regclass::oid::bigint);
    following := ARRAY(
        SELECT batch FROM (
            SELECT DISTINCT ON (given.batch) given.batch, given.game, given.version
            FROM unnest(ids, versions, batches) AS given (game, version, batch) ORDER BY given.batch, given.version
        ) AS first
        WHERE version = 1 + COALESCE(
            (SELECT MAX(originator_version) FROM {schema}.{table} WHERE originator_id = first.game), 0
        )
    );
    RETURN QUERY
        INSERT INTO {schema}.{table} (originator_id, originator_version, topic, state)
        SELECT game, version, topic, state
        FROM unnest(ids, versions, topics, states, batches)
            WITH ORDINALITY AS given (game, version, topic, state, batch, place)
        WHERE batch = ANY (following) ORDER BY place
        RETURNING notification_id, originator_id, originator_version;
END $$"""
APPEND_BATCHES = (
    "SELECT stored_id, stored_game, stored_version FROM {schema}.{append_batches}"
    "(%b::uuid[], %b::bigint[], %b::text[], %b::bytea[], %b::int[], COALESCE(%b, current_setting('lock_timeout')))"
)
SELECT_LAST_VERSION = "SELECT MAX(originator_version) FROM {schema}.{table} WHERE originator_id = %b"
SELECT_VERSION_AT = (
    "SELECT MAX(originator_version) FROM {schema}.{table} WHERE originator_id = %b AND notification_id <= %b"
)
SELECT_OPENINGS = (
    "SELECT notification_id, originator_id FROM {schema}.{table}"
    " WHERE notification_id > %b AND notification_id <= %b AND originator_version = 1 ORDER BY notification_id LIMIT %b"
)
SELECT_GAME = (
    "SELECT originator_version, topic, state FROM {schema}.{table}"
    " WHERE originator_id = %b AND originator_version > %b AND originator_version <= %b"
    " ORDER BY originator_version{order} LIMIT %b"
)
SELECT_ALL = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM {schema}.{table}"
    " WHERE notification_id >= %b AND notification_id <= %b"
)
IN_ORDER = " ORDER BY notification_id LIMIT %b"
SELECT_LOG_ROWS = SELECT_ALL + IN_ORDER
SELECT_ROWS_OF_TOPICS = SELECT_ALL + " AND topic = ANY (%b::text[])" + IN_ORDER
SELECT_LAST_ID = "SELECT MAX(notification_id) FROM {schema}.{table}"
PROBE_PATIENCE = "200ms"
"""How long to wait for the lock of a table that was kept for too long a moment ago."""
MIGRATION_LOCK = 0x747269636B  # the advisory lock for creating tables
WRITE_LOCKS = 0x6C6F67 << 32  # the advisory locks of writers: added is the number that PostgreSQL gives the table


class PostgresLogRecorder(LogRecorder, PostgresApplicationRecorder):
    """A recorder with a pool of connections. Open it after a fork."""

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events") -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self._append, self._append_batches = self._sql(APPEND), self._sql(APPEND_BATCHES)
        self._select_last_version = self._sql(SELECT_LAST_VERSION)
        self._select_game = {desc: self._sql(SELECT_GAME, " DESC" if desc else "") for desc in (False, True)}
        self._select_log_rows = self._sql(SELECT_LOG_ROWS)
        self._select_openings, self._select_version_at = self._sql(SELECT_OPENINGS), self._sql(SELECT_VERSION_AT)
        self._select_rows_of_topics, self._select_last_id = self._sql(SELECT_ROWS_OF_TOPICS), self._sql(SELECT_LAST_ID)

    def create_table(self) -> None:
        """Create the schema, table and functions if missing. Safe for concurrent use by several processes."""
        with self.datastore.transaction(commit=True) as cursor:
            lock_migrations(cursor, MIGRATION_LOCK)
            cursor.execute(self._sql(CREATE_SCHEMA))
            self.create_within(cursor)

    def create_within(self, cursor: Cursor[Any], *, only_functions: bool = False) -> None:
        """Create the table and functions if missing, in the transaction of a cursor. The schema exists."""
        if not only_functions:
            cursor.execute(self._sql(CREATE_TABLE))
        for statement in (CREATE_APPEND, CREATE_APPEND_BATCHES):
            cursor.execute(self._sql(statement))

    def insert_alone(self, stored_events: Sequence[StoredEvent]) -> Sequence[int]:
        ids = [at for (at,) in self._rows(self._append, columns_of(stored_events))]
        self.watch.note([(self.shard, max(ids))])
        return ids

    def insert_batches(
        self, batches: Sequence[Sequence[StoredEvent]], patience: str | None = None
    ) -> list[list[int] | None]:
        """Insert batches as on SQLite. Wait for the table's lock for `patience`, or as `self.patience` says.

        If the connection breaks before the reply, the second attempt may find that the first stored the batches. Then
        it returns None for each, so the caller must look for its command in the log.
        """
        columns = columns_of([event for batch in batches for event in batch])
        numbers = [number for number, batch in enumerate(batches) for _ in batch]
        rows = self._rows(self._append_batches, [*columns, numbers, patience or self.patience()])
        self.watch.note((self.shard, at) for at, _, _ in rows)
        ids = {(game, version): at for at, game, version in rows}
        keys = [[(event.originator_id, event.originator_version) for event in batch] for batch in batches]
        return [[ids[key] for key in batch] if batch[0] in ids else None for batch in keys]

    def patience(self) -> str | None:
        """Return how long a commit may wait for the table's lock: None for the usual time, less after a vain wait.

        Otherwise, a table that somebody has locked would delay the commits to every other table by the usual time.
        """
        pool: Any = self.datastore.pool  # a PoolShare
        return PROBE_PATIENCE if pool.breaker.is_tripped(self._append_batches) else None

    def last_version(self, originator_id: UUID) -> int | None:
        found: int | None = self._rows(self._select_last_version, (originator_id,))[0][0]
        return found

    def _game_rows(
        self, game: UUID | str, above: int, upto: int, limit: int | None, *, desc: bool = False
    ) -> list[RawEvent]:
        return self._rows(self._select_game[desc], (game, above, upto, limit))

    def log_rows(self, gt: int, limit: int) -> list[RawLogRow]:
        return self._rows(self._select_log_rows, (gt + 1, MAX_INTEGER, limit))

    def openings(self, gt: int, lte: int, limit: int) -> list[tuple[int, UUID]]:
        return self._rows(self._select_openings, (gt, lte, limit))

    def version_at(self, originator_id: UUID, lte: int) -> int | None:
        found: int | None = self._rows(self._select_version_at, (originator_id, lte))[0][0]
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
        """Read as the library's recorder does, but as fast as `log_rows`, and on the server that holds the shard."""
        ends = [(start or 0) + (0 if inclusive_of_start else 1), MAX_INTEGER if stop is None else stop]
        if topics:
            rows = self._rows(self._select_rows_of_topics, [*ends, list(topics), limit])
        else:
            rows = self._rows(self._select_log_rows, [*ends, limit])
        return [Notification(game, version, topic, state, at) for at, game, version, topic, state in rows]

    def max_notification_id(self) -> int | None:
        found: int | None = self._rows(self._select_last_id, ())[0][0]
        return found

    def _rows(self, statement: bytes, parameters: Sequence[Any]) -> list[Any]:
        return fetch_rows(self.datastore, statement, parameters)

    def _sql(self, text: LiteralString, order: LiteralString = "") -> bytes:
        composed = SQL(text).format(
            order=SQL(order),
            schema=Identifier(self.datastore.schema),
            table=Identifier(self.events_table_name),
            append=Identifier(f"append_{self.events_table_name}"),
            append_batches=Identifier(f"append_batches_{self.events_table_name}"),
            lock=Literal(WRITE_LOCKS),
            relation=Literal(Identifier(self.datastore.schema, self.events_table_name).as_string()),
        )
        return composed.as_bytes()  # bytes, since psycopg caches how it parses them, but not a Composed


class PostgresLogFactory(PostgresFactory):
    """The factory for PERSISTENCE_MODULE: a log in the schema POSTGRES_SCHEMA of POSTGRES_URL."""

    application_recorder_class = PostgresLogRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        library = self.datastore.pool
        timeouts = Timeouts(
            connect_s=int(library.timeout),
            lock_s=self.datastore.lock_timeout,
            statement_s=int(self.env.get(STATEMENT_TIMEOUT) or DEFAULT_TIMEOUTS.statement_s),
        )
        tables = OUR_SCHEMAS if self.datastore.schema == LOG_SCHEMA else ""  # others' own are where the URL says
        pool: Any = PoolShare(self.env.get("POSTGRES_URL") or "", timeouts, row_factory=dict_row, search_path=tables)
        self.datastore.pool = pool


def fetch_rows(datastore: PostgresDatastore, statement: bytes, parameters: Sequence[Any]) -> list[Any]:
    """Return the rows of a query. If the connection broke since it was last used, try once more."""
    with datastore.get_connection() as connection:
        try:
            return _fetch(connection, statement, parameters)
        except DatabaseHangs:
            raise
        except psycopg.OperationalError:
            if not connection.broken:
                raise
    datastore.pool.check()
    with datastore.get_connection() as connection:
        return _fetch(connection, statement, parameters)


def columns_of(events: Sequence[StoredEvent]) -> list[list[Any]]:
    """Return events as the columns of a table: games, versions, topics and states."""
    return [
        [e.originator_id for e in events],
        [e.originator_version for e in events],
        [e.topic for e in events],
        [e.state for e in events],
    ]


def _fetch(connection: Connection[DictRow], statement: bytes, parameters: Sequence[Any]) -> list[Any]:
    with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
        return cursor.execute(statement, parameters, prepare=True).fetchall()
