"""R-C11 to R-C17: both readings of the rules put the trumps in the same order, reversed or not."""

from itertools import product

import pytest

from domain.cards import JOKERS, SUITS
from domain.engine.tricks import strengths
from domain.rules.choices import Jokers
from domain.rules.variants import compose_rules
from domain.rules.variants.corellian_versions import VERSIONS
from replay.audit.ledger import check_events
from replay.audit.play.trumps import trump_cards, trump_height
from tests.replay.forging import forged, in_event
from tests.replay.playing import long
from tests.values import replace

USUAL, _ = compose_rules("corellian", {})


@pytest.mark.parametrize("version", VERSIONS)
def test_R_C11_to_R_C17_both_readings_order_the_trumps_alike(version: str) -> None:
    for reverse, order, trump, played in product((False, True), Jokers, SUITS, (JOKERS, JOKERS[::-1])):
        rules = replace(USUAL, off=VERSIONS[version].off, reverse=reverse, joker_order=order)
        strength = strengths(rules, trump, played[0], trump)
        trumps = trump_cards(rules.off, trump)
        by_strength = sorted(trumps, key=lambda card: strength[card])
        assert sorted(trumps, key=lambda card: trump_height(rules, trump, card, played)) == by_strength


def test_a_rank_that_the_recorded_rules_leave_out_is_read_as_the_lowest() -> None:
    leave_kings_out = in_event(1, lambda event: event["data"]["rules"]["ranks"].remove("K"))
    found = [str(each) for deal in check_events(forged(long(4), leave_kings_out)).deals for each in deal.findings]
    assert "event 120: low (1) to seat 0 for KS, credited is missing" in found
