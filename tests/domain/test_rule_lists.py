"""The rules, options and refusals are as listed in `tests/domain/lists`; `tests.domain.rule_lists` writes the list."""

import pytest

from tests.domain.rule_lists import RULES, lists
from tests.lists import listed


@pytest.mark.parametrize("name", listed(RULES))
def test_the_rules_are_as_listed(name: str) -> None:
    assert lists()[name] == listed(RULES)[name]
