"""The log in a schema of a PostgreSQL database: the library's recorder, with a faster way to write and to read a game.

The library sends LOCK, NOTIFY and INSERT one after the other in a transaction; here one function in the database does
the three, in that order, in the one transaction that its call is. The lock is what keeps notification ids in the order
of the commits, so nobody may write to the table but through it.
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
STOP_CHECK_SECONDS = 0.1  # seconds that a stopped subscription may take to notice
MIGRATION_LOCK = 0x747269636B  # the advisory lock of who creates tables
RECONNECT_TIMEOUT = 5.0  # seconds; the pool's pauses between attempts grow up to this


class PostgresLogRecorder(PostgresApplicationRecorder, LogRecorder):
    """Holds a pool of connections; each subscription keeps one of them. Open it after a fork."""

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events") -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self._append = self._sql(APPEND)
        self._select_last_version = self._sql(SELECT_LAST_VERSION)
        self._select_game = self._sql(SELECT_GAME)
        self._select_openings, self._select_version_at = self._sql(SELECT_OPENINGS), self._sql(SELECT_VERSION_AT)

    def create_table(self) -> None:
        """Schema, table and function, where they are missing; any number of processes may do it at once."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            for statement in (CREATE_SCHEMA, CREATE_TABLE, CREATE_APPEND):
                cursor.execute(self._sql(statement))

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: object) -> Sequence[int] | None:
        """All of them in one commit, or none: IntegrityError when a version is taken. Answers their notification ids.

        Where the reply of a commit is lost with its connection, the second attempt meets the first one's events: then
        IntegrityError is raised although they are stored, and the caller has to look for its own command in the log.
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
        """The answer's rows. Where the connection had died since it was last used, the question is put once more."""
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
        return composed.as_bytes()  # which psycopg remembers the parsing of; that of a Composed it does anew each time


class LogSubscription(PostgresSubscription):
    """The library's, but for one gap: what is committed before LISTEN took effect is looked for once it has."""

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
    """For PERSISTENCE_MODULE: the log in the schema POSTGRES_SCHEMA of POSTGRES_URL, with all that the URL says."""

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
