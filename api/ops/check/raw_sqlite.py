"""A store in SQLite files, opened read-only: log.db, and office.db and views.db if they exist."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from api.ops.check.raw_store import (
    LOG,
    OFFICE,
    VIEWS,
    RawRow,
    RawStore,
    Row,
    RowPosition,
    StoreDamaged,
    StoreUnreachable,
    select_statement,
)
from domain.store.sqlite import CREATE_TABLE

UNREACHABLE_CODES = {
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_FULL),
}
"""SQLite's codes for a file that can't be read now, whatever its content."""


@contextmanager
def sqlite_store(data: Path) -> Iterator[RawStore]:
    """Open the files in a folder. Raise FileNotFoundError if it never held a game."""
    if not (data / "log.db").exists():
        raise FileNotFoundError(data)
    store = RawSqlite(data)
    with store.stack:
        store.open()
        yield store


@dataclass
class RawSqlite:
    """The files in a folder; only log.db must exist."""

    data: Path
    stack: ExitStack = field(default_factory=ExitStack)
    files: dict[str, sqlite3.Connection] = field(default_factory=dict)
    kind: str = "sqlite"
    gapless: bool = True

    def open(self) -> None:
        """Begin a transaction on each existing file; on the log last, because the others follow it."""
        for name in (VIEWS, OFFICE, LOG):
            if (self.data / f"{name}.db").exists():
                self.files[name] = self._file(name)
                with suppress(StoreDamaged), _sqlite(f"{name}.db"):
                    self.files[name].execute("BEGIN")
                    self.files[name].execute("SELECT 1 FROM sqlite_schema").fetchall()

    def _file(self, name: str) -> sqlite3.Connection:
        with _sqlite(f"{name}.db"):
            uri = f"{(self.data / name).absolute().as_uri()}.db?mode=ro"
            connection = sqlite3.connect(uri, uri=True, timeout=5, isolation_level=None)
            self.stack.enter_context(closing(connection))
            connection.text_factory = _decode_text
            return connection

    def faults(self) -> Iterator[tuple[str, str]]:
        for name, file in self.files.items():
            where = f"{name}.db"
            try:
                with _sqlite(where):
                    faults = [str(row[0]) for row in file.execute("PRAGMA integrity_check")]
                    faults = [] if faults == ["ok"] else faults
                    yield from ((where, line) for fault in faults for line in fault.splitlines())
                    yield from ((where, line) for line in (_schema(file) if name == LOG else ()))
            except StoreDamaged as damage:
                yield damage.where, str(damage)

    def row_positions(self) -> Iterator[RowPosition]:
        with _sqlite("log.db"):
            statement = "SELECT notification_id, originator_id, originator_version FROM stored_events NOT INDEXED"
            yield from self.files[LOG].execute(f"{statement} ORDER BY notification_id")

    def rows_of(self, game: Any) -> list[RawRow]:
        with _sqlite("log.db"):
            statement = "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ? ORDER BY 1"
            return self.files[LOG].execute(statement, (game,)).fetchall()

    def boards(self) -> list[Row] | None:
        if OFFICE not in self.files:
            return None
        return self._select(self._file(OFFICE), OFFICE, "boards", ("number", "game"), {})

    def select(self, schema: str, table: str, columns: Sequence[str], **where: object) -> list[Row] | None:
        file = self.files.get(schema)
        return None if file is None else self._select(file, schema, table, columns, where)

    def _select(
        self, file: sqlite3.Connection, schema: str, table: str, columns: Sequence[str], where: dict[str, object]
    ) -> list[Row] | None:
        with _sqlite(f"{schema}.db"):
            if not file.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,)).fetchall():
                return None
            return file.execute(select_statement(table, columns, where, "?"), tuple(where.values())).fetchall()


def _decode_text(raw: bytes) -> str:
    """Decode any bytes; invalid UTF-8 becomes text that matches nothing."""
    return raw.decode("utf-8", "backslashreplace")


@contextmanager
def _sqlite(where: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF in UNREACHABLE_CODES:
            raise StoreUnreachable(f"{where}: {error}") from error
        raise StoreDamaged(where, str(error)) from error
    except UnicodeDecodeError as error:  # SQLite's message quotes the invalid text
        raise StoreDamaged(where, "its tables can't be read") from error


def _schema(file: sqlite3.Connection) -> Iterator[str]:
    """Yield the differences between the log's tables and a new log's, ignoring the tables of ANALYZE."""
    with closing(sqlite3.connect(":memory:")) as new:
        new.execute(CREATE_TABLE)
        statement = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'"
        actual, expected = set(file.execute(statement)), set(new.execute(statement))
    yield from (f"the {kind} {name} doesn't belong to a log" for kind, name, *_ in sorted(actual - expected, key=repr))
    yield from (f"the {kind} {name} is missing" for kind, name, *_ in sorted(expected - actual, key=repr))
