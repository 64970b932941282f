"""A place of SQLite files, read only: log.db, and office.db and views.db where they are there."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from api.ops.check.raw_store import LOG, OFFICE, VIEWS, Damaged, OutOfReach, Place, Placed, Row, Stored, selecting
from domain.store.sqlite import CREATE_TABLE

AWAY = {
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_FULL),
}
"""SQLite's codes for a file that cannot be read now, whatever it holds."""


@contextmanager
def files_at(data: Path) -> Iterator[Place]:
    """The files of a folder. FileNotFoundError where no game was ever kept in it."""
    if not (data / "log.db").exists():
        raise FileNotFoundError(data)
    place = SqlitePlace(data)
    with place.opened:
        place.open()
        yield place


@dataclass
class SqlitePlace:
    """The files of a folder; only log.db has to be there."""

    data: Path
    opened: ExitStack = field(default_factory=ExitStack)
    files: dict[str, sqlite3.Connection] = field(default_factory=dict)
    store: str = "sqlite"
    gapless: bool = True

    def open(self) -> None:
        """Look at each file that is there as of one moment; the log's is the last, as the others follow it."""
        for name in (VIEWS, OFFICE, LOG):
            if (self.data / f"{name}.db").exists():
                self.files[name] = self._file(name)
                with suppress(Damaged), _sqlite(f"{name}.db"):
                    self.files[name].execute("BEGIN")
                    self.files[name].execute("SELECT 1 FROM sqlite_schema").fetchall()

    def _file(self, name: str) -> sqlite3.Connection:
        with _sqlite(f"{name}.db"):
            uri = f"{(self.data / name).absolute().as_uri()}.db?mode=ro"
            made = sqlite3.connect(uri, uri=True, timeout=5, isolation_level=None)
            self.opened.enter_context(closing(made))
            made.text_factory = _text
            return made

    def faults(self) -> Iterator[tuple[str, str]]:
        for name, file in self.files.items():
            where = f"{name}.db"
            try:
                with _sqlite(where):
                    said = [str(row[0]) for row in file.execute("PRAGMA integrity_check")]
                    said = [] if said == ["ok"] else said
                    yield from ((where, line) for each in said for line in each.splitlines())
                    yield from ((where, line) for line in (_schema(file) if name == LOG else ()))
            except Damaged as damage:
                yield damage.where, str(damage)

    def order(self) -> Iterator[Placed]:
        with _sqlite("log.db"):
            asked = "SELECT notification_id, originator_id, originator_version FROM stored_events NOT INDEXED"
            yield from self.files[LOG].execute(f"{asked} ORDER BY notification_id")

    def of(self, game: Any) -> list[Stored]:
        with _sqlite("log.db"):
            asked = "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ? ORDER BY 1"
            return self.files[LOG].execute(asked, (game,)).fetchall()

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
            return file.execute(selecting(table, columns, where, "?"), tuple(where.values())).fetchall()


def _text(raw: bytes) -> str:
    """Text that is none is still read, and fits nothing."""
    return raw.decode("utf-8", "backslashreplace")


@contextmanager
def _sqlite(where: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF in AWAY:
            raise OutOfReach(f"{where}: {error}") from error
        raise Damaged(where, str(error)) from error
    except UnicodeDecodeError as error:  # SQLite says what is wrong, and quotes what is no text
        raise Damaged(where, "its tables cannot be read") from error


def _schema(file: sqlite3.Connection) -> Iterator[str]:
    """How the tables of the log differ from those a new one has; what ANALYZE keeps is no matter."""
    with closing(sqlite3.connect(":memory:")) as new:
        new.execute(CREATE_TABLE)
        asked = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'"
        there, due = set(file.execute(asked)), set(new.execute(asked))
    yield from (f"the {kind} {name} is none of a log" for kind, name, *_ in sorted(there - due, key=repr))
    yield from (f"the {kind} {name} of a log is missing" for kind, name, *_ in sorted(due - there, key=repr))
