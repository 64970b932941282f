"""Measure which tests reach which lines: all that run in one process, once, under coverage."""

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
from tests.campaigns.mutants.source import ROOT, modules, mutants_of
from tests.layout.product import PACKAGES
from tests.plugins.rings import STARTERS, is_about_stores, is_of_store

CONFIGURATION = """[run]
source = domain,replay,projections,api,trickbook
concurrency = thread,greenlet
relative_files = true
data_file = {data}
"""
BOTH = ("--stores", "both")
OTHER_PROCESSES = STARTERS - {"postgres_server"}
"""Fixtures that start a program whose code can't be exchanged, or that no mutant changes."""
SECONDS_AT_MOST = 15.0
"""A test that takes longer isn't run against mutants."""
SPENT = pytest.StashKey[float]()
"""The processor seconds of this process up to its last report."""


class Stopwatch:
    """A pytest plugin that adds up the processor seconds that each test takes, fixtures included."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one phase of a test."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.add(report.nodeid)

    def of_passed(self) -> dict[str, float]:
        """Return the seconds of the tests that passed: what fails under coverage can't tell a mutant."""
        return {test: took for test, took in self.seconds.items() if test not in self.failed}


def is_taken(item: pytest.Item) -> bool:
    """Return whether a test runs against mutants: in this process, and on SQLite alone if it isn't about stores."""
    starts = item.get_closest_marker("process") or not OTHER_PROCESSES.isdisjoint(vars(item)["fixturenames"])
    return not starts and (is_about_stores(item) or is_of_store(item, "sqlite"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the tests that aren't taken."""
    items[:] = filter(is_taken, items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count processor seconds in place of those of the clock, which a busy machine makes longer."""
    report = yield
    now = sum(os.times()[:4])
    report.duration, item.config.stash[SPENT] = now - item.config.stash.get(SPENT, now), now
    return report


def measure(folder: Path) -> None:
    """Run the tests once in a process of their own, and leave `reach.db` and two files of numbers in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "coverage.rc").write_text(CONFIGURATION.format(data=folder / "reach.db"), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "tests.campaigns.mutants.measure", str(folder)], cwd=ROOT, check=True)
    counts = {path: len(mutants_of(path)) for path in modules(PACKAGES)}
    (folder / "counts.json").write_text(json.dumps(counts), encoding="utf-8")


def reach_of(folder: Path, results: Iterable[Result]) -> Reach:
    """Return what was measured, with the tests that have killed mutants first."""
    seconds: dict[str, float] = json.loads((folder / "seconds.json").read_text(encoding="utf-8"))
    quick = {test: took for test, took in seconds.items() if took <= SECONDS_AT_MOST}
    reach = read_measurement(folder / "reach.db", quick, modules(PACKAGES))
    reach.counts = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    for result in results:
        if result.killed and "::" in result.by:
            reach.add(result.path, result.scope, result.by)
    return reach


def _main(folder: Path) -> int:
    stopwatch = Stopwatch()
    options = ["--cov", f"--cov-config={folder / 'coverage.rc'}", "--cov-context=test", "--cov-report=", "-n", "2"]
    options += ["-p", __spec__.name, *BOTH]
    code = pytest.main(["-q", *options], plugins=[stopwatch])
    (folder / "seconds.json").write_text(json.dumps(stopwatch.of_passed()), encoding="utf-8")
    return 0 if code == pytest.ExitCode.TESTS_FAILED else int(code)


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1])))
