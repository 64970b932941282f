"""Corellian Pitch, discards and draws (R-C2, R-C3, R-C21, R-C28, R-C48, R-C57)."""

import pytest

from domain.commands import Discard, NameTrump
from domain.decide import decide
from domain.decide.stand_in import stand_in_move
from domain.engine.legal_moves import legal_discards
from domain.events import (
    CardsBuried,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    HandScored,
    StockLaid,
    StockTaken,
    TrumpNamed,
)
from domain.rejections import CannotDiscard, WrongPhase
from tests.games.corellian_hands import (
    DEAL,
    change_rule,
    discard_cards,
    make_bids,
    name_trump,
    play_tricks,
    rules_of,
    table,
)
from tests.games.hands import fact_names, only_fact, pegs_text
from tests.given import Given, cards, events
from tests.golden import known


def discarding(*throws: str, hands: tuple[str, ...] = DEAL, points: str = "10") -> Given:
    """Return the situation in which seat 0 has bid four and named hearts; seats 1, 2, 3 and then 0 discard."""
    return discard_cards(name_trump(make_bids(table(hands, points=points), 4, 0, 0, 0), "H"), *throws)


def throw(seat: int, text: str) -> Discard:
    return Discard(seat, cards(text))


def test_R_C48_other_viewers_see_no_discards_for_a_seat_whose_cards_are_hidden() -> None:
    at = discarding()
    assert legal_discards(at.state, 1) is not None
    for viewer in (0, 2, 3, None):
        seen = known(events(at.facts), viewer)
        assert (seen.turn, legal_discards(seen, 1)) == ((1,), None)
        with pytest.raises(CannotDiscard, match="You have nothing to discard"):
            decide(seen, throw(1, "6C 7C 8C"))
        with pytest.raises(LookupError, match="no such value yet"):
            stand_in_move(seen, 1)
    assert legal_discards(known(events(at.facts), 1), 1) == legal_discards(at.state, 1)


def test_R_C48_a_seat_that_discards_three_holds_six_and_draws_nothing() -> None:
    discarding().when(throw(1, "8C 6C 7C")).then(
        CardsDiscarded(1, 3, (), next=(2,)), CardsBuried(1, 1, cards("6C 7C 8C"))
    )


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        pytest.param("6C 7C 8C 9C", "10C", id="R-C48 one more"),
        pytest.param("6C 7C 8C 9C KS AS", "10C JC QC", id="R-C2 from the front of the stock"),
        pytest.param("6C 7C 8C 9C 8H QH KS AS", "10C JC QC KC AC", id="R-C3 trumps that are no points too"),
    ],
)
def test_a_seat_that_discards_more_draws_up_to_six(text: str, drawn: str) -> None:
    count = len(cards(text))
    assert only_fact(StockLaid, discarding().facts).cards[:5] == cards("10C JC QC KC AC")
    after = (
        discarding()
        .when(throw(1, text))
        .then(
            CardsDiscarded(1, count, (), next=(2,)),
            CardsBuried(1, 1, cards(text)),
            CardsDrawn(1, count - 3),
            CardsTaken(1, 1, cards(drawn)),
        )
    )
    assert after.state.hand is not None
    assert (after.state.hand.counts, after.state.hand.stock_left) == ((9, 6, 9, 9), 18 - (count - 3))


def test_R_C2_each_seat_draws_from_the_stock_that_the_seat_before_left() -> None:
    at = discarding("6C 7C 8C 9C")
    assert only_fact(CardsTaken, at.when(throw(2, "4D 5D 6D 7D 8D")).facts).cards == cards("JC QC")


def test_R_C2_R_C48_the_last_draw_and_the_bidder_takes_all_the_rest() -> None:
    stock = cards("10C JC QC KC AC QD AD 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS")
    at = discarding("6C 7C 8C 9C", "4D 5D 6D").when(throw(3, "2D 3D 9D 10D"))
    after = at.then(
        CardsDiscarded(3, 4, (), next=()),
        CardsBuried(1, 3, cards("2D 3D 9D 10D")),
        CardsDrawn(3, 1),
        CardsTaken(1, 3, stock[1:2]),
        StockTaken(0, 16, next=(0,)),
        CardsTaken(1, 0, stock[2:]),
    )
    assert after.state.hand is not None
    assert (after.state.hand.counts, after.state.hand.stock, after.state.hand.stock_left) == ((25, 6, 6, 6), (), 0)


PLAIN = (
    "AH KH QH 9H 8H 7H 6H 5H 4H",
    "KS 2C 3C 4C 5C 6C 7C 8C 9C",
    "KC 2S 3S 4S 5S 6S 7S 8S 9S",
    "KD 2D 4D 5D 6D 7D 8D 9D QD",
)
"""Only seat 0 holds a point card in version 4."""


def test_R_C48_empty_facts_are_not_written() -> None:
    at = discarding(PLAIN[1], PLAIN[2], hands=PLAIN, points="4").when(throw(3, PLAIN[3]))
    assert fact_names(at.facts) == ["CardsDiscarded", "CardsBuried", "CardsDrawn", "CardsTaken"]
    assert only_fact(CardsDiscarded, at.facts).next == (0,)
    bidder = at.happens().when(throw(0, "4H 5H 6H"))
    assert bidder.facts == (CardsDiscarded(0, 3, cards("4H 5H 6H"), next=(0,)),)


def test_R_C48_the_version_at_the_discard_decides_which_cards_are_points() -> None:
    at = discarding("6C 7C 8C", "4D 5D 6D")
    assert only_fact(CardsDiscarded, at.when(throw(3, "2D 3D 9D")).facts).count == 3
    change_rule(at, "points:14").when(throw(3, "2D 9D 10D")).rejected(CannotDiscard, "You keep other point cards.")
    change_rule(at, "points:14").when(throw(3, "3D 9D 10D")).rejected(CannotDiscard)
    assert only_fact(CardsDiscarded, change_rule(at, "points:4").when(throw(3, "X2 10H 9D")).facts).count == 3


def test_R_C2_other_answer_the_bidder_takes_two_and_no_one_discards() -> None:
    hands = tuple(" ".join(rules_of().deck[seat:52:4]) for seat in range(4))
    at = make_bids(table(hands, rules_of(deal="all")), 4, 0, 0, 0)
    after = at.when(NameTrump(0, "H")).then(
        TrumpNamed(0, "H", next=()), StockTaken(0, 2, next=(0,)), CardsTaken(1, 0, cards("X1 X2"))
    )
    assert after.state.hand is not None
    assert after.state.hand.counts == (15, 13, 13, 13)
    after.when(throw(0, "2C 6C 10C")).rejected(WrongPhase)


def test_R_C21_R_C57_discarded_cards_are_dead() -> None:
    hands = ("KH QH 9H 2C 3C 4C 5C 6C 7C", "AH 8H 8C 9C 10C JC QC KC AC", "JH 2D", "X1 3D")
    at = name_trump(make_bids(table(hands, rules_of("4"), stock=""), 2, 0, 0, 0), "H")
    at = discard_cards(at, "AH 8C 9C 10C", "", "", "2C 3C 4C")
    score = only_fact(HandScored, play_tricks(at, "0: KH 8H JH X1", "0: QH", "0: 9H").facts)
    assert pegs_text(score.pegs) == "high 0 KH, low 1 8H, jack 0 JH, game 0"
