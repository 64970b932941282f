"""The heartbeats of workers, and the times for which the clock was held or no worker ran (docs/operations.md).

Times are UTC microseconds since 1970. A heartbeat never holds a time that its process doubts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS clock_heartbeats (
        server TEXT PRIMARY KEY, number BIGINT NOT NULL, at BIGINT NOT NULL, sure BIGINT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS clock_holds (
        number BIGINT PRIMARY KEY, began BIGINT NOT NULL, ended BIGINT, reason TEXT NOT NULL, server TEXT NOT NULL,
        released_by TEXT)""",
)
KEPT_HEARTBEATS = 10_000
"""How many heartbeats later the last one of a process that is gone is deleted."""
DOWN_US = 60_000_000
"""How long no worker may give a heartbeat before the time counts as time without a server."""
DOWN, DOUBT = "down", "doubt"
"""Why the clock was held: no worker ran, or a worker doubted its clock."""
OPERATOR = "operator"
"""The `server` of the heartbeat with which an operator says that the clock is right."""
SELECT_SPANS = "SELECT began, COALESCE(ended, ?) FROM clock_holds WHERE ended IS NULL OR ended > ?"
END_HOLDS = """UPDATE clock_holds SET ended = CASE WHEN ? > began THEN ? ELSE began END, released_by = ?
    WHERE ended IS NULL"""
GIVEN_BACK = "SELECT MAX(ended) FROM clock_holds"
"""Until when the time of earlier holds is given back."""
UPSERT_HEARTBEAT = """INSERT INTO clock_heartbeats VALUES (?, ?, ?, ?) ON CONFLICT (server) DO UPDATE
    SET number = excluded.number, at = excluded.at, sure = excluded.sure"""
NEXT_HOLD = "SELECT COALESCE(MAX(number), 0) + 1 FROM clock_holds"
NEXT_HEARTBEAT = "SELECT COALESCE(MAX(number), 0) + 1 FROM clock_heartbeats"


@dataclass(frozen=True)
class Heartbeat:
    """The last heartbeat of a process. `number` counts those of all; `sure` is False while it doubts its clock."""

    server: str
    number: int
    at: int
    sure: bool


@dataclass(frozen=True)
class ClockHold:
    """A time for which no time-out was applied. `ended` is None while the hold lasts."""

    number: int
    began: int
    ended: int | None
    reason: str
    server: str
    released_by: str | None


def put_off(table: str, column: str, *, since: str, due: str, where: str) -> str:
    """Return a statement that adds to a column, in rows that wait, how much of a hold was between two times.

    A row waits from `since` until `due`, both expressions. `ClockRecords` runs it with the times of the hold.
    """
    later = f"? - CASE WHEN {since} > ? THEN {since} ELSE ? END"
    return f"UPDATE {table} SET {column} = {column} + {later} WHERE {where} AND {due} > ? AND {since} < ?"


class ClockRecords:
    """The tables `clock_heartbeats` and `clock_holds`. Every method may be called from any thread.

    A hold that ends gives its time back to the rows of `puts_off`, in the same transaction. Games count it by `spans`.
    """

    def __init__(self, database: Database, puts_off: Sequence[str] = ()) -> None:
        """`puts_off` are statements of `put_off`."""
        self._database, self._puts_off = database, puts_off

    def database_time(self) -> int:
        """Return the time of PostgreSQL's clock."""
        return database_time(self._database)

    def heartbeats(self) -> list[Heartbeat]:
        """Return the last heartbeat of each process, the newest first."""
        rows = self._database.run("SELECT server, number, at, sure FROM clock_heartbeats ORDER BY number DESC")
        return [Heartbeat(server, number, at, bool(sure)) for server, number, at, sure in rows]

    def newest(self) -> Heartbeat | None:
        """Return the newest heartbeat of all processes, or None before the first."""
        return next(iter(self.heartbeats()), None)

    def holds(self, limit: int = 20) -> list[ClockHold]:
        """Return the last holds, the newest first."""
        columns = "number, began, ended, reason, server, released_by"
        rows = self._database.run(f"SELECT {columns} FROM clock_holds ORDER BY number DESC LIMIT ?", limit)
        return [ClockHold(*row) for row in rows]

    def open_holds(self) -> list[str]:
        """Return the processes that hold the clock now."""
        return _open_holds(self._database)

    def spans(self, since: int, until: int) -> list[tuple[int, int]]:
        """Return the (began, ended) of what was held between two times, with the silence since the last heartbeat."""
        rows = self._database.run(SELECT_SPANS, until, since)
        last = self.newest()
        silence = [(last.at, until)] if last is not None and until - last.at > DOWN_US else []
        return [*((began, ended) for began, ended in rows), *silence]

    def beat(self, server: str, at: int, *, sure: bool) -> list[str]:
        """Write a heartbeat, and return the processes that hold the clock now.

        Record the silence before it as a hold, and begin or end the hold of this process.
        """
        with self._database.transaction(writes=True) as tables:
            rows = tables.run("SELECT number, at FROM clock_heartbeats ORDER BY number DESC LIMIT 1")
            last = rows[0][1] if rows else at
            if sure and at - last > DOWN_US:
                self._give_back(tables, last, at)
                _insert_hold(tables, last, at, DOWN, server)
            if sure:
                self._end_holds(tables, at, server, "server = ?", server)
            elif not tables.run("SELECT 1 FROM clock_holds WHERE ended IS NULL AND server = ?", server):
                # the clock may have been wrong since the last heartbeat
                _insert_hold(tables, min(last, at), None, DOUBT, server)
            _write_heartbeat(tables, server, at, sure=sure)
            return _open_holds(tables)

    def release(self, at: int) -> int:
        """End every hold: an operator says that it's `at` now. Return how many there were."""
        with self._database.transaction(writes=True) as tables:
            ended = self._end_holds(tables, at, OPERATOR, "1 = 1")
            _write_heartbeat(tables, OPERATOR, at, sure=True)
        return ended

    def end_hold_of(self, server: str, at: int, released_by: str) -> None:
        """End the hold of a process that is gone."""
        with self._database.transaction(writes=True) as tables:
            self._end_holds(tables, at, released_by, "server = ?", server)

    def _end_holds(self, tables: Transaction, at: int, released_by: str, which: str, *values: str) -> int:
        """End open holds, give their time back, and return how many there were."""
        [(began,)] = tables.run(f"SELECT MIN(began) FROM clock_holds WHERE ended IS NULL AND {which}", *values)
        if began is None:
            return 0
        self._give_back(tables, began, at)
        return tables.count_changes(f"{END_HOLDS} AND {which}", at, at, released_by, *values)

    def _give_back(self, tables: Transaction, began: int, ended: int) -> None:
        """Put off what waited during a hold, but not twice by what an earlier hold has given back."""
        [(until,)] = tables.run(GIVEN_BACK)
        began = began if until is None else max(began, until)
        if began < ended:
            for statement in self._puts_off:
                tables.run(statement, ended, began, began, began, ended)


def database_time(tables: Database | Transaction) -> int:
    """Return the time of PostgreSQL's clock."""
    found: int = tables.run("SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT")[0][0]
    return found


def _open_holds(tables: Database | Transaction) -> list[str]:
    return [server for (server,) in tables.run("SELECT server FROM clock_holds WHERE ended IS NULL")]


def _insert_hold(tables: Transaction, began: int, ended: int | None, reason: str, server: str) -> None:
    number = tables.run(NEXT_HOLD)[0][0]
    tables.run("INSERT INTO clock_holds VALUES (?, ?, ?, ?, ?, NULL)", number, began, ended, reason, server)


def _write_heartbeat(tables: Transaction, server: str, at: int, *, sure: bool) -> None:
    number = tables.run(NEXT_HEARTBEAT)[0][0]
    tables.run("DELETE FROM clock_heartbeats WHERE number < ?", number - KEPT_HEARTBEATS)
    tables.run(UPSERT_HEARTBEAT, server, number, at, int(sure))
