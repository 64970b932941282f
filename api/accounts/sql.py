"""Two small doors to the office's tables, SQLite and PostgreSQL, for SQL that both understand.

Statements are written with `?`; what is common to both dialects is enough (RETURNING, ON CONFLICT). Every statement is
a transaction of its own, durable when it returns.
"""

import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, LiteralString, Protocol

from psycopg_pool import ConnectionPool

from projections.storage.database import patiently

Row = tuple[Any, ...]
POOL_PATIENCE_S = 3.0
LOCK_PATIENCE_S = 5.0
SETTINGS = {"autocommit": True, "connect_timeout": 3, "options": "-c search_path=office", "prepare_threshold": 2}
MIGRATING = 7_020_021  # any number: the advisory lock that lets one process at a time create the tables


class Sql(Protocol):
    """What the office needs of a database."""

    def run(self, statement: str, *values: object) -> list[Row]:
        """Execute one statement; the rows it returns, [] for none."""

    def create(self, tables: Iterable[str]) -> None:
        """Create what is missing; any number of processes may do so at once."""

    def close(self) -> None:
        """Let go of every connection."""


class SqliteSql:
    """A file in WAL mode with synchronous FULL; one connection per thread, closed together."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    def run(self, statement: str, *values: object) -> list[Row]:
        return self._connection().execute(statement, values).fetchall()

    def create(self, tables: Iterable[str]) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path.touch(mode=0o600)  # it holds what passwords and tokens are checked by
        patiently(self._connection(), "PRAGMA journal_mode=WAL")
        for statement in tables:
            self.run(statement)

    def close(self) -> None:
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()

    def _connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        return found or self._connect()

    def _connect(self) -> sqlite3.Connection:
        made = sqlite3.connect(self._path, timeout=LOCK_PATIENCE_S, isolation_level=None, check_same_thread=False)
        made.execute("PRAGMA synchronous=FULL")
        with self._lock:
            self._all.append(made)
        self._local.connection = made
        return made


class PostgresSql:
    """The schema `office` of a PostgreSQL database, through a pool that opens as it is needed."""

    def __init__(self, conninfo: str, connections: int = 8) -> None:
        self._pool = ConnectionPool(
            conninfo, kwargs=SETTINGS, min_size=1, max_size=connections, timeout=POOL_PATIENCE_S, open=True
        )

    def run(self, statement: str, *values: object) -> list[Row]:
        with self._pool.connection() as connection:
            cursor = connection.execute(_percent(statement), values)
            return cursor.fetchall() if cursor.description else []

    def create(self, tables: Iterable[str]) -> None:
        with self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATING,))
            connection.execute("CREATE SCHEMA IF NOT EXISTS office")
            for statement in tables:
                connection.execute(_percent(statement))

    def close(self) -> None:
        self._pool.close()


def _percent(statement: str) -> LiteralString:
    return statement.replace("?", "%s")
