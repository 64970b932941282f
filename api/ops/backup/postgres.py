"""The rows of a PostgreSQL database: copied out in one snapshot, and copied in by one transaction."""

import errno
import sqlite3
from collections.abc import Iterable

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from api.ops.backup.manifest import SetProgress
from domain.store.mapper import SHARD

ROWS_PER_PAGE = 1000
LOG = Identifier("log", f"{SHARD}_events")
EVENTS = "notification_id", "originator_id", "originator_version", "topic", "state"
SELECT_TABLES = "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('log', 'office')"
HAS_ROWS = "has rows; restore the backup into an empty database"

Connection = psycopg.Connection[tuple[object, ...]]


def copy_out(url: str, log: sqlite3.Connection, office: sqlite3.Connection, set_progress: SetProgress) -> None:
    """Copy every row of the schemas log and office; report progress in thousandths of the log."""
    with psycopg.connect(url) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for table in table_names(office):
            names = column_names(office, table)
            into = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
            for rows in _pages(connection, _select(names, Identifier("office", table))):
                office.executemany(into, rows)
        _copy_log(connection, log, set_progress)


def _copy_log(connection: Connection, log: sqlite3.Connection, set_progress: SetProgress) -> None:
    row = connection.execute(SQL("SELECT COUNT(*) FROM {}").format(LOG)).fetchone()
    total, done = int(str(row[0])) if row else 0, 0
    for rows in _pages(connection, _select(EVENTS, LOG) + SQL(" ORDER BY notification_id")):
        log.executemany(
            "INSERT INTO stored_events VALUES (?, ?, ?, ?, ?)",
            [(at, str(game).replace("-", ""), *rest) for at, game, *rest in rows],
        )
        done += len(rows)
        set_progress(1000 * done // total)


def _select(names: Iterable[str], table: Identifier) -> Composed:
    return SQL("SELECT {} FROM {}").format(SQL(", ").join(map(Identifier, names)), table)


def _pages(connection: Connection, query: Composed) -> Iterable[list[tuple[object, ...]]]:
    with connection.cursor("backup") as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(ROWS_PER_PAGE):
            yield rows


def require_empty(url: str) -> None:
    """Raise FileExistsError if any table of the schemas log and office has rows."""
    with psycopg.connect(url) as connection:
        tables = connection.execute(SELECT_TABLES)
        _require_empty(connection, [Identifier(str(schema), str(name)) for schema, name in tables])


def _require_empty(connection: Connection, tables: Iterable[Identifier]) -> None:
    for table in tables:
        if connection.execute(SQL("SELECT 1 FROM {} LIMIT 1").format(table)).fetchone():
            raise FileExistsError(errno.EEXIST, HAS_ROWS, table.as_string())


def copy_in(url: str, log: sqlite3.Connection, office: sqlite3.Connection) -> None:
    """Copy all rows of both databases into empty tables, in one transaction. Raise FileExistsError if one has rows."""
    tables = table_names(office)
    with psycopg.connect(url) as connection:
        connection.execute(SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(LOG))
        _require_empty(connection, [LOG, *(Identifier("office", table) for table in tables)])
        _copy_rows(connection, LOG, EVENTS, log.execute(f"SELECT {', '.join(EVENTS)} FROM stored_events ORDER BY 1"))
        last = "SELECT setval(pg_get_serial_sequence({}, 'notification_id'), MAX(notification_id)) FROM {}"
        connection.execute(SQL(last).format(LOG.as_string(), LOG))
        for table in tables:
            names = column_names(office, table)
            rows = office.execute(f"SELECT {', '.join(names)} FROM {table}")
            _copy_rows(connection, Identifier("office", table), names, rows)


def _copy_rows(
    connection: Connection, table: Identifier, names: Iterable[str], rows: Iterable[tuple[object, ...]]
) -> None:
    statement = SQL("COPY {} ({}) FROM STDIN").format(table, SQL(", ").join(map(Identifier, names)))
    with connection.cursor().copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def table_names(office: sqlite3.Connection) -> list[str]:
    """Return the names of the tables in an office database."""
    rows = office.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    return sorted(name for (name,) in rows)


def column_names(office: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of a table's columns."""
    return [row[1] for row in office.execute(f"PRAGMA table_info({table})")]
