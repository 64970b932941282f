"""`trickbook archive` of version 0.2 on the log of a game: it left its last event there."""

import sqlite3
from contextlib import closing
from uuid import UUID

import psycopg

from domain.store.log import shard_of
from domain.store.shards.layout import postgres_tables
from tests.conftest import Database
from tests.logs.tables import log_table

SQLITE = (
    """CREATE TABLE IF NOT EXISTS old.stored_events (
    notification_id INTEGER PRIMARY KEY,
    originator_id TEXT NOT NULL,
    originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version)
)""",
    (
        "INSERT OR IGNORE INTO old.stored_events (notification_id, originator_id, originator_version, topic, state)"
        " SELECT notification_id, originator_id, originator_version, topic, state FROM main.stored_events"
        " WHERE originator_id = '{id}' AND originator_version <"
        " (SELECT MAX(originator_version) FROM main.stored_events WHERE originator_id = '{id}')"
    ),
)
SQLITE_DELETE = (
    "DELETE FROM main.stored_events WHERE originator_id = '{id}' AND originator_version <"
    " (SELECT MAX(originator_version) FROM main.stored_events WHERE originator_id = '{id}')"
)
POSTGRES = (
    """CREATE TABLE IF NOT EXISTS {archive} (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    notification_id bigint NOT NULL,
    PRIMARY KEY (originator_id, originator_version),
    UNIQUE (notification_id)
)""",
    (
        "INSERT INTO {archive} (originator_id, originator_version, topic, state, notification_id)"
        " SELECT originator_id, originator_version, topic, state, notification_id FROM {table}"
        " WHERE originator_id = '{id}' AND originator_version <"
        " (SELECT MAX(originator_version) FROM {table} WHERE originator_id = '{id}') ON CONFLICT DO NOTHING"
    ),
)
POSTGRES_DELETE = (
    "DELETE FROM {table} WHERE originator_id = '{id}' AND originator_version <"
    " (SELECT MAX(originator_version) FROM {table} WHERE originator_id = '{id}')"
)


def archive(database: Database, game: str, shards: int | None = None, *, copy_only: bool = False) -> None:
    """Move all rows of a game but the last; `copy_only` as if it was interrupted. `shards` if the home is elsewhere."""
    if database.url is None:
        with closing(sqlite3.connect(database.data / "log.db", isolation_level=None)) as log:
            log.execute("ATTACH ? AS old", (str(database.data / "archive.db"),))
            log.execute("PRAGMA old.journal_mode=WAL")
            for statement in (*SQLITE, *(() if copy_only else (SQLITE_DELETE,))):
                log.execute(statement.format(id=UUID(game).hex))
        return
    number = None if shards is None else shard_of(UUID(game), shards)
    table = log_table(database.url, game) if number is None else f"log.{postgres_tables(shards or 1)[number]}"
    names = {"id": game, "table": table, "archive": f"{table.removesuffix('_events')}_archive"}
    with psycopg.connect(database.url, autocommit=True) as server:
        for statement in (*POSTGRES, *(() if copy_only else (POSTGRES_DELETE,))):
            server.execute(statement.format(**names).encode())


def archive_tables(database: Database) -> list[str]:
    """Return the names of the tables that have to do with an archive."""
    if database.url is None:
        if not (database.data / "archive.db").exists():
            return []
        with closing(sqlite3.connect(database.data / "archive.db")) as file:
            return [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    with psycopg.connect(database.url) as server:
        return [
            name
            for (name,) in server.execute("SELECT relname::text FROM pg_class WHERE relname ~ '_archive(_damaged)?$'")
        ]
