"""Where the time of `make test` goes: `--slowest` prints it, and writes it into CONTRIBUTING.md.

Seconds are by the clock, of all workers together, fixtures included. A fixture counts for the test that asked first.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"
BETWEEN = re.compile(r"(?<=<!-- slowest: written by `make slowest` -->\n).*?(?=<!-- end of slowest -->)", re.DOTALL)
TESTS, SECOND, LONG = 5, 1.0, 45.0
STARTS = "server_starts"
DIVIDED = ("tests/api", "tests/campaigns", "tests/domain", "tests/web")
"""Folders whose folders have a row each."""


class Slowest:
    """A pytest plugin that adds up seconds by test and by folder, and counts the servers that tests start."""

    def __init__(self) -> None:
        self._seconds = defaultdict[str, float](float)
        self._starts = 0
        sys.addaudithook(self._count)

    def _count(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen":
            self._starts += "serve" in list(arguments[1])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one phase of a test."""
        self._seconds[report.nodeid.partition("@")[0]] += report.duration

    def pytest_testnodedown(self, node: Any) -> None:
        """Add the starts of a worker of xdist."""
        self._starts += getattr(node, "workeroutput", {}).get(STARTS, 0)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send a worker's starts."""
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[STARTS] = self._starts

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the tables, and write them into CONTRIBUTING.md."""
        lines = list(self._lines())
        terminalreporter.section("where the time goes")
        terminalreporter.write_line("\n".join(lines))
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(BETWEEN.sub(lambda _: "\n".join(["", *lines, "", ""]), text), encoding="utf-8")

    def _lines(self) -> Iterator[str]:
        total, quick = sum(self._seconds.values()), sum(each for each in self._seconds.values() if each < SECOND)
        yield f"{len(self._seconds):,} tests took {total:,.0f} s, all workers together: {quick:,.0f} s those of less"
        yield f"than a second, {total - quick:,.0f} s the others. They started {self._starts} servers."
        yield from ("", "| folder | tests | seconds |", "|---|---:|---:|")
        slow = [(folder, each) for folder, each in self._by_folder().items() if sum(each) >= LONG]
        for folder, each in sorted(slow, key=lambda row: -sum(row[1])):
            yield f"| `{folder}` | {len(each):,} | {sum(each):,.0f} |"
        yield from ("", f"| the {TESTS} slowest tests | seconds |", "|---|---:|")
        for test in sorted(self._seconds, key=self._seconds.__getitem__, reverse=True)[:TESTS]:
            yield f"| `{test.replace('|', '/')}` | {self._seconds[test]:.1f} |"

    def _by_folder(self) -> dict[str, list[float]]:
        folders = defaultdict[str, list[float]](list)
        for test, seconds in self._seconds.items():
            parts = test.partition("::")[0].split("/")
            deep = 3 if test.startswith(DIVIDED) else 2
            folders["/".join(parts[:-1][:deep])].append(seconds)
        return folders
