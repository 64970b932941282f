"""Which SQL statements of accounts and lists ran on each store: `--compare-statements` demands the same on both.

The statements of the log differ by store. Their tests all run on both. The statements that
tests and benchmarks send themselves don't count, nor those of a program in which a test marked `planted` put a bug.
"""

import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import local
from typing import Any

import pytest

from domain.store.sql.postgres_database import PostgresDatabase, _PostgresTransaction
from domain.store.sql.sqlite import SqliteDatabase, _SqliteTransaction

SIDES = {
    "sqlite": (SqliteDatabase, _SqliteTransaction),
    "postgres": (PostgresDatabase, _PostgresTransaction),
}
METHODS = ("run", "run_many", "count_changes", "read_among", "upsert")
OF_ONE_STORE = re.compile(
    r"PRAGMA|pragma_|sqlite_|pg_|to_reg|information_schema|EXTRACT\(EPOCH|CREATE SCHEMA|^(SHOW|SET|EXPLAIN) "
    r"|\bstored_events\b|\bgames\d+of\d+_\w+"
    r"|\bsecrets\b|SELECT secret FROM signing_keys",  # on SQLite, these secrets are files
    re.IGNORECASE,
)
"""Statements about the store itself, which the other one doesn't know."""
SAME = (
    (re.compile(r"\s+"), " "),
    (re.compile(r'TEXT COLLATE "C"'), "TEXT"),
    (re.compile(r"CREATE UNLOGGED"), "CREATE"),
    (re.compile(r" USING brin\b| WITH \((?:fillfactor|pages_per_range)[^)]*\)"), ""),
    (re.compile(r"(?<=[a-z]_)\d+(?=_[a-z])"), "N"),  # the generation in a table's name
    (re.compile(r"\(\?(?:, ?\?)*\)"), "(?, ...)"),
    (re.compile(r"LIMIT \d+"), "LIMIT N"),
)
"""Differences of two statements that are one in the program: types, generations, and how many values or rows."""
OUTPUT = "statements"
SENDERS = tuple(str(Path(__file__).parents[2] / name) for name in ("tests", "bench"))


class Statements:
    """A pytest plugin that collects statements in each worker, and compares them at the end."""

    def __init__(self) -> None:
        self._ran: dict[str, dict[str, str]] = defaultdict(dict)
        """By store: each statement, and the first test that ran it."""
        self._inside = local()
        self._planted = False

    def pytest_configure(self) -> None:
        """Note each statement from now on."""
        for store, classes in SIDES.items():
            for each in classes:
                for name in METHODS:
                    if method := getattr(each, name, None):
                        setattr(each, name, self._noting(method, self._ran[store]))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note nothing while the program has a planted bug."""
        self._planted = item.get_closest_marker("planted") is not None

    def _noting(self, method: Callable[..., Any], ran: dict[str, str]) -> Callable[..., Any]:
        def noted(database: Any, statement: str, *values: Any, **more: Any) -> Any:
            if getattr(self._inside, "method", False):
                return method(database, statement, *values, **more)
            if not self._planted and not sys._getframe(1).f_code.co_filename.startswith(SENDERS):
                ran.setdefault(statement, os.environ.get("PYTEST_CURRENT_TEST", "?"))
            self._inside.method = True
            try:
                return method(database, statement, *values, **more)
            finally:
                self._inside.method = False

        return noted

    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a worker of xdist ran."""
        for store, statements in getattr(node, "workeroutput", {}).get(OUTPUT, {}).items():
            self._ran[store] = statements | self._ran[store]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send a worker's statements; fail the whole session if a statement ran on one store alone."""
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[OUTPUT] = dict(self._ran)
        elif self._differences and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name each statement that ran on one store alone."""
        terminalreporter.section("SQL statements on both stores")
        for missing, statement, test in self._differences:
            terminalreporter.write_line(f"didn't run on {missing}: {statement}\n    ran in {test}")
        both = self._plain("sqlite").keys() & self._plain("postgres").keys()
        terminalreporter.write_line(f"{len(both)} statements ran on both stores, {len(self._differences)} on one")

    @cached_property
    def _differences(self) -> list[tuple[str, str, str]]:
        """The store that is missing, the statement, and a test that ran it."""
        one, other = self._plain("sqlite"), self._plain("postgres")
        return [
            (missing, each, ran[each])
            for missing, ran, others in (("postgres", one, other), ("sqlite", other, one))
            for each in sorted(ran.keys() - others.keys())
        ]

    def _plain(self, store: str) -> dict[str, str]:
        return {plain(each): test for each, test in self._ran[store].items() if not OF_ONE_STORE.search(each)}


def plain(statement: str) -> str:
    """Return a statement as it's the same on both stores."""
    for pattern, text in SAME:
        statement = pattern.sub(text, statement)
    return statement.strip()
