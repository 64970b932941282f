"""The conformance matrix reports a clause without a test, and counts only tests of the rules."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.clauses import PENDING, SHEETS, clauses_in_test_id, collect_test_ids, find_faults, is_excluded, matrix

EVERY = [number for sheet in SHEETS for number in sheet.numbers()]


def a_test_of(clause: str) -> str:
    return f"tests/domain/test_rules.py::test_{clause.replace('-', '_')}_holds"


@pytest.mark.parametrize(
    ("test", "clauses"),
    [
        ("tests/a.py::test_S34_trump_led_must_be_followed", {"S34"}),
        ("tests/a.py::test_R_S13_a_set_pitcher_loses_first", {"R-S13"}),
        ("tests/a.py::test_following[sqlite-S34 R-S8: trump led]", {"S34", "R-S8"}),
        ("tests/a.py::test_cards[2S AS S340x]", set()),
        ("tests/S34/test_S35.py::test_nothing", set()),
    ],
    ids=["a name", "a ruling's name", "an id", "cards are no clauses", "a path is no name"],
)
def test_a_test_names_clauses_in_its_name_or_id(test: str, clauses: set[str]) -> None:
    assert clauses_in_test_id(test) == clauses


@pytest.mark.parametrize(
    ("game", "first", "last", "last_ruling", "count"),
    [
        ("gamerz Pitch", "S1", "S47", "R-S22", 69),
        ("Setback", "T1", "T43", "R-T14", 57),
        ("Blackout", "B1", "B27", "R-B14", 41),
        ("Corellian Pitch", "C1", "C37", "R-C66", 103),
    ],
    ids=["gamerz Pitch", "Setback", "Blackout", "Corellian Pitch"],
)
def test_each_sheet_has_as_many_clauses_and_rulings_as_its_rules(
    game: str, first: str, last: str, last_ruling: str, count: int
) -> None:
    (numbers,) = (list(sheet.numbers()) for sheet in SHEETS if sheet.game == game)
    assert (numbers[0], numbers[-1], len(numbers)) == (first, last_ruling, count)
    assert last in numbers


def test_no_number_is_in_two_sheets() -> None:
    assert len(set(EVERY)) == len(EVERY)


def test_a_matrix_with_every_clause_has_no_fault() -> None:
    assert find_faults(matrix(map(a_test_of, EVERY))) == []


def test_any_clause_without_a_test_is_a_fault() -> None:
    for missing in [clause for clause in EVERY if clause not in PENDING]:
        rows = matrix(a_test_of(clause) for clause in EVERY if clause != missing)
        assert find_faults(rows) == [f"{missing} has no test"]


def test_the_tests_in_this_file_and_of_the_second_implementations_cover_no_clause() -> None:
    tests = collect_test_ids([__file__, str(Path(__file__).parent / "rulebooks" / "test_rulebooks.py")])
    assert tests
    assert [test for test in tests if clauses_in_test_id(test) or not test.startswith("tests/test_clauses.py")] == []


@pytest.mark.parametrize(
    ("test", "counts"),
    [
        ("tests/rulebooks/test_rulebooks.py::test_setback_bids[T9 the dealer facing 2]", False),
        ("tests/rulebooks/test_corellian.py::test_scaling[C17 down]", False),
        ("tests/projections/bots/test_bots_named.py::test_C21_simple_brings_points_home", False),
        ("tests/domain/setback/test_bidding.py::test_T9_the_dealer_ties[tests/rulebooks/]", True),
        ("tests/domain/crosschecks/test_setback_rulebook.py::test_T9", True),
    ],
    ids=["of the second readings", "of one of them", "of a bot", "of the code", "a comparison"],
)
def test_a_test_of_a_second_implementation_or_of_a_bot_does_not_count(test: str, counts: bool) -> None:
    assert is_excluded(test) is not counts


def test_only_clauses_about_the_command_line_can_be_pending() -> None:
    assert set(PENDING) <= {"S1", "S6", "S46", "B27", "R-B4"}
    assert find_faults(matrix(a_test_of(clause) for clause in EVERY if clause not in PENDING)) == []


def test_a_number_that_is_in_no_sheet_is_a_fault() -> None:
    stray = f"{a_test_of('S34')}[S48 gone]"
    assert find_faults(matrix([*map(a_test_of, EVERY), stray])) == [f"S48 isn't a clause, but {stray} names it"]


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.clauses", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_script_exits_with_0_or_1(tmp_path: Path) -> None:
    tests = {clause: f"def test_{clause.replace('-', '_')}_holds():\n    pass\n\n\n" for clause in EVERY}
    written = tmp_path / "test_all.py"
    written.write_text("".join(tests.values()))
    assert run(tmp_path).returncode == 0
    written.write_text("# S34\n" + "".join(text for clause, text in tests.items() if clause != "S34"))
    answer = run(tmp_path)
    assert (answer.returncode, answer.stderr) == (1, "S34 has no test\n")
    assert "S35     " in answer.stdout
