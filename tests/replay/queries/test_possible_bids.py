"""The bids of a hand, as the rules and the audit, which shares no code with them, work them out."""

from dataclasses import replace

import pytest

from domain.engine.auction import possible_bids
from domain.rules.variants import VARIANTS
from replay.audit.play import auction as audit

CASES = [
    pytest.param("pitch", 1, None, range(2, 6), id="S11 gamerz Pitch"),
    pytest.param("setback", 1, None, range(2, 5), id="T6 Setback"),
    pytest.param("blackout", 1, None, range(2), id="B6 the first hand of Blackout"),
    pytest.param("blackout", 2, None, range(3), id="B6 the second hand of Blackout"),
    pytest.param("blackout", 13, None, range(14), id="B6 the last hand of Blackout"),
    pytest.param("corellian", 1, 10, range(4, 11), id="R-C6 ten points"),
    pytest.param("corellian", 1, 13, range(4, 14), id="R-C6 thirteen points"),
    pytest.param("corellian", 1, 9, range(4, 10), id="R-C6 nine points"),
    pytest.param("corellian", 1, 7, range(3, 8), id="R-C6 seven points"),
    pytest.param("corellian", 1, 5, range(2, 6), id="R-C6 five points"),
    pytest.param("corellian", 1, 4, range(2, 5), id="R-C6 four points"),
]


@pytest.mark.parametrize(("variant", "hand", "total", "bids"), CASES)
def test_the_rules_and_the_audit_have_the_same_bids(variant: str, hand: int, total: int | None, bids: range) -> None:
    rules = VARIANTS[variant].rules
    rules = rules if total is None else replace(rules, points=(replace(rules.points[0], worth=total),))
    assert possible_bids(rules, hand) == tuple(bids)
    assert tuple(audit.possible_bids(rules, hand)) == tuple(bids)
