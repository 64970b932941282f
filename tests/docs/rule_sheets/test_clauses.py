"""The conformance matrix reports a clause without a test, and counts only tests of the rules."""

from pathlib import Path

import pytest

from tests.clauses import PENDING, SHEETS, clauses_in_test_id, find_faults, is_excluded, main, matrix

EVERY = [number for sheet in SHEETS for number in sheet.numbers()]


def a_test_of(clause: str) -> str:
    return f"tests/domain/test_rules.py::test_{clause.replace('-', '_')}_holds"


def test_a_test_names_clauses_in_its_name_or_id() -> None:
    for test, clauses in {
        "tests/a.py::test_S34_trump_led_must_be_followed": {"S34"},
        "tests/a.py::test_R_S13_a_set_pitcher_loses_first": {"R-S13"},
        "tests/a.py::test_following[sqlite-S34 R-S8: trump led]": {"S34", "R-S8"},
        "tests/a.py::test_cards[2S AS S340x]": set[str](),
        "tests/S34/test_S35.py::test_nothing": set[str](),
    }.items():
        assert clauses_in_test_id(test) == clauses, test


def test_each_sheet_has_as_many_clauses_and_rulings_as_its_rules() -> None:
    numbers = {sheet.game: list(sheet.numbers()) for sheet in SHEETS}
    assert {game: (each[0], each[-1], len(each)) for game, each in numbers.items()} == {
        "gamerz Pitch": ("S1", "R-S22", 69),
        "Setback": ("T1", "R-T14", 57),
        "Blackout": ("B1", "R-B14", 41),
        "Corellian Pitch": ("C1", "R-C66", 103),
    }


def test_only_the_clauses_of_the_sheets_are_due() -> None:
    assert len(set(EVERY)) == len(EVERY)
    assert find_faults(matrix(map(a_test_of, EVERY))) == []
    assert set(PENDING) <= {"S1", "S6", "S46", "B27", "R-B4"}
    due = [clause for clause in EVERY if clause not in PENDING]
    assert find_faults(matrix(map(a_test_of, due))) == []
    assert find_faults(matrix([])) == [f"{missing} has no test" for missing in due]
    stray = f"{a_test_of('S34')}[S48 gone]"
    assert find_faults(matrix([*map(a_test_of, EVERY), stray])) == [f"S48 isn't a clause, but {stray} names it"]


def test_a_test_of_a_second_implementation_or_of_a_bot_does_not_count() -> None:
    for test, counts in {
        "tests/rulebooks/test_rulebooks.py::test_setback_bids[T9 the dealer facing 2]": False,
        "tests/projections/bots/test_bots_named.py::test_C21_simple_brings_points_home": False,
        "tests/domain/setback/test_bidding.py::test_T9_the_dealer_ties[tests/rulebooks/]": True,
        "tests/domain/crosschecks/test_setback_rulebook.py::test_T9": True,
    }.items():
        assert is_excluded(test) is not counts, test


def test_the_script_names_a_clause_without_a_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = {clause: f"def test_{clause.replace('-', '_')}_holds():\n    pass\n\n\n" for clause in EVERY}
    (tmp_path / "test_all.py").write_text("# S34\n" + "".join(tests[clause] for clause in EVERY if clause != "S34"))
    code, said = main([str(tmp_path)]), capsys.readouterr()
    assert (code, said.err) == (1, "S34 has no test\n")
    assert "S35     " in said.out
