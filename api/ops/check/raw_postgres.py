"""A place in a PostgreSQL database, read only: its schemas log, office and views as of one moment."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from api.ops.check.raw_store import LOG, OFFICE, Damaged, OutOfReach, Place, Placed, Row, Stored, selecting
from domain.store.mapper import SHARD

COLUMNS = {
    "originator_id": "uuid",
    "originator_version": "bigint",
    "topic": "text",
    "state": "bytea",
    "notification_id": "bigint",
}
"""The log's columns and their types on PostgreSQL, where the database keeps to them."""


@contextmanager
def server_at(url: str) -> Iterator[Place]:
    """The schemas of a database. FileNotFoundError where no game was ever kept in it."""
    with ExitStack() as opened:
        with _postgres():
            connection = opened.enter_context(psycopg.connect(url, connect_timeout=3))
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            if connection.execute("SELECT to_regnamespace('log')").fetchall() == [(None,)]:
                raise FileNotFoundError("the schema log")
        yield PostgresPlace(connection)


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
            return self._run(selecting(f"{schema}.{table}", columns, where, "%s"), *where.values())

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
