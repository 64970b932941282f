"""A small version of `make mutants`: which mutants there are, how a sample is drawn, and that a survivor is printed."""

import subprocess
import sys
from dataclasses import replace

import pytest

from tests.campaigns.mutants import baseline as baselines
from tests.campaigns.mutants import reach as reaches
from tests.campaigns.mutants.baseline import interval
from tests.campaigns.mutants.draw import sample
from tests.campaigns.mutants.results import Result, failure
from tests.campaigns.mutants.source import FOLDERS, MODULE, ROOT, modules, mutants_of

BASELINE, REACH = baselines.load(), reaches.load()
EQUIVALENT = next(each for each in BASELINE.equivalent.values() if each.path == "domain/engine/tricks.py")


@pytest.mark.parametrize(
    ("line", "mutants"),
    [
        ("return [x for x in a if x > 1]", {"return [x for x in a]", "return [x for x in a if x >= 1]"}),
        ("return a + 1", {"return a - 1", "return a + 2", "return a + 0"}),
        ("return a - 0", {"return a - 1", "return a - (-1)"}),
        ("return a and a.b", {"return a or a.b", "return (a)", "return (a.b)"}),
        ("return run(a, b=a)", {"return run(None, b=a)", "return run(a, )"}),
        ("return len(a)", set()),
    ],
    ids=[
        "a dropped filter",
        "an integer off by one",
        "an integer below zero",
        "a dropped condition",
        "an argument",
        "len",
    ],
)
def test_a_line_has_these_mutants(line: str, mutants: set[str]) -> None:
    found = {mutant.lines()[1] for mutant in mutants_of("x.py", f"def f(a):\n    {line}\n")}
    assert found >= mutants
    assert bool(found) is bool(mutants)


def test_a_branch_is_never_taken() -> None:
    source = "def f(a):\n    if a:\n        return\n    g()\n"
    assert "if False:" in {mutant.lines()[1] for mutant in mutants_of("x.py", source)}


def test_a_mutant_keeps_its_name_if_lines_are_added_elsewhere() -> None:
    function = "def f(a):\n    return a + 1\n"
    alone, below = (mutants_of("x.py", text) for text in (function, f"import os\n\nLIMIT = 3\n\n\n{function}"))
    assert {mutant.name for mutant in alone} <= {mutant.name for mutant in below}
    assert {mutant.scope for mutant in below} == {MODULE, "f"}


def test_mutants_of_one_module_have_different_names_and_parse() -> None:
    mutants = mutants_of("domain/engine/tricks.py")
    assert len({mutant.name for mutant in mutants}) == len(mutants)
    for mutant in mutants:
        compile(mutant.source(), mutant.path, "exec")


@pytest.mark.slow
def test_a_seed_decides_the_sample() -> None:
    first, again, other = (
        [mutant.name for mutant in sample(5, seed, FOLDERS, REACH, BASELINE)] for seed in ("a", "a", "b")
    )
    assert first == again != other
    assert len(first) == len(set(first)) == 5


def test_no_sample_draws_a_mutant_of_the_baseline() -> None:
    all_but_one = {mutant.name: EQUIVALENT for mutant in mutants_of("domain/memo.py")[1:]}
    drawn = sample(1, "a", ["domain/memo.py"], REACH, replace(BASELINE, equivalent=all_but_one))
    assert [mutant.name for mutant in drawn] in ([], [mutants_of("domain/memo.py")[0].name])


@pytest.mark.slow
def test_every_mutant_of_the_baseline_exists_and_has_a_reason() -> None:
    listed = {path: mutants_of(path) for path in {each.path for each in BASELINE.equivalent.values()}}
    existing = {mutant.name for mutants in listed.values() for mutant in mutants}
    assert [each for each in BASELINE.equivalent.values() if each.name not in existing or len(each.reason) < 20] == []


def test_stored_modules_exist() -> None:
    assert REACH.scopes.keys() <= set(modules(FOLDERS))
    assert {
        test.partition("::")[0] for tests in REACH.scopes.values() for found in tests.values() for test in found
    } <= {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}


@pytest.mark.parametrize(("killed", "fails"), [(40, False), (14, False), (13, True)])
def test_a_sample_fails_if_too_few_are_killed(killed: int, *, fails: bool) -> None:
    results = [Result(str(n), "x.py", "f", "kind", n < killed, "", "", "") for n in range(40)]
    assert (failure(results, BASELINE) is not None) is fails


def test_the_interval_of_a_share_holds_it() -> None:
    low, high = interval(95, 100)
    assert (round(low, 3), round(high, 3)) == (0.888, 0.978)


def test_a_mutant_of_the_rules_is_killed_and_an_equivalent_one_is_printed_with_its_change() -> None:
    path = "domain/engine/tricks.py"
    killed = next(mutant for mutant in mutants_of(path) if mutant.lines()[1] == "return tuple(play for play in plays)")
    command = [sys.executable, "-m", "tests.campaigns.mutants", "--paths", path, "--only", killed.name, EQUIVALENT.name]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "1 of 2 killed" in ran.stdout, ran.stdout + ran.stderr
    assert f"survives: {EQUIVALENT.name}" in ran.stdout
    assert f"+++ mutant {EQUIVALENT.name}" in ran.stdout
    assert f"survives: {killed.name}" not in ran.stdout
