"""The database of the rows, created again if its tables or its file are gone, or if the file is damaged.

Rows can always be folded again from the log, so nothing is lost. The call that meets the damage may fail; the next one
finds empty tables.
"""

import fcntl
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock

import psycopg

from domain.store.held_clock import machine_time
from domain.store.sql.breaker import Timeouts
from domain.store.sql.database import DATABASE_ERRORS, Clock, Schema, Transaction, open_database
from domain.store.sql.sqlite import SIDE_FILES, SqliteDatabase, SqliteFile, identity_of
from domain.store.sql.sqlite_errors import is_damage
from projections.storage.tables import DamagedRow, NoLiveRows

VIEWS = Schema("views", durable=False, lock_id=7_020_022, connections=4)
"""Not durable: after a power cut the followers fold the lost commits again."""
REMOVAL_PAUSE_S, REMOVAL_CHECKS = 0.01, 50
"""How long to wait until somebody who removes the files has removed all of them."""

LOG = logging.getLogger("trickbook.views")


class RowDatabase:
    """The file `data`/views.db or the schema `views` at `url`; `create_tables` creates the tables that are missing."""

    def __init__(
        self,
        data: Path | None,
        url: str | None,
        timeouts: Timeouts,
        create_tables: Callable[[Transaction], None],
        clock: Clock = machine_time,
    ) -> None:
        self._place = data, url, timeouts, clock
        self._create_tables = create_tables
        self._database = open_database(VIEWS, *self._place)
        self._lock = Lock()
        self.dialect = self._database.dialect

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Transaction]:
        """Open a transaction. If it fails since tables are missing or damaged, create them before raising the error."""
        self._notice_replacement()
        used = self._database
        try:
            with used.transaction(writes=writes) as transaction:
                yield transaction
        except (*DATABASE_ERRORS, DamagedRow, NoLiveRows) as error:
            if isinstance(used, SqliteDatabase) and are_rows_damaged(error):
                self._start_anew(used, f"is damaged ({error})")
            elif is_missing_table(error):
                self._create()
            raise

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _notice_replacement(self) -> None:
        used = self._database
        if isinstance(used, SqliteDatabase) and used.file.is_replaced() and used.file.path.parent.is_dir():
            self._start_anew(used, "was removed or replaced")  # if the folder is gone, it was moved away

    def _start_anew(self, used: SqliteDatabase, what: str) -> None:
        """Open the file again; set aside what is left of the old one, unless another thread or process has done so."""
        with self._lock:
            if self._database is not used:
                return
            file = used.file
            LOG.warning("%s %s; the lists are built again from the log", file.path.name, what)
            # Until it has a first page: a connection to an empty file deletes the write-ahead log of another process.
            with _locked(file.path.parent):
                _set_aside(file)
                used.close()
                self._database = open_database(VIEWS, *self._place)
                self._create()

    def _create(self) -> None:
        with suppress(*DATABASE_ERRORS), self._database.transaction(writes=True) as transaction:
            transaction.lock_schema()
            self._create_tables(transaction)
            LOG.info("the tables of the lists are in place")


def are_rows_damaged(error: Exception) -> bool:
    """Return whether an error shows that the file, or a row in it, isn't as it was written."""
    return is_damage(error) or isinstance(error, DamagedRow) or "decode to UTF-8" in str(error)


def is_missing_table(error: Exception) -> bool:
    """Return whether an error shows that a table, its entry or the schema is gone."""
    gone = (NoLiveRows, psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName)
    return isinstance(error, gone) or (isinstance(error, sqlite3.OperationalError) and "no such table" in str(error))


def _set_aside(file: SqliteFile) -> None:
    """Rename a file to *.damaged, unless another process made a new one, and remove the files beside it.

    The caller holds the lock of the folder.
    """
    beside = [file.path.with_name(file.path.name + suffix) for suffix in SIDE_FILES]
    now = identity_of(file.path)
    if None not in (now, file.identity) and now != file.identity:
        return  # another process made it
    for _ in range(REMOVAL_CHECKS if now is None else 0):
        if not any(map(identity_of, (file.path, *beside))):
            break
        Event().wait(REMOVAL_PAUSE_S)
    for each in beside:
        each.unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        file.path.rename(file.path.with_name(file.path.name + ".damaged"))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock by which processes take turns in setting a file of this folder aside."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
