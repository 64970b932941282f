"""Many mutants in one pytest session, which forks for each; what a fork can't exchange runs in a copy of the tree."""

import gc
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
import pytest
from hypothesis import Phase, settings

from tests import postgres
from tests.campaigns.mutants.measure import BOTH, is_taken
from tests.campaigns.mutants.reach import Reach, function_of
from tests.campaigns.mutants.source import ROOT, Mutant
from tests.campaigns.mutants.trial import Live, Outcome, in_copy, in_fork

BUILD = ROOT / "build" / "mutants"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "data", "dist", "__pycache__", ".*_cache", ".hypothesis")
MEASURED, STORED = 12.0, (1.5, 4.0)
"""For how many seconds of tests a mutant is tried: of those measured here, or of the stored ones, in a fork or copy."""

OnOutcome = Callable[[Mutant, Outcome], None]


@dataclass
class Campaign:
    """A pytest plugin that runs mutants in place of the tests."""

    mutants: Sequence[Mutant]
    reach: Reach
    on_outcome: OnOutcome
    tree: Path
    server: postgres.Server
    _loaded: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Let hypothesis stop at the first example that fails; nobody reads the smallest one."""
        settings.register_profile("mutants", settings.get_profile("steady"), phases=[Phase.explicit, Phase.generate])
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every mutant."""
        items = {item.nodeid: item for item in session.items if is_taken(item)}
        for test in items:
            self._loaded[function_of(test)].append(test)
        click.echo(f"{len(items)} tests are loaded")
        gc.unfreeze()
        live = Live.found()
        gc.freeze()
        for mutant in self.mutants:
            self.on_outcome(mutant, self._outcome(mutant, items, live))
            self.server.drop_all()
        return True

    def _outcome(self, mutant: Mutant, items: dict[str, pytest.Item], live: Live) -> Outcome:
        in_fork_s, in_copy_s = (MEASURED, MEASURED) if self.reach.lines else STORED
        if not (tests := self.reach.cases(mutant, self._loaded, in_fork_s)):
            return Outcome(killed=False, by="no test reaches it")
        outcome = in_fork(mutant, [items[test] for test in tests], live)
        if outcome is None or (not outcome.killed and self.reach.runs_at_import(mutant)):
            outcome = in_copy(mutant, [*BOTH, *self.reach.cases(mutant, self._loaded, in_copy_s)], self._copy())
        if outcome.killed and "::" in outcome.by:
            self.reach.add(mutant.path, mutant.scope, outcome.by)
        return outcome

    def _copy(self) -> Path:
        """Return the copy of the tree, made when it's first needed."""
        if not self.tree.exists():
            shutil.copytree(ROOT, self.tree, ignore=LEFT_OUT, symlinks=True)
        return self.tree


def run(mutants: Sequence[Mutant], reach: Reach, on_outcome: OnOutcome) -> None:
    """Run mutants, each against the tests that reach it."""
    tests = {test for mutant in mutants for test in reach.tests(mutant)}
    files = sorted(file for file in {test.partition("::")[0] for test in tests} if (ROOT / file).exists())
    arguments = ["-q", "-s", "-p", "no:cacheprovider", "-o", "timeout=0", *BOTH, *files]
    with tempfile.TemporaryDirectory() as folder, postgres.cluster(postgres.memory_folder()) as cluster:
        os.environ["TEST_PG_DSN"] = cluster.server.dsn  # of all forks and copies
        campaign = Campaign(mutants, reach, on_outcome, Path(folder) / "tree", cluster.server)
        code = pytest.main(arguments, plugins=[campaign])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"the tests can't be loaded: {code}")
