"""A store in a PostgreSQL database, opened read-only: one snapshot of its schemas log, office and views."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass

import psycopg

from api.ops.check.raw_store import (
    ACCOUNTS,
    LOG,
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
from api.ops.shards import describe_other_servers
from domain.store.shards.layout import DICTIONARIES_TABLE, RESHARDING_TABLE, SHARDS_TABLE, postgres_tables
from domain.store.shards.old_archive import IS_ARCHIVED, has_postgres_archive
from domain.store.shards.postgres_tables import read_dictionaries, read_shards, table_names, unfinished_copy
from domain.store.shards.servers import MAP_TABLE
from domain.store.sql.breaker import Timeouts
from domain.store.sql.postgres_pool import CannotConnect, connect
from domain.store.sql.sqlite_errors import FileDamaged

ROWS_PER_FETCH = 5000
ALL_SERVERS = ", or run `trickbook shards check`, which reads the log on all of them"
COLUMNS = {
    "originator_id": "uuid",
    "originator_version": "bigint",
    "topic": "text",
    "state": "bytea",
    "notification_id": "bigint",
}
"""The log's columns and their types, which PostgreSQL enforces."""


@contextmanager
def postgres_store(url: str, timeouts: Timeouts) -> Iterator[RawStore]:
    """Open a database. Raise FileNotFoundError if it never held a game."""
    with ExitStack() as stack:
        with _postgres():
            connection = stack.enter_context(connect(url, timeouts))
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            if connection.execute("SELECT to_regnamespace('log')").fetchall() == [(None,)]:
                raise FileNotFoundError("the schema log")
        store = RawPostgres(connection)
        with _postgres():
            store.open()
        yield store


@dataclass
class RawPostgres:
    """The schemas log, office and views, in one transaction that sees one snapshot."""

    connection: psycopg.Connection[Row]
    kind: str = "postgresql"
    gapless: bool = False
    shards: int = 1

    def open(self) -> None:
        """Read the number of shards."""
        with suppress(StoreDamaged), _postgres():
            self.shards = read_shards(self._run, LOG) or 1
            require_dictionaries(read_dictionaries(self._run, LOG))
        says = describe_other_servers(self._run, "check", ALL_SERVERS)
        if says is not None:
            raise StoreUnreachable(says)
        if has_postgres_archive(table_names(self._run, LOG), self.shards):
            raise StoreUnreachable(IS_ARCHIVED)

    def faults(self) -> Iterator[tuple[str, str]]:
        try:
            with _postgres():
                read_shards(self._run, LOG)
        except StoreDamaged as damage:  # a number of shards that can't be one
            yield damage.where, str(damage)
        with _postgres():
            yield from ((LOG, says) for says in self._tables())
            for table in postgres_tables(self.shards):
                yield from ((LOG, says) for says in self._table(table))

    def _tables(self) -> Iterator[str]:
        statement = "SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace('log') AND relkind IN "
        found, copying_to = self._run(f"{statement}('r', 'v', 'm', 'p', 'f')"), unfinished_copy(self._run, LOG)
        expected = {SHARDS_TABLE, DICTIONARIES_TABLE, MAP_TABLE, *postgres_tables(self.shards)}
        if copying_to is not None:
            expected |= {RESHARDING_TABLE, *postgres_tables(copying_to)}
        yield from (f"the table {name} doesn't belong to a log" for (name,) in found if name not in expected)

    def _table(self, table: str) -> Iterator[str]:
        statement = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = to_regclass(%s)"
        triggers = self._run(statement, f"log.{table}")
        yield from (f"the trigger {name} doesn't belong to a log" for (name,) in triggers)
        statement = "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'log'"
        columns = self._run(f"{statement} AND table_name = '{table}'")
        if set(columns) != set(COLUMNS.items()):
            yield f"the columns of {table} differ from those of a log"

    def row_positions(self, shard: int) -> Iterator[RowPosition]:
        table = postgres_tables(self.shards)[shard]
        with _postgres(), self.connection.cursor(name=f"order_{table}") as cursor:
            for scan in ("indexscan", "indexonlyscan", "bitmapscan"):
                self._run(f"SET LOCAL enable_{scan} = off")
            cursor.itersize = ROWS_PER_FETCH
            statement = f"SELECT notification_id, originator_id, originator_version FROM log.{table} ORDER BY 1"
            yield from cursor.execute(statement.encode())
            for scan in ("indexscan", "indexonlyscan", "bitmapscan"):
                self._run(f"SET LOCAL enable_{scan} = on")

    def rows_of(self, shard: int, game: str) -> list[RawRow]:
        table = postgres_tables(self.shards)[shard]
        with _postgres():
            statement = f"SELECT originator_version, topic, state FROM log.{table} WHERE originator_id = %s ORDER BY 1"
            return self._run(statement, game)

    def boards(self) -> Iterator[Row]:
        return self.scan(ACCOUNTS, "boards", ("number", "game"))

    def boards_of(self, games: Sequence[str]) -> list[Row]:
        return self.select_games(ACCOUNTS, "boards", ("game", "number"), games)

    def select(self, schema: str, table: str, columns: Sequence[str], **where: object) -> list[Row] | None:
        with _postgres():
            if not self._has_table(schema, table):
                return None
            return self._run(select_statement(f"{schema}.{table}", columns, where, "%s"), *where.values())

    def select_games(self, schema: str, table: str, columns: Sequence[str], games: Sequence[str]) -> list[Row]:
        with _postgres():
            if not self._has_table(schema, table):
                return []
            return self._run(select_where(f"{schema}.{table}", columns, f"{columns[0]} = ANY(%s)"), list(games))

    def scan(self, schema: str, table: str, columns: Sequence[str]) -> Iterator[Row]:
        with _postgres():
            if not self._has_table(schema, table):
                return
            with self.connection.cursor(name=f"scan_{table}") as cursor:
                cursor.itersize = ROWS_PER_FETCH
                yield from cursor.execute(select_where(f"{schema}.{table}", columns, "").encode())

    def _has_table(self, schema: str, table: str) -> bool:
        return self._run("SELECT to_regclass(%s)", f"{schema}.{table}") != [(None,)]

    def _run(self, statement: str, *values: object) -> list[Row]:
        cursor = self.connection.execute(statement.encode(), values or None)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def _postgres() -> Iterator[None]:
    try:
        yield
    except (psycopg.DataError, psycopg.InternalError, psycopg.ProgrammingError) as error:
        raise StoreDamaged("the database", str(error).partition("\n")[0]) from error
    except FileDamaged as damage:
        raise StoreDamaged(LOG, str(damage)) from damage
    except CannotConnect as error:
        raise StoreUnreachable(f"Can't use the database: {error}") from error
    except psycopg.Error as error:
        why = f"the database failed ({type(error).__name__}); check that it runs, and try again"
        raise StoreUnreachable(why) from error
