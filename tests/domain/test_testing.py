"""`trickbook.testing` says what was wrong without a plugin of a test runner."""

import pytest

from domain.commands import MakeBid
from domain.events import BidMade
from domain.rejections import BidTooLow, WrongPhase
from trickbook.testing import MOST_FACTS, Given, When, deal, game_opened, given

HANDS = ["AS KS 2C 3C 4C 5C", "2D 3D 4D 5D 6D 7D", "2H 3H 4H 5H 6H 7H"]


@pytest.fixture
def table() -> Given:
    return given(game_opened(3), *deal(HANDS))


def test_other_facts_are_shown_beside_the_expected_ones(table: Given) -> None:
    with pytest.raises(AssertionError, match=r"expected\s+BidMade.*bid=2.*\nbut there followed\s+BidMade.*bid=3"):
        table.when(MakeBid(0, 3)).then(BidMade(0, 2, next=(1,)))
    with pytest.raises(AssertionError, match="expected nothing\nbut there followed"):
        table.when(MakeBid(0, 3)).then()


def test_another_refusal_or_none_is_named(table: Given) -> None:
    bidden = table.when(MakeBid(0, 3)).happens()
    assert bidden.when(MakeBid(1, 2)).rejected(BidTooLow, "3").code == "bid-too-low"
    with pytest.raises(AssertionError, match="expected WrongPhase, but it was BidTooLow: "):
        bidden.when(MakeBid(1, 2)).rejected(WrongPhase)
    with pytest.raises(AssertionError, match="expected BidTooLow and 'five', but it was BidTooLow: "):
        bidden.when(MakeBid(1, 2)).rejected(BidTooLow, "five")
    with pytest.raises(AssertionError, match="expected BidTooLow, but there followed\n  BidMade"):
        bidden.when(MakeBid(1, 4)).rejected(BidTooLow)


def test_a_game_that_does_not_end_fails(table: Given) -> None:
    long = Given(table.state, table.facts * MOST_FACTS)
    with pytest.raises(AssertionError, match="isn't over after 5000 facts"):
        When(long, MakeBid(0, 3)).happens()
