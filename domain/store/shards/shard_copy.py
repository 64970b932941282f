"""The tables of one shard on one PostgreSQL server: the shard itself, a copy in the making, or one left behind."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Composable, Identifier, Literal

from domain.store.recorder import MAX_INTEGER
from domain.store.shards.layout import SetProgress, postgres_tables
from domain.store.shards.old_archive import archive_table_name
from domain.store.shards.servers import READ_ONLY_STATE
from domain.store.sql.breaker import Timeouts
from domain.store.sql.postgres_pool import connect

PAGE = 2000
"""How many rows are copied in one transaction at most."""
FENCE = "shard_fence"
CREATE_FENCE_FUNCTION = (
    "CREATE OR REPLACE FUNCTION log.{fence}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " RAISE EXCEPTION 'this copy of the shard takes no rows' USING ERRCODE = {state}; END $$"
)
CREATE_FENCE = (
    "CREATE TRIGGER {fence} BEFORE INSERT OR UPDATE OR DELETE ON log.{table}"
    " FOR EACH STATEMENT EXECUTE FUNCTION log.{fence}()"
)
SELECT_PAGE = """
SELECT notification_id, originator_id, originator_version, topic, state FROM log.{table}
WHERE notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"""
COPY_ROWS = (
    "COPY log.{table} (notification_id, originator_id, originator_version, topic, state) FROM STDIN (FORMAT BINARY)"
)
COLUMN_TYPES = "int8", "uuid", "int8", "text", "bytea"

Connection = psycopg.Connection[Any]
Row = tuple[int, UUID, int, str, bytes]


@dataclass(frozen=True)
class CopyContents:
    """A range of a shard's rows. The digest covers the rows with their numbers, and so the roots in them."""

    games: int = 0
    events: int = 0
    last: int = 0
    digest: int = 0

    def extended_by(self, found: "CopyContents") -> "CopyContents":
        """Return what this range and the next one hold together."""
        digest = (self.digest + found.digest) % (1 << 256)
        return CopyContents(self.games + found.games, self.events + found.events, found.last, digest)


@dataclass(frozen=True)
class ShardNames:
    """The names of a shard's tables: as servers use them, while it's copied, and of an old copy."""

    table: str

    @property
    def incoming(self) -> str:
        """The copy that is being made."""
        return f"{self.table}_incoming"

    @property
    def old(self) -> str:
        """The copy that was left behind."""
        return f"{self.table}_moved"

    @property
    def archive(self) -> str:
        """The archive of the shard, as version 0.2 made it."""
        return archive_table_name(self.table)

    @property
    def old_archive(self) -> str:
        """The archive of the copy that a move by version 0.2 left behind."""
        return f"{self.archive}_moved"


def shard_tables(shard: int, count: int) -> ShardNames:
    """Return the names of a shard's tables in a log with this number of shards."""
    return ShardNames(postgres_tables(count)[shard])


class ShardTables:
    """The tables of one shard on one server, through a connection that commits each statement."""

    def __init__(self, connection: Connection, names: ShardNames) -> None:
        self.connection, self._names = connection, names

    def run(self, statement: LiteralString, *values: object, **names: str) -> list[Any]:
        """Run a statement with names of tables or triggers in it, and return its rows."""
        parts: dict[str, Composable] = {key: Identifier(name) for key, name in names.items()}
        cursor = self.connection.execute(SQL(statement).format(**parts), values or None)
        return cursor.fetchall() if cursor.description else []

    def has(self, table: str) -> bool:
        """Return whether a table exists in the schema of the log."""
        return self.run("SELECT to_regclass(%s) IS NOT NULL", f'log."{table}"') == [(True,)]

    def rename(self, table: str, to: str) -> None:
        self.run("ALTER TABLE log.{table} RENAME TO {to}", table=table, to=to)

    def is_fenced(self, table: str) -> bool:
        """Return whether a table refuses rows."""
        statement = "SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass(%s) AND tgname = %s"
        return bool(self.run(statement, f'log."{table}"', FENCE))

    def fence(self, table: str) -> None:
        """Let a table refuse rows. Wait for transactions that write to it: they end first."""
        function = SQL(CREATE_FENCE_FUNCTION).format(fence=Identifier(FENCE), state=Literal(READ_ONLY_STATE))
        self.connection.execute(function)
        self.run(CREATE_FENCE, fence=FENCE, table=table)

    def unfence(self, table: str) -> None:
        """Let a table take rows again."""
        self.run("DROP TRIGGER IF EXISTS {fence} ON log.{table}", fence=FENCE, table=table)

    def last_number(self, table: str) -> int:
        """Return the highest number in a table, or 0."""
        return int(self.run("SELECT COALESCE(MAX(notification_id), 0) FROM log.{table}", table=table)[0][0])

    def old_tables(self) -> list[str]:
        """Return the tables of the copy that was left behind."""
        return [name for name in (self._names.old, self._names.old_archive) if self.has(name)]

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Insert rows with the numbers that they have."""
        with self.connection.cursor().copy(SQL(COPY_ROWS).format(table=Identifier(table))) as copy:
            copy.set_types(COLUMN_TYPES)
            for row in rows:
                copy.write_row(row)

    def continue_numbers(self, table: str) -> None:
        """Let the next row have the number after the last one."""
        if last := self.last_number(table):
            self.run("SELECT setval(pg_get_serial_sequence(%s, 'notification_id'), %s)", f'log."{table}"', last)

    def page(self, tables: list[str], after: int, upto: int = MAX_INTEGER) -> list[Row]:
        """Return the next rows of some tables by number; a row in two of them only once."""
        found = {row[0]: row for table in tables for row in self.run(SELECT_PAGE, after, upto, PAGE, table=table)}
        return [found[number] for number in sorted(found)[:PAGE]]

    def contents(
        self, tables: list[str], after: int, upto: int, progress: SetProgress = lambda _: None
    ) -> CopyContents:
        """Return what the tables hold with numbers above `after` up to `upto`, read in pages."""
        games = events = digest = 0
        last = after
        while rows := self.page(tables, last, upto):
            for number, game, version, topic, state in rows:
                head = b"%d %s %d %d %s " % (number, game.bytes, version, len(topic), topic.encode())
                digest = (digest + int.from_bytes(sha256(head + state).digest())) % (1 << 256)
                games += version == 1
            events, last = events + len(rows), rows[-1][0]
            progress(events)
        return CopyContents(games, events, last, digest)


@contextmanager
def open_shard(url: str, timeouts: Timeouts, names: ShardNames) -> Iterator[ShardTables]:
    """Connect to a server, for the tables of a shard."""
    with connect(url, timeouts) as connection:
        connection.autocommit = True
        yield ShardTables(connection, names)
