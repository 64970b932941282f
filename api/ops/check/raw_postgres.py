"""A store in a PostgreSQL database, opened read-only: one snapshot of its schemas log, office and views."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from api.ops.check.raw_store import (
    LOG,
    OFFICE,
    RawRow,
    RawStore,
    Row,
    RowPosition,
    StoreDamaged,
    StoreUnreachable,
    select_statement,
)
from domain.store.mapper import SHARD

COLUMNS = {
    "originator_id": "uuid",
    "originator_version": "bigint",
    "topic": "text",
    "state": "bytea",
    "notification_id": "bigint",
}
"""The log's columns and their types, which PostgreSQL enforces."""


@contextmanager
def postgres_store(url: str) -> Iterator[RawStore]:
    """Open a database. Raise FileNotFoundError if it never held a game."""
    with ExitStack() as stack:
        with _postgres():
            connection = stack.enter_context(psycopg.connect(url, connect_timeout=3))
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            if connection.execute("SELECT to_regnamespace('log')").fetchall() == [(None,)]:
                raise FileNotFoundError("the schema log")
        yield RawPostgres(connection)


@dataclass
class RawPostgres:
    """The schemas log, office and views, in one transaction that sees one snapshot."""

    connection: psycopg.Connection[Row]
    kind: str = "postgresql"
    gapless: bool = False

    def faults(self) -> Iterator[tuple[str, str]]:
        with _postgres():
            yield from ((LOG, says) for says in self._tables())
            yield from ((LOG, says) for says in self._columns())

    def _tables(self) -> Iterator[str]:
        statement = "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('log') AND relkind IN %s"
        tables = self._run(statement.replace("%s", "('r', 'v', 'm', 'p', 'f')"))
        yield from (f"the table {name} doesn't belong to a log" for (name,) in tables if name != f"{SHARD}_events")
        statement = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = to_regclass(%s)"
        triggers = self._run(statement, f"log.{SHARD}_events")
        yield from (f"the trigger {name} doesn't belong to a log" for (name,) in triggers)

    def _columns(self) -> Iterator[str]:
        statement = "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'log'"
        columns = self._run(f"{statement} AND table_name = '{SHARD}_events'")
        if set(columns) != set(COLUMNS.items()):
            yield f"the columns of {SHARD}_events differ from those of a log"

    def row_positions(self) -> Iterator[RowPosition]:
        with _postgres(), self.connection.cursor(name="order") as cursor:
            for scan in ("indexscan", "indexonlyscan", "bitmapscan"):
                self._run(f"SET LOCAL enable_{scan} = off")
            cursor.itersize = 5000
            statement = f"SELECT notification_id, originator_id, originator_version FROM log.{SHARD}_events ORDER BY 1"
            yield from cursor.execute(statement.encode())
            for scan in ("indexscan", "indexonlyscan", "bitmapscan"):
                self._run(f"SET LOCAL enable_{scan} = on")

    def rows_of(self, game: Any) -> list[RawRow]:
        with _postgres():
            statement = f"SELECT originator_version, topic, state FROM log.{SHARD}_events WHERE originator_id = %s"
            return self._run(f"{statement} ORDER BY 1", game)

    def boards(self) -> list[Row] | None:
        return self.select(OFFICE, "boards", ("number", "game"))

    def select(self, schema: str, table: str, columns: Sequence[str], **where: object) -> list[Row] | None:
        with _postgres():
            if self._run("SELECT to_regclass(%s)", f"{schema}.{table}") == [(None,)]:
                return None
            return self._run(select_statement(f"{schema}.{table}", columns, where, "%s"), *where.values())

    def _run(self, statement: str, *values: object) -> list[Row]:
        cursor = self.connection.execute(statement.encode(), values or None)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def _postgres() -> Iterator[None]:
    try:
        yield
    except (psycopg.DataError, psycopg.InternalError, psycopg.ProgrammingError) as error:
        raise StoreDamaged("the database", str(error).partition("\n")[0]) from error
    except psycopg.Error as error:
        why = f"the database failed ({type(error).__name__}); check that it runs, and try again"
        raise StoreUnreachable(why) from error
