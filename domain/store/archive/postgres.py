"""The archive of a log in PostgreSQL: a table beside that of the log, in the same database."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from eventsourcing.postgres import PostgresDatastore
from psycopg.sql import SQL, Identifier

from domain.store.archive.table import GameVersions
from domain.store.postgres import MIGRATION_LOCK, PostgresLogRecorder
from domain.store.postgres_pool import lock_migrations

CREATE = """
CREATE TABLE IF NOT EXISTS {schema}.{archive} (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    notification_id bigint NOT NULL,
    PRIMARY KEY (originator_id, originator_version),
    UNIQUE (notification_id)
)"""
COPY = """
INSERT INTO {schema}.{archive} (originator_id, originator_version, topic, state, notification_id)
SELECT originator_id, originator_version, topic, state, notification_id
FROM {schema}.{table} JOIN unnest(%s::uuid[], %s::bigint[]) AS moves (game, version)
    ON originator_id = game AND originator_version < version
ON CONFLICT DO NOTHING"""
DELETE = """
DELETE FROM {schema}.{table} USING unnest(%s::uuid[], %s::bigint[]) AS moves (game, version)
WHERE originator_id = game AND originator_version < version"""
EXISTS = "SELECT to_regclass(%s) IS NOT NULL AS found"


def archive_table_name(events_table_name: str) -> str:
    """Return the name of the archive of a table: games00_archive for games00_events."""
    return f"{events_table_name.removesuffix('_events')}_archive"


class PostgresArchive:
    """See ArchiveTable. The archive can be moved to a slower disk: ALTER TABLE ... SET TABLESPACE."""

    def __init__(self, recorder: PostgresLogRecorder) -> None:
        self._log, self._table = recorder, recorder.events_table_name
        self._archive = archive_table_name(self._table)
        self._reader: PostgresLogRecorder | None = None

    def reader(self) -> PostgresLogRecorder | None:
        datastore = self._datastore
        if self._reader is not None and self._reader.datastore is not datastore:
            self._reader = None  # the shard has moved, and its archive is in the log again
        if self._reader is None and self._exists():
            self._reader = PostgresLogRecorder(datastore, events_table_name=self._archive)
        return self._reader

    def create(self) -> None:
        with self._datastore.transaction(commit=True) as cursor:
            lock_migrations(cursor, MIGRATION_LOCK)
            cursor.execute(self._sql(CREATE))

    def copy(self, moves: GameVersions) -> None:
        self._execute(COPY, moves)

    def delete(self, moves: GameVersions) -> None:
        self._execute(DELETE, moves)

    def close(self) -> None:
        """Do nothing: the log's recorder owns the connections."""

    @property
    def _datastore(self) -> PostgresDatastore:
        return self._log.datastore

    def _exists(self) -> bool:
        with self._datastore.transaction(commit=True) as cursor:
            row: Any = cursor.execute(EXISTS, [f"{self._datastore.schema}.{self._archive}"]).fetchone()
        return bool(row["found"])

    def _execute(self, statement: LiteralString, moves: GameVersions) -> None:
        columns: Sequence[list[UUID] | list[int]] = [[game for game, _ in moves], [version for _, version in moves]]
        with self._datastore.transaction(commit=True) as cursor:
            cursor.execute(self._sql(statement), columns)

    def _sql(self, text: LiteralString) -> bytes:
        names = {"schema": self._datastore.schema, "table": self._table, "archive": self._archive}
        return SQL(text).format(**{name: Identifier(value) for name, value in names.items()}).as_bytes()
