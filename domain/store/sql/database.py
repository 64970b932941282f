"""Access to a group of tables, in an SQLite file or a PostgreSQL schema.

Statements use the SQL that both engines understand, with `?` for a value. A statement outside a transaction is a
transaction of its own. The engine's errors (`DATABASE_ERRORS`) reach the caller.
"""

import sqlite3
from pathlib import Path

import psycopg

from domain.store.sql.breaker import Timeouts
from domain.store.sql.postgres_database import PostgresDatabase
from domain.store.sql.sqlite import SqliteDatabase
from domain.store.sql.transactions import Clock, Database, RowValues, Schema, Transaction

__all__ = [
    "DATABASE_ERRORS",
    "Clock",
    "Database",
    "RowValues",
    "Schema",
    "Transaction",
    "describe_error",
    "open_database",
]

DATABASE_ERRORS = (sqlite3.Error, psycopg.Error)


def open_database(
    schema: Schema,
    data: Path | None,
    url: str | None,
    timeouts: Timeouts,
    clock: Clock,
) -> Database:
    """Open a schema in the PostgreSQL database at `url`; without a URL, in an SQLite file in the folder `data`."""
    if url is not None:
        return PostgresDatabase(schema, url, timeouts, clock)
    if data is None:
        raise ValueError("a database needs a folder or a URL")
    return SqliteDatabase(schema, data / f"{schema.name}.db", timeouts, clock)


def describe_error(error: Exception) -> str:
    """Return a description that's safe to log: of PostgreSQL's errors, only the name."""
    return type(error).__name__ if isinstance(error, psycopg.Error) else str(error)
