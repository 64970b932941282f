"""A small version of `make mutants`: one that a test kills, one that none can tell from the program, and a sample."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaigns.mutants import baseline as baselines
from tests.campaigns.mutants import reach as reaches
from tests.campaigns.mutants.draw import sample
from tests.campaigns.mutants.results import failure, result_of
from tests.campaigns.mutants.source import ROOT, modules, mutants_of
from tests.campaigns.mutants.trial import in_copy
from tests.layout.product import PACKAGES

BASELINE, REACH = baselines.load(), reaches.load()
PATH = "domain/engine/tricks.py"


def test_canary_a_mutant_that_no_test_notices_is_reported(tmp_path: Path) -> None:
    source = "def f(a):\n    return a + 1\n\n\ndef g(a):\n    return a + 1\n"
    (tmp_path / "x.py").write_text(source)
    (tmp_path / "test_x.py").write_text("import x\n\n\ndef test_f():\n    assert x.f(1) == 2\n    x.g(1)\n")
    mutants = {(each.scope, each.lines()[1]): each for each in mutants_of("x.py", source)}
    tried = [mutants["f", "return a - 1"], mutants["g", "return a - 1"]]
    killed, survivor = (result_of(each, in_copy(each, ["test_x.py"], tmp_path)) for each in tried)
    assert (killed.killed, killed.by, survivor.killed) == (True, "test_x.py::test_f", False)
    assert failure([killed] * 13 + [survivor] * 27, BASELINE) is not None
    assert failure([killed] * 14 + [survivor] * 26, BASELINE) is None


@pytest.mark.slow
def test_a_mutant_of_the_rules_is_killed_and_an_equivalent_one_is_printed_with_its_change() -> None:
    equivalent = next(each for each in BASELINE.equivalent.values() if each.path == PATH)
    killed = next(mutant for mutant in mutants_of(PATH) if mutant.lines()[1] == "return tuple(play for play in plays)")
    command = [sys.executable, "-m", "tests.campaigns.mutants", "--paths", PATH, "--only", killed.name, equivalent.name]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "1 of 2 killed" in ran.stdout, ran.stdout + ran.stderr
    assert f"survives: {equivalent.name}" in ran.stdout
    assert f"+++ mutant {equivalent.name}" in ran.stdout
    assert f"survives: {killed.name}" not in ran.stdout


@pytest.mark.slow
def test_a_seed_decides_the_sample() -> None:
    first, again, other = (
        [mutant.name for mutant in sample(5, seed, PACKAGES, REACH, BASELINE)] for seed in ("a", "a", "b")
    )
    assert first == again != other
    assert len(first) == len(set(first)) == 5


@pytest.mark.slow
def test_every_mutant_of_the_baseline_exists_and_has_a_reason() -> None:
    listed = {path: mutants_of(path) for path in {each.path for each in BASELINE.equivalent.values()}}
    existing = {mutant.name for mutants in listed.values() for mutant in mutants}
    assert [each for each in BASELINE.equivalent.values() if each.name not in existing or len(each.reason) < 20] == []


@pytest.mark.slow
def test_stored_modules_exist() -> None:
    assert REACH.scopes.keys() <= set(modules(PACKAGES))
    assert {
        test.partition("::")[0] for tests in REACH.scopes.values() for found in tests.values() for test in found
    } <= {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
