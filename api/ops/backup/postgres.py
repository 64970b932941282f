"""Rows of a PostgreSQL: copied out as one snapshot shows them, and filled in in one transaction."""

import sqlite3
from collections.abc import Iterable

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from api.ops.backup.manifest import Told
from domain.store.mapper import SHARD

ROWS = 1000
LOG = Identifier("log", f"{SHARD}_events")
EVENTS = "notification_id", "originator_id", "originator_version", "topic", "state"
NAMED = "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('log', 'office')"
THERE = 17  # EEXIST
HAS_ROWS = "has rows; a backup is restored into an empty database only"

Connection = psycopg.Connection[tuple[object, ...]]


def copy_out(url: str, log: sqlite3.Connection, office: sqlite3.Connection, told: Told) -> None:
    """Every row of the log and of the office's tables; `told` is told per mille of the log."""
    with psycopg.connect(url) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for table in tables(office):
            names = columns(office, table)
            into = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
            for rows in _pages(connection, _select(names, Identifier("office", table))):
                office.executemany(into, rows)
        _copy_log(connection, log, told)


def _copy_log(connection: Connection, log: sqlite3.Connection, told: Told) -> None:
    counted = connection.execute(SQL("SELECT COUNT(*) FROM {}").format(LOG)).fetchone()
    total, done = int(str(counted[0])) if counted else 0, 0
    for rows in _pages(connection, _select(EVENTS, LOG) + SQL(" ORDER BY notification_id")):
        log.executemany(
            "INSERT INTO stored_events VALUES (?, ?, ?, ?, ?)",
            [(at, str(game).replace("-", ""), *rest) for at, game, *rest in rows],
        )
        done += len(rows)
        told(1000 * done // total)


def _select(names: Iterable[str], table: Identifier) -> Composed:
    return SQL("SELECT {} FROM {}").format(SQL(", ").join(map(Identifier, names)), table)


def _pages(connection: Connection, asked: Composed) -> Iterable[list[tuple[object, ...]]]:
    with connection.cursor("backup") as cursor:
        cursor.execute(asked)
        while rows := cursor.fetchmany(ROWS):
            yield rows


def refuse_rows(url: str) -> None:
    """FileExistsError where a table of the log or of the office has any row."""
    with psycopg.connect(url) as connection:
        _refuse(connection, [Identifier(str(schema), str(name)) for schema, name in connection.execute(NAMED)])


def _refuse(connection: Connection, named: Iterable[Identifier]) -> None:
    for table in named:
        if connection.execute(SQL("SELECT 1 FROM {} LIMIT 1").format(table)).fetchone():
            raise FileExistsError(THERE, HAS_ROWS, table.as_string())


def fill(url: str, log: sqlite3.Connection, office: sqlite3.Connection) -> None:
    """All rows of both in one transaction, into tables that are there and empty: FileExistsError where they are not."""
    named = tables(office)
    with psycopg.connect(url) as connection:
        connection.execute(SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(LOG))
        _refuse(connection, [LOG, *(Identifier("office", table) for table in named)])
        _copy_in(connection, LOG, EVENTS, log.execute(f"SELECT {', '.join(EVENTS)} FROM stored_events ORDER BY 1"))
        last = "SELECT setval(pg_get_serial_sequence({}, 'notification_id'), MAX(notification_id)) FROM {}"
        connection.execute(SQL(last).format(LOG.as_string(), LOG))
        for table in named:
            names = columns(office, table)
            rows = office.execute(f"SELECT {', '.join(names)} FROM {table}")
            _copy_in(connection, Identifier("office", table), names, rows)


def _copy_in(
    connection: Connection, table: Identifier, names: Iterable[str], rows: Iterable[tuple[object, ...]]
) -> None:
    asked = SQL("COPY {} ({}) FROM STDIN").format(table, SQL(", ").join(map(Identifier, names)))
    with connection.cursor().copy(asked) as copy:
        for row in rows:
            copy.write_row(row)


def tables(office: sqlite3.Connection) -> list[str]:
    """The tables of an office."""
    rows = office.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    return sorted(name for (name,) in rows)


def columns(office: sqlite3.Connection, table: str) -> list[str]:
    """The columns of one."""
    return [row[1] for row in office.execute(f"PRAGMA table_info({table})")]
