"""The rows of a PostgreSQL database: copied out in one snapshot, and copied in by one transaction."""

import errno
import sqlite3
from collections.abc import Iterable

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from api.accounts.migrations import SCHEMA_VERSION
from api.config import Config, ConfigError
from api.ops.progress import SetProgress
from domain.store.shards.layout import DICTIONARIES_TABLE, SHARDS_TABLE, postgres_tables, sqlite_tables
from domain.store.shards.old_archive import IS_ARCHIVED, has_postgres_archive
from domain.store.shards.postgres_tables import read_dictionaries as postgres_dictionaries
from domain.store.shards.postgres_tables import read_shards, select_with
from domain.store.shards.postgres_tables import table_names as existing_tables
from domain.store.sql.postgres_pool import connect
from domain.store.sqlite import create_statements
from domain.store.sqlite import read_dictionaries as sqlite_dictionaries

ROWS_PER_PAGE = 1000
LOG = "log"
OWN_TABLES = {SCHEMA_VERSION, SHARDS_TABLE, DICTIONARIES_TABLE}
"""Tables with rows in an empty store."""
EVENTS = "notification_id", "originator_id", "originator_version", "topic", "state"
SELECT_TABLES = "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('log', 'office')"
HAS_ROWS = "has rows; restore the backup into an empty database, which no server and no command has used before"

Connection = psycopg.Connection[tuple[object, ...]]


def copy_out(config: Config, log: sqlite3.Connection, accounts: sqlite3.Connection, set_progress: SetProgress) -> None:
    """Copy every row of the schemas log and office; report progress in thousandths of the log."""
    with _connect(config) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for table in table_names(accounts):
            names = column_names(accounts, table)
            into = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
            for rows in _pages(connection, _select(names, Identifier("office", table))):
                accounts.executemany(into, rows)
        _copy_log(connection, log, set_progress)


def _connect(config: Config) -> Connection:
    """Connect with the time limits for long statements."""
    return connect(config.database_url or "", config.with_long_statements().timeouts)


def _copy_log(connection: Connection, log: sqlite3.Connection, set_progress: SetProgress) -> None:
    """Copy every shard into a table of its own."""
    shards = read_shards(select_with(connection), LOG) or 1
    if has_postgres_archive(existing_tables(select_with(connection), LOG), shards):
        raise ConfigError(IS_ARCHIVED)
    for statement in (*create_statements(shards), f"INSERT INTO {SHARDS_TABLE} VALUES ({shards})"):
        log.execute(statement)
    dictionaries = [(version,) for version in postgres_dictionaries(select_with(connection), LOG)]
    log.executemany(f"INSERT INTO {DICTIONARIES_TABLE} VALUES (?)", dictionaries)
    tables = [*zip(sqlite_tables(shards), _log_tables(shards), strict=True)]
    total, done = sum(_count(connection, table) for _, table in tables), 0
    for name, table in tables:
        for rows in _pages(connection, _select(EVENTS, table) + SQL(" ORDER BY notification_id")):
            log.executemany(
                f"INSERT INTO {name} VALUES (?, ?, ?, ?, ?)",
                [(at, str(game).replace("-", ""), *rest) for at, game, *rest in rows],
            )
            done += len(rows)
            set_progress(1000 * done // total)


def _log_tables(shards: int) -> list[Identifier]:
    return [Identifier(LOG, name) for name in postgres_tables(shards)]


def _count(connection: Connection, table: Identifier) -> int:
    row = connection.execute(SQL("SELECT COUNT(*) FROM {}").format(table)).fetchone()
    return int(str(row[0])) if row else 0


def _select(names: Iterable[str], table: Identifier) -> Composed:
    return SQL("SELECT {} FROM {}").format(SQL(", ").join(map(Identifier, names)), table)


def _pages(connection: Connection, query: Composed) -> Iterable[list[tuple[object, ...]]]:
    with connection.cursor("backup") as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(ROWS_PER_PAGE):
            yield rows


def require_empty(config: Config) -> None:
    """Raise FileExistsError if any table of the schemas log and office has rows."""
    with _connect(config) as connection:
        tables = connection.execute(SELECT_TABLES)
        names = [(str(schema), str(name)) for schema, name in tables if name not in OWN_TABLES]
        _require_empty(connection, [Identifier(*name) for name in names])


def _require_empty(connection: Connection, tables: Iterable[Identifier]) -> None:
    for table in tables:
        if connection.execute(SQL("SELECT 1 FROM {} LIMIT 1").format(table)).fetchone():
            raise FileExistsError(errno.EEXIST, HAS_ROWS, table.as_string())


def copy_in(config: Config, shards: int, log: sqlite3.Connection, accounts: sqlite3.Connection) -> None:
    """Copy all rows of both databases into empty tables, in one transaction. Raise FileExistsError if one has rows."""
    tables, logs = table_names(accounts), _log_tables(shards)
    with _connect(config) as connection:
        for each in logs:
            connection.execute(SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(each))
        _require_empty(connection, [*logs, *(Identifier("office", table) for table in tables)])
        last = "SELECT setval(pg_get_serial_sequence({}, 'notification_id'), MAX(notification_id)) FROM {}"
        for name, each in zip(sqlite_tables(shards), logs, strict=True):
            _copy_rows(connection, each, EVENTS, log.execute(f"SELECT {', '.join(EVENTS)} FROM {name} ORDER BY 1"))
            connection.execute(SQL(last).format(each.as_string(), each))
        connection.execute(SQL("DELETE FROM {}").format(Identifier(LOG, DICTIONARIES_TABLE)))
        dictionaries = [(version,) for version in sqlite_dictionaries(lambda text: log.execute(text).fetchall())]
        _copy_rows(connection, Identifier(LOG, DICTIONARIES_TABLE), ("version",), dictionaries)
        for table in tables:
            names = column_names(accounts, table)
            rows = accounts.execute(f"SELECT {', '.join(names)} FROM {table}")
            _copy_rows(connection, Identifier("office", table), names, rows)


def _copy_rows(
    connection: Connection, table: Identifier, names: Iterable[str], rows: Iterable[tuple[object, ...]]
) -> None:
    statement = SQL("COPY {} ({}) FROM STDIN").format(table, SQL(", ").join(map(Identifier, names)))
    with connection.cursor().copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def table_names(accounts: sqlite3.Connection) -> list[str]:
    """Return the names of the tables of accounts but `schema_version`, which each database has of its own."""
    rows = accounts.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    return sorted(name for (name,) in rows if name != SCHEMA_VERSION)


def column_names(accounts: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of a table's columns."""
    return [row[1] for row in accounts.execute(f"PRAGMA table_info({table})")]
