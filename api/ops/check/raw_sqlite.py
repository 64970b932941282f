"""A store in SQLite files, opened read-only: log.db, and office.db and views.db if they exist."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from api.ops.check.raw_store import (
    ACCOUNTS,
    LOG,
    VIEWS,
    RawRow,
    RawStore,
    Row,
    RowPosition,
    StoreDamaged,
    StoreUnreachable,
    require_dictionaries,
    select_statement,
    select_where,
)
from domain.store.shards.layout import DICTIONARIES_TABLE, SHARDS_TABLE, sqlite_tables
from domain.store.shards.old_archive import IS_ARCHIVED, has_sqlite_archive
from domain.store.sql.sqlite import Access, lacks_wal, open_file
from domain.store.sql.sqlite_errors import FileDamaged, missing_wal_sentence
from domain.store.sqlite import (
    create_statements,
    read_dictionaries,
    read_shards,
    select_with,
    unfinished_copy,
)

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
    shards: int = 1

    def open(self) -> None:
        """Begin a transaction on each existing file. The log comes after those that follow it."""
        for name in (VIEWS, ACCOUNTS, LOG):
            if name != VIEWS and lacks_wal(self.data / f"{name}.db"):  # reading the file would begin another one
                raise StoreUnreachable(missing_wal_sentence(self.data / f"{name}.db"))
            if (self.data / f"{name}.db").exists():
                self.files[name] = self._file(name)
                with suppress(StoreDamaged), _sqlite(f"{name}.db"):
                    self.files[name].execute("BEGIN")
                    self.files[name].execute("SELECT 1 FROM sqlite_schema").fetchall()
        with suppress(StoreDamaged), _sqlite("log.db"):
            self.shards = read_shards(select_with(self.files[LOG])) or 1
            require_dictionaries(read_dictionaries(select_with(self.files[LOG])))
        if has_sqlite_archive(self.data, self.shards):
            raise StoreUnreachable(IS_ARCHIVED)

    def _file(self, name: str) -> sqlite3.Connection:
        with _sqlite(f"{name}.db"):
            connection = self.stack.enter_context(closing(open_file(self.data / f"{name}.db", Access.READ)))
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
                    yield from ((where, line) for line in self._schema_faults(name, file))
            except StoreDamaged as damage:
                yield damage.where, str(damage)

    def _schema_faults(self, name: str, file: sqlite3.Connection) -> Iterator[str]:
        if name == LOG:
            read_shards(select_with(file))  # raises a number of shards that can't be one
            yield from _schema(file, self.shards)

    def row_positions(self, shard: int) -> Iterator[RowPosition]:
        table = sqlite_tables(self.shards)[shard]
        with _sqlite("log.db"):
            statement = f"SELECT notification_id, originator_id, originator_version FROM {table} NOT INDEXED"
            yield from self.files[LOG].execute(f"{statement} ORDER BY notification_id")

    def rows_of(self, shard: int, game: str) -> list[RawRow]:
        table = sqlite_tables(self.shards)[shard]
        with _sqlite("log.db"):
            statement = f"SELECT originator_version, topic, state FROM {table} WHERE originator_id = ? ORDER BY 1"
            return self.files[LOG].execute(statement, (game.replace("-", ""),)).fetchall()

    def boards(self) -> Iterator[Row]:
        if ACCOUNTS in self.files:
            yield from self._scan(self._newest_accounts, ACCOUNTS, "boards", ("number", "game"))

    def boards_of(self, games: Sequence[str]) -> list[Row]:
        if ACCOUNTS not in self.files:
            return []
        return self._select_games(self._newest_accounts, ACCOUNTS, "boards", ("game", "number"), games)

    @cached_property
    def _newest_accounts(self) -> sqlite3.Connection:
        """A connection without a transaction: every statement sees the newest rows."""
        return self._file(ACCOUNTS)

    def select(self, schema: str, table: str, columns: Sequence[str], **where: object) -> list[Row] | None:
        file = self.files.get(schema)
        if file is None or not _has_table(file, schema, table):
            return None
        with _sqlite(f"{schema}.db"):
            return file.execute(select_statement(table, columns, where, "?"), tuple(where.values())).fetchall()

    def select_games(self, schema: str, table: str, columns: Sequence[str], games: Sequence[str]) -> list[Row]:
        file = self.files.get(schema)
        return [] if file is None else self._select_games(file, schema, table, columns, games)

    def _select_games(
        self, file: sqlite3.Connection, schema: str, table: str, columns: Sequence[str], games: Sequence[str]
    ) -> list[Row]:
        if not _has_table(file, schema, table):
            return []
        with _sqlite(f"{schema}.db"):
            condition = f"{columns[0]} IN ({', '.join('?' * len(games))})"
            return file.execute(select_where(table, columns, condition), tuple(games)).fetchall()

    def scan(self, schema: str, table: str, columns: Sequence[str]) -> Iterator[Row]:
        if schema in self.files:
            yield from self._scan(self.files[schema], schema, table, columns)

    def _scan(self, file: sqlite3.Connection, schema: str, table: str, columns: Sequence[str]) -> Iterator[Row]:
        if _has_table(file, schema, table):
            with _sqlite(f"{schema}.db"):
                yield from file.execute(select_where(table, columns, ""))


def _has_table(file: sqlite3.Connection, schema: str, table: str) -> bool:
    with _sqlite(f"{schema}.db"):
        statement = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
        return file.execute(statement, (table,)).fetchone() is not None


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
    except FileDamaged as damage:
        raise StoreDamaged(where, str(damage)) from damage
    except UnicodeDecodeError as error:  # SQLite's message quotes the invalid text
        raise StoreDamaged(where, "its tables can't be read") from error


def _schema(file: sqlite3.Connection, shards: int) -> Iterator[str]:
    """Yield the differences between the log's tables and a new log's, ignoring the tables of ANALYZE.

    A log of an older version has no tables for the number of shards and the dictionaries. A copy into another number
    may not be complete.
    """
    with closing(sqlite3.connect(":memory:")) as new:
        statement = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'"
        actual = set(file.execute(statement))
        for create in create_statements(shards, unfinished_copy(select_with(file))):
            new.execute(create)
        expected = set(new.execute(statement))
        for newer in (SHARDS_TABLE, DICTIONARIES_TABLE):
            if not any(name == newer for _, name, *_ in actual):
                expected = {each for each in expected if each[2] != newer}
    yield from (f"the {kind} {name} doesn't belong to a log" for kind, name, *_ in sorted(actual - expected, key=repr))
    yield from (f"the {kind} {name} is missing" for kind, name, *_ in sorted(expected - actual, key=repr))
