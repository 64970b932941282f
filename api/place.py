"""The databases of a place as they stand: every row read as it is, at one moment, and nothing ever written.

Nothing here goes through the store, the office or the followers: they make what is missing, and trust what they read.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import psycopg

from api.config import Config
from domain.mapper import SHARD
from domain.recorders_sqlite import CREATE

LOG, OFFICE, VIEWS = "log", "office", "views"
COLUMNS = {
    "originator_id": "uuid",
    "originator_version": "bigint",
    "topic": "text",
    "state": "bytea",
    "notification_id": "bigint",
}
"""The log's columns and their types on PostgreSQL, where the database keeps to them."""
AWAY = {
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_FULL),
}
"""SQLite's codes for a file that cannot be read now, whatever it holds."""
Row = tuple[Any, ...]
Placed = tuple[Any, Any, Any]
"""A row's place among all: position, game as it is spelt there, version. Values may be of any kind."""
Stored = tuple[Any, Any, Any]
"""A row of one game: version, topic, state. Values may be of any kind."""


class OutOfReach(Exception):
    """A database cannot be read now; the sentence says why."""


class Damaged(Exception):
    """A database does not hold what it should; `where` is the file or schema."""

    def __init__(self, where: str, says: str) -> None:
        super().__init__(says)
        self.where = where


class Place(Protocol):
    """What a check reads. Each method raises OutOfReach or Damaged."""

    store: str
    gapless: bool
    """Whether positions have no gaps: PostgreSQL spends one on every commit that lost a race."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Where the database itself is not in order, and how."""

    def order(self) -> Iterator[Placed]:
        """Every row there is, by position, read from the table itself."""

    def of(self, game: Any) -> list[Stored]:
        """The rows of one game by version, found as the store finds them: by the index."""

    def boards(self) -> list[Row] | None:
        """Number and game of each board, those of the newest games among them; None where there is no such table."""

    def select(self, schema: str, table: str, columns: Sequence[str], **where: object) -> list[Row] | None:
        """Rows of the office or of the views; None where there is no such table."""


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
            return file.execute(_asked(table, columns, where, "?"), tuple(where.values())).fetchall()


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
        new.execute(CREATE)
        asked = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'"
        there, due = set(file.execute(asked)), set(new.execute(asked))
    yield from (f"the {kind} {name} is none of a log" for kind, name, *_ in sorted(there - due, key=repr))
    yield from (f"the {kind} {name} of a log is missing" for kind, name, *_ in sorted(due - there, key=repr))


@dataclass
class PostgresPlace:
    """The schemas log, office and views of a database, in one transaction that sees one moment."""

    connection: psycopg.Connection[Row]
    store: str = "postgresql"
    gapless: bool = False

    def faults(self) -> Iterator[tuple[str, str]]:
        with _postgres():
            yield from ((LOG, says) for says in self._tables())
            yield from ((LOG, says) for says in self._columns())

    def _tables(self) -> Iterator[str]:
        asked = "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('log') AND relkind IN %s"
        found = self._run(asked.replace("%s", "('r', 'v', 'm', 'p', 'f')"))
        yield from (f"the table {name} is none of a log" for (name,) in found if name != f"{SHARD}_events")
        asked = f"SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = to_regclass('log.{SHARD}_events')"
        yield from (f"the trigger {name} is none of a log" for (name,) in self._run(asked))

    def _columns(self) -> Iterator[str]:
        asked = "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'log'"
        there = self._run(f"{asked} AND table_name = '{SHARD}_events'")
        if set(there) != set(COLUMNS.items()):
            yield f"the columns of {SHARD}_events are not those of a log"

    def order(self) -> Iterator[Placed]:
        with _postgres(), self.connection.cursor(name="order") as cursor:
            for way in ("indexscan", "indexonlyscan", "bitmapscan"):
                self._run(f"SET LOCAL enable_{way} = off")
            cursor.itersize = 5000
            asked = f"SELECT notification_id, originator_id, originator_version FROM log.{SHARD}_events ORDER BY 1"
            yield from cursor.execute(asked.encode())
            for way in ("indexscan", "indexonlyscan", "bitmapscan"):
                self._run(f"SET LOCAL enable_{way} = on")

    def of(self, game: Any) -> list[Stored]:
        with _postgres():
            asked = f"SELECT originator_version, topic, state FROM log.{SHARD}_events WHERE originator_id = %s"
            return self._run(f"{asked} ORDER BY 1", game)

    def boards(self) -> list[Row] | None:
        return self.select(OFFICE, "boards", ("number", "game"))

    def select(self, schema: str, table: str, columns: Sequence[str], **where: object) -> list[Row] | None:
        with _postgres():
            if self._run("SELECT to_regclass(%s)", f"{schema}.{table}") == [(None,)]:
                return None
            return self._run(_asked(f"{schema}.{table}", columns, where, "%s"), *where.values())

    def _run(self, statement: str, *values: object) -> list[Row]:
        cursor = self.connection.execute(statement.encode(), values or None)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def _postgres() -> Iterator[None]:
    try:
        yield
    except (psycopg.DataError, psycopg.InternalError, psycopg.ProgrammingError) as error:
        raise Damaged("the database", str(error).partition("\n")[0]) from error
    except psycopg.Error as error:
        raise OutOfReach(f"the database did not answer as it should ({type(error).__name__})") from error


def _asked(table: str, columns: Iterable[str], where: Iterable[str], mark: str) -> str:
    """The table and column names are ours."""
    only = " AND ".join(f"{column} = {mark}" for column in where)
    return f"SELECT {', '.join(columns)} FROM {table}" + (f" WHERE {only}" if only else "") + " ORDER BY 1"


def open_place(config: Config) -> AbstractContextManager[Place]:
    """The databases the configuration names. FileNotFoundError where no game was ever kept."""
    return _files(config.data) if config.database_url is None else _server(config.database_url)


@contextmanager
def _files(data: Path) -> Iterator[Place]:
    if not (data / "log.db").exists():
        raise FileNotFoundError(data)
    place = SqlitePlace(data)
    with place.opened:
        place.open()
        yield place


@contextmanager
def _server(url: str) -> Iterator[Place]:
    with ExitStack() as opened:
        with _postgres():
            connection = opened.enter_context(psycopg.connect(url, connect_timeout=3))
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            if connection.execute("SELECT to_regnamespace('log')").fetchall() == [(None,)]:
                raise FileNotFoundError("the schema log")
        yield PostgresPlace(connection)
