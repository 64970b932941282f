"""Which SQL statements of accounts and lists ran on each store: `--compare-statements` demands the same on both.

The statements of the log differ by store. Their tests, those of `tests/domain`, all run on both.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from threading import local
from typing import Any

import pytest

from projections.storage.postgres_database import PostgresDatabase, _PostgresTransaction
from projections.storage.sqlite_database import SqliteDatabase, _SqliteTransaction

SIDES = {
    "sqlite": (SqliteDatabase, _SqliteTransaction),
    "postgres": (PostgresDatabase, _PostgresTransaction),
}
METHODS = ("run", "run_many", "count_changes", "read_among", "upsert")
OF_ONE_STORE = re.compile(r"PRAGMA|pragma_|sqlite_|pg_|information_schema|EXTRACT\(EPOCH|CREATE SCHEMA", re.IGNORECASE)
"""Statements about the store itself, which the other one doesn't know."""
SAME = (
    (re.compile(r"\s+"), " "),
    (re.compile(r'TEXT COLLATE "C"'), "TEXT"),
    (re.compile(r"(?<=[a-z]_)\d+(?=_[a-z])"), "N"),  # the generation in a table's name
    (re.compile(r"\(\?(?:, ?\?)*\)"), "(?, ...)"),
)
"""What differs between two statements that are one in the program: spaces, types, generations, and how many values."""
OUTPUT = "statements"


class Statements:
    """A pytest plugin that collects statements in each worker, and compares them at the end."""

    def __init__(self) -> None:
        self._ran: dict[str, set[str]] = defaultdict(set)
        self._inside = local()

    def pytest_configure(self) -> None:
        """Note each statement from now on."""
        for store, classes in SIDES.items():
            for each in classes:
                for name in METHODS:
                    if method := getattr(each, name, None):
                        setattr(each, name, self._noting(method, self._ran[store]))

    def _noting(self, method: Callable[..., Any], ran: set[str]) -> Callable[..., Any]:
        def noted(database: Any, statement: str, *values: Any, **more: Any) -> Any:
            if getattr(self._inside, "method", False):
                return method(database, statement, *values, **more)
            ran.add(statement)
            self._inside.method = True
            try:
                return method(database, statement, *values, **more)
            finally:
                self._inside.method = False

        return noted

    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a worker of xdist ran."""
        for store, statements in getattr(node, "workeroutput", {}).get(OUTPUT, {}).items():
            self._ran[store] |= set(statements)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send a worker's statements; fail the whole session if a statement ran on one store alone."""
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[OUTPUT] = {store: sorted(statements) for store, statements in self._ran.items()}
        elif self._differences() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name each statement that ran on one store alone."""
        terminalreporter.section("SQL statements on both stores")
        for missing, statement in self._differences():
            terminalreporter.write_line(f"didn't run on {missing}: {statement}")
        both = {plain(each) for each in self._ran["sqlite"]} & {plain(each) for each in self._ran["postgres"]}
        terminalreporter.write_line(f"{len(both)} statements ran on both stores, {len(self._differences())} on one")

    def _differences(self) -> list[tuple[str, str]]:
        ran = {
            store: {plain(each) for each in statements if not OF_ONE_STORE.search(each)}
            for store, statements in self._ran.items()
        }
        one, other = ran.get("sqlite", set()), ran.get("postgres", set())
        return [("postgres", each) for each in sorted(one - other)] + [("sqlite", each) for each in sorted(other - one)]


def plain(statement: str) -> str:
    """Return a statement as it's the same on both stores."""
    for pattern, text in SAME:
        statement = pattern.sub(text, statement)
    return statement.strip()
