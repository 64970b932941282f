"""Copies of a store's log, to put back later, as an operator does with a backup."""

import shutil
import sqlite3
from contextlib import closing

import psycopg

from tests.conftest import Database
from tests.logs.tables import log_tables

KEEP = "CREATE TABLE kept_{number} AS SELECT * FROM {table}"
PUT_BACK = (
    "TRUNCATE {table}",
    "INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_{number}",
    (
        "SELECT setval(pg_get_serial_sequence('{table}', 'notification_id'),"
        " (SELECT COALESCE(MAX(notification_id), 0) + 1 FROM {table}), false)"
    ),
)


class LogCopy:
    """A copy of the log as it is now. Everything else of the store stays as it is."""

    def __init__(self, database: Database) -> None:
        self._database = database
        if database.url is not None:
            self._on_postgres(database.url, KEEP)
            return
        with closing(sqlite3.connect(database.data / "log.db")) as log, closing(sqlite3.connect(self._file)) as copy:
            log.backup(copy)

    @property
    def _file(self) -> str:
        return str(self._database.data / "log.copy")

    def put_back(self) -> None:
        """Put the copy back. Nothing may use the store meanwhile."""
        if self._database.url is not None:
            self._on_postgres(self._database.url, *PUT_BACK)
            return
        for suffix in ("-wal", "-shm"):
            (self._database.data / f"log.db{suffix}").unlink(missing_ok=True)
        shutil.copyfile(self._file, self._database.data / "log.db")

    def _on_postgres(self, url: str, *statements: str) -> None:
        """Run the statements for each table of the log."""
        with psycopg.connect(url) as connection:
            for number, table in enumerate(log_tables(url)):
                for statement in statements:
                    connection.execute(statement.format(number=number, table=table).encode())
