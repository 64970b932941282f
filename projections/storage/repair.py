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
from domain.store.sql.sqlite_errors import is_damage
from domain.store.sql.sqlite_files import SIDE_FILES, Identity, identity_of
from projections.storage.row_codec import DamagedRow
from projections.storage.statements import NoLiveRows

VIEWS = Schema("views", durable=False, lock_id=7_020_022)
"""Not durable: after a power cut the followers fold the lost commits again."""
REMOVAL_PAUSE_S, REMOVAL_CHECKS = 0.01, 50
"""How long to wait until somebody who removes the files has removed all of them."""
Identities = tuple[Identity | None, ...]

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
        self._file = None if url is not None or data is None else _RowFile(data / f"{VIEWS.name}.db")
        self._lock = Lock()
        self.text_type = self._database.text_type

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Transaction]:
        """Open a transaction. If it fails since tables are missing or damaged, create them before raising the error."""
        self._notice_replacement()
        used = self._database
        try:
            with used.transaction(writes=writes) as transaction:
                yield transaction
            if self._file is not None:
                self._file.watch()
        except (*DATABASE_ERRORS, DamagedRow, NoLiveRows) as error:
            if self._file is not None and are_rows_damaged(error):
                self._start_anew(self._file, f"is damaged ({error})", unless=lambda: self._database is not used)
            elif is_missing_table(error):
                self._create()
            raise

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            if self._file is not None:
                self._file.close()
            self._database.close()

    def _notice_replacement(self) -> None:
        file = self._file
        if file is not None and file.is_replaced() and file.path.parent.is_dir():  # else the folder was moved away
            self._start_anew(file, "was removed or replaced", unless=lambda: not file.is_replaced())

    def _start_anew(self, file: "_RowFile", what: str, unless: Callable[[], bool]) -> None:
        """Open the file again; set aside what is left of the old one, unless another process has done so."""
        with self._lock:
            if unless():
                return
            LOG.warning("%s %s; the lists are built again from the log", file.path.name, what)
            # Until it has a first page: a connection to an empty file deletes the write-ahead log of another process.
            with _locked(file.path.parent):
                file.set_aside()
                self._database.close()
                self._database = open_database(VIEWS, *self._place)
                self._create()

    def _create(self) -> None:
        with suppress(*DATABASE_ERRORS), self._database.transaction(writes=True) as transaction:
            transaction.lock_schema()
            self._create_tables(transaction)
            LOG.info("the tables of the lists are in place")


def are_rows_damaged(error: Exception) -> bool:
    """Return whether an error shows that the file, or a row in it, isn't as it was written.

    A read that gets too few bytes shows that the file or its write-ahead log was removed before it was watched.
    """
    is_cut = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHORT_READ
    return is_damage(error) or is_cut or isinstance(error, DamagedRow) or "decode to UTF-8" in str(error)


def is_missing_table(error: Exception) -> bool:
    """Return whether an error shows that a table, its entry or the schema is gone."""
    gone = (NoLiveRows, psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName)
    return isinstance(error, gone) or (isinstance(error, sqlite3.OperationalError) and "no such table" in str(error))


class _RowFile:
    """An SQLite file and the two files beside it, while this process uses them.

    One connection stays open, so that SQLite itself never removes the files: if they are gone, somebody removed them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held: sqlite3.Connection | None = None
        self._identity: Identities | None = None
        self._watching = Lock()

    def watch(self) -> None:
        """Remember the files as they are now. The database has just answered."""
        if self._identity is not None:
            return
        with self._watching:
            if self._identity is None:
                self._held = sqlite3.connect(self.path, check_same_thread=False)
                self._held.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
                self._identity = self._read_identity()

    def is_replaced(self) -> bool:
        """Return whether the files aren't those that `watch` saw."""
        identity = self._identity
        return identity is not None and identity != self._read_identity()

    def set_aside(self) -> None:
        """Rename the file to *.damaged, unless another process made a new one, and remove the files beside it.

        The caller holds the lock of the folder.
        """
        ours = self._identity
        self.close()
        now = self._read_identity()
        if ours is not None and now[0] is not None and now[0] != ours[0]:
            return  # another process made it
        for _ in range(REMOVAL_CHECKS if now[0] is None else 0):
            if not any(self._read_identity()):
                break
            Event().wait(REMOVAL_PAUSE_S)
        for suffix in SIDE_FILES:
            self._beside(suffix).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            self.path.rename(self._beside(".damaged"))

    def close(self) -> None:
        """Stop watching."""
        with self._watching:
            if self._held is not None:
                self._held.close()
            self._held = self._identity = None

    def _beside(self, suffix: str) -> Path:
        return self.path.with_name(self.path.name + suffix)

    def _read_identity(self) -> Identities:
        return tuple(map(identity_of, (self.path, *map(self._beside, SIDE_FILES))))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock by which processes take turns in setting a file of this folder aside."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
