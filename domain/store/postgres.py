"""The log in a schema of a PostgreSQL database: the library's recorder, with faster writes and reads of a game.

The library sends LOCK, NOTIFY and INSERT one by one in a transaction. Here one database function does all three, in
that order, and its call is the transaction. The lock keeps notification ids in the order of the commits, so every write
to the table must use the function.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from eventsourcing.persistence import PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory, PostgresSubscription
from eventsourcing.utils import Environment, EnvType
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.sql import SQL, Identifier

from domain.store.recorder import CONNECT_TIMEOUT, MAX_INTEGER, LogRecorder, RawEvent

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
) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('lock_timeout', patience, true);
    LOCK TABLE {schema}.{table} IN EXCLUSIVE MODE;
    NOTIFY {channel};
    RETURN QUERY
        INSERT INTO {schema}.{table} (originator_id, originator_version, topic, state)
        SELECT * FROM unnest(ids, versions, topics, states)
        RETURNING notification_id;
END $$"""
APPEND = "SELECT {schema}.{append}(%b::uuid[], %b::bigint[], %b::text[], %b::bytea[], %b::text)"
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
    " WHERE originator_id = %b AND originator_version > %b AND originator_version <= %b ORDER BY originator_version"
)
STOP_CHECK_SECONDS = 0.1  # the longest time for a subscription to notice `stop()`
MIGRATION_LOCK = 0x747269636B  # the advisory lock for creating tables
RECONNECT_TIMEOUT = 5.0  # the longest pause of the pool between two attempts


class PostgresLogRecorder(PostgresApplicationRecorder, LogRecorder):
    """A recorder with a pool of connections, one of them for each subscription. Open it after a fork."""

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events") -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self._append = self._sql(APPEND)
        self._select_last_version = self._sql(SELECT_LAST_VERSION)
        self._select_game = self._sql(SELECT_GAME)
        self._select_openings, self._select_version_at = self._sql(SELECT_OPENINGS), self._sql(SELECT_VERSION_AT)

    def create_table(self) -> None:
        """Create the schema, table and function if missing. Safe for concurrent use by several processes."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            for statement in (CREATE_SCHEMA, CREATE_TABLE, CREATE_APPEND):
                cursor.execute(self._sql(statement))

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: object) -> Sequence[int] | None:
        """Insert all events in one commit and return their ids. Raise IntegrityError if a version is taken.

        If the connection breaks before the reply, the second attempt finds the versions taken by the first. It raises
        IntegrityError although the events are stored, so the caller must look for its command in the log.
        """
        if not stored_events:
            return None
        columns = [
            [e.originator_id for e in stored_events],
            [e.originator_version for e in stored_events],
            [e.topic for e in stored_events],
            [e.state for e in stored_events],
        ]
        return [at for (at,) in self._rows(self._append, (*columns, f"{self.datastore.lock_timeout}s"))]

    def last_version(self, originator_id: UUID) -> int | None:
        found: int | None = self._rows(self._select_last_version, (originator_id,))[0][0]
        return found

    def raw_events(self, originator_id: UUID, gt: int = 0, lte: int | None = None) -> list[RawEvent]:
        return self._rows(self._select_game, (originator_id, gt, MAX_INTEGER if lte is None else lte))

    def openings(self, gt: int, lte: int, limit: int) -> list[tuple[int, UUID]]:
        return self._rows(self._select_openings, (gt, lte, limit))

    def version_at(self, originator_id: UUID, lte: int) -> int | None:
        found: int | None = self._rows(self._select_version_at, (originator_id, lte))[0][0]
        return found

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> "LogSubscription":
        return LogSubscription(self, gt, topics)

    def _rows(self, statement: bytes, parameters: Sequence[Any]) -> list[Any]:
        """Return the rows of a query. If the connection broke since it was last used, try once more."""
        with self.datastore.get_connection() as connection:
            try:
                return _fetch(connection, statement, parameters)
            except psycopg.OperationalError:
                if not connection.broken:
                    raise
        self.datastore.pool.check()
        with self.datastore.get_connection() as connection:
            return _fetch(connection, statement, parameters)

    def _sql(self, text: LiteralString) -> bytes:
        composed = SQL(text).format(
            schema=Identifier(self.datastore.schema),
            table=Identifier(self.events_table_name),
            append=Identifier(f"append_{self.events_table_name}"),
            channel=Identifier(self.channel_name),
        )
        return composed.as_bytes()  # bytes, since psycopg caches how it parses them, but not a Composed


class LogSubscription(PostgresSubscription):
    """The library's subscription, which also checks for commits from before LISTEN took effect."""

    def _listen(self) -> None:
        try:
            with self._recorder.datastore.get_connection() as connection:
                connection.execute(SQL("LISTEN {}").format(Identifier(self._recorder.channel_name)))
                self._has_been_notified.set()
                while not self._has_been_stopped:
                    for _ in connection.notifies(timeout=STOP_CHECK_SECONDS, stop_after=1):
                        self._has_been_notified.set()
                connection.execute("UNLISTEN *")
        except PersistenceError as error:
            self._thread_error = self._thread_error or error
        finally:
            self.stop()


class PostgresLogFactory(PostgresFactory):
    """The factory for PERSISTENCE_MODULE: a log in the schema POSTGRES_SCHEMA of POSTGRES_URL."""

    application_recorder_class = PostgresLogRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        pool = self.datastore.pool
        given = conninfo_to_dict(self.env.get("POSTGRES_URL") or "")
        pool.kwargs = {"connect_timeout": CONNECT_TIMEOUT, "row_factory": dict_row} | given
        pool.reconnect_timeout = RECONNECT_TIMEOUT


def _fetch(connection: Connection[DictRow], statement: bytes, parameters: Sequence[Any]) -> list[Any]:
    with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
        return cursor.execute(statement, parameters, prepare=True).fetchall()
