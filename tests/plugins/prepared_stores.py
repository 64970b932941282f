"""Stores whose tables exist and are empty, as on a server that was just migrated.

To create the tables takes a test a third of a second on PostgreSQL. Here they are emptied instead, in a few
milliseconds. On SQLite, empty files are copied.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier, Placeholder

from api.config import Config
from api.container import open_services
from tests.postgres import Server
from tests.waiting import wait_until

SHARDS = 2
"""Several, like a server's log on PostgreSQL; eight, the usual number, take four times as long to open."""
SCHEMAS = ("log", "office", "views", "limits", "public")
OF_THE_SERVER = ("office.secrets", "office.signing_keys", "office.nodes")
"""Tables whose rows belong to one server and its folder."""
SELECT_RELATIONS = """SELECT c.oid, n.nspname, c.relname, c.relkind,
    CASE WHEN c.relkind = 'r' THEN pg_relation_size(c.oid) > 0 END FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ANY(%s) ORDER BY c.oid"""
DISCONNECT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> %s"
TABLE = "r"


class PreparedFiles:
    """The files of an empty store on SQLite, made once in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        open_services(Config(data=folder, hashing="cheapest")).close()
        for file in self._files():
            with closing(sqlite3.connect(file, isolation_level=None)) as connection:
                if file.name == "office.db":
                    for table in OF_THE_SERVER:
                        connection.execute(f"DELETE FROM {table.partition('.')[2]}")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def copy_to(self, data: Path) -> None:
        """Copy the files into a folder."""
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        for file in self._files():
            shutil.copyfile(file, data / file.name)
            (data / file.name).chmod(0o600)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.db"))


@dataclass
class PreparedDatabase:
    """A database that tests of this process use in turn. A test may do with its rows and tables as it likes."""

    server: Server
    _name: str = ""
    _relations: frozenset[int] = frozenset()
    _rows: dict[tuple[str, str], list[tuple[Any, ...]]] = field(default_factory=dict)
    _inside: psycopg.Connection[Any] | None = None
    """Empties the tables. It stays open, since a new one takes ten milliseconds."""

    @contextmanager
    def lend(self) -> Iterator[str]:
        """Yield the URL; empty the tables afterwards, or make another database if there are other tables by then."""
        if not self._name:
            self._create()
        yield self.server.url(self._name)
        self._disconnect()
        connection = self._inside = self._inside or psycopg.connect(self.server.url(self._name), autocommit=True)
        with connection.transaction():
            found = connection.execute(SELECT_RELATIONS, [list(SCHEMAS)]).fetchall()
            as_made = {oid for oid, *_ in found} == self._relations
            if as_made:
                self._empty(connection, found)
        if not as_made:
            self.drop()

    @contextmanager
    def copy(self) -> Iterator[str]:
        """Yield the URL of a copy of the empty database, for the tests of a module."""
        if not self._name:
            self._create()
        self._leave()
        with self.server.fresh(self._name) as url:
            yield url

    def drop(self) -> None:
        """Drop the database, if there is one."""
        if self._name:
            self._leave()
            self.server.drop(self._name)
            self._name = ""

    def close(self) -> None:
        """Drop the database, and end the connection that watched it."""
        self.drop()
        if "_outside" in vars(self):
            self._outside.close()

    def _create(self) -> None:
        self._name = self.server.create()
        url = self.server.url(self._name)
        with tempfile.TemporaryDirectory() as folder:
            open_services(Config(data=Path(folder), database_url=url, hashing="cheapest", shards=SHARDS)).close()
        self._disconnect()
        with psycopg.connect(url) as connection:
            for table in OF_THE_SERVER:
                connection.execute(SQL("DELETE FROM {}").format(Identifier(*table.split("."))))
            found = connection.execute(SELECT_RELATIONS, [list(SCHEMAS)]).fetchall()
            self._relations = frozenset(oid for oid, *_ in found)
            for _, schema, table, kind, filled in found:
                if kind == TABLE and filled:
                    self._rows[schema, table] = connection.execute(
                        SQL("SELECT * FROM {}").format(Identifier(schema, table))
                    ).fetchall()

    def _empty(self, connection: psycopg.Connection[Any], found: list[tuple[Any, ...]]) -> None:
        filled = [Identifier(schema, table) for _, schema, table, kind, filled in found if kind == TABLE and filled]
        if filled:
            connection.execute(SQL("TRUNCATE {} RESTART IDENTITY").format(SQL(", ").join(filled)))
        for table, rows in self._rows.items():
            for row in rows:
                values = SQL(", ").join([Placeholder()] * len(row))
                connection.execute(SQL("INSERT INTO {} VALUES ({})").format(Identifier(*table), values), row)

    def _disconnect(self) -> None:
        own = 0 if self._inside is None else self._inside.info.backend_pid
        wait_until(lambda: not self._outside.execute(DISCONNECT, [self._name, own]).fetchall(), pause_s=0.002)

    def _leave(self) -> None:
        if self._inside is not None:
            self._inside.close()
            self._inside = None

    @cached_property
    def _outside(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.server.dsn, autocommit=True)
