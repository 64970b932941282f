"""docs/security.md is complete and agrees with the tests."""

from tests.generators.attacks_page import PAGE, find_tests, named_tests, page, read_attacks, written_part
from tests.generators.rights_tables import TITLE

LAST = 196
"""The attacks on features that don't exist yet have higher numbers."""


def test_the_page_is_up_to_date() -> None:
    made = page(written_part(TITLE))
    assert PAGE.read_text(encoding="utf-8") == made, "docs/security.md is not up to date: run make attacks"


def test_every_number_is_listed_once_in_order() -> None:
    assert [attack.n for part in read_attacks().values() for attack in part] == list(range(1, LAST + 1))


def test_each_attack_has_a_result_and_tests_that_exist_or_a_reason() -> None:
    tests = find_tests()
    for attack in (each for part in read_attacks().values() for each in part):
        tested = bool(named_tests(attack, tests))
        result = (tested, bool(attack.result), bool(attack.untested))
        assert result in {(True, True, False), (False, False, True)}, attack
        for test in attack.also:
            path, _, name = test.partition("::")
            assert name in tests.get(path, ()), test


def test_every_numbered_test_tries_a_listed_attack() -> None:
    tests = find_tests()
    numbered = {name for names in tests.values() for name in names if name.startswith("test_attack_")}
    attacks = [attack for part in read_attacks().values() for attack in part]
    listed = {test.partition("::")[2] for attack in attacks for test in named_tests(attack, tests)}
    assert numbered <= listed
