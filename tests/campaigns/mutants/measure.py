"""Measure which tests reach which lines: the quick tests once, under coverage."""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from tests.campaigns.mutants.choice import read_measurement
from tests.campaigns.mutants.reach import Reach
from tests.campaigns.mutants.results import Result
from tests.campaigns.mutants.source import FOLDERS, ROOT, modules, mutants_of

INSIDE = (
    "tests/domain",
    "tests/replay",
    "tests/projections",
    "tests/stored",
    "tests/strong/test_choices.py",
    "tests/games",
    "tests/rulebooks",
)
"""Tests that call the rules, the store, the views and the replay without a server."""
ABOVE = (
    "tests/handover",
    "tests/forming/test_forming.py",
    "tests/forming/test_rematch.py",
    *(
        f"tests/api/games/test_{each}.py"
        for each in ("boards", "bulk", "games", "moves", "moves_of_all_games", "openings", "practice")
    ),
    *(f"tests/api/disputes/test_{each}.py" for each in ("dispute_details", "dispute_refusals", "disputes")),
    *(f"tests/api/queries/test_{each}.py" for each in ("question_answers", "questions", "branches", "bytes")),
    *(f"tests/api/secrecy/test_{each}.py" for each in ("secrecy", "secrecy_of_lent_seats")),
    *(f"tests/api/http/test_{each}.py" for each in ("contract", "positions")),
    "tests/api/cli/test_questions.py",
    "tests/api/deals/test_cuts.py",
)
"""Tests of the API in this process. They run on SQLite alone."""
TESTS = (*INSIDE, *ABOVE)
CONFIGURATION = """[run]
source = domain,replay,projections/views
relative_files = true
data_file = {data}
"""
SECONDS_AT_MOST = 15.0
"""A test that takes longer isn't run against mutants."""
SPENT = pytest.StashKey[float]()
"""The processor seconds of this process up to its last report."""


class Stopwatch:
    """A pytest plugin that adds up the processor seconds that each test takes, fixtures included."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one phase of a test."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration


def is_taken(test: str) -> bool:
    """Return whether a test runs against mutants: tests above the store run on SQLite alone."""
    return "[postgres" not in test or test.startswith(INSIDE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the tests that aren't taken."""
    items[:] = [item for item in items if is_taken(item.nodeid)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count processor seconds in place of those of the clock, which a busy machine makes longer."""
    report = yield
    now = sum(os.times()[:4])
    report.duration, item.config.stash[SPENT] = now - item.config.stash.get(SPENT, now), now
    return report


def measure(folder: Path) -> None:
    """Run the tests once in a process of their own, and leave `reach.db` and `seconds.json` in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "coverage.rc").write_text(CONFIGURATION.format(data=folder / "reach.db"), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "tests.campaigns.mutants.measure", str(folder)], cwd=ROOT, check=True)


def reach_of(folder: Path, results: Iterable[Result]) -> Reach:
    """Return what was measured, with the tests that have killed mutants first."""
    seconds: dict[str, float] = json.loads((folder / "seconds.json").read_text(encoding="utf-8"))
    quick = {test: took for test, took in seconds.items() if took <= SECONDS_AT_MOST}
    reach = read_measurement(folder / "reach.db", quick, modules(FOLDERS))
    reach.counts = {path: len(mutants_of(path)) for path in modules(FOLDERS)}
    for result in results:
        if result.killed and "::" in result.by:
            reach.add(result.path, result.scope, result.by)
    return reach


def _main(folder: Path) -> int:
    stopwatch = Stopwatch()
    options = ["--cov", f"--cov-config={folder / 'coverage.rc'}", "--cov-context=test", "--cov-report=", "-n", "2"]
    options += ["-p", __spec__.name]
    code = pytest.main(["-q", *options, *TESTS], plugins=[stopwatch])
    (folder / "seconds.json").write_text(json.dumps(stopwatch.seconds), encoding="utf-8")
    return int(code)


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1])))
