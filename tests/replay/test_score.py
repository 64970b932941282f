"""A hand's score added up again, and what is told of one that does not (S22-S31, S42, R-S12 to R-S17)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.cards import Card
from domain.choices import Settle
from domain.events import AuctionWon, HandScored, Peg
from domain.scoring import Contract, Played, scored
from replay.audit import score
from replay.fold import HandRead, Position, positions
from tests.given import auction, cards, deal, events, opened

HANDS = ["AH KH QH JH 10H 2H", "2C 3C 4C 5C 6C 7C"]


def swept(rules_settle: Settle = Settle.BID_FIRST, bid: int = 5) -> Position:
    """Seat 0 has pitched hearts and taken every trick, with ace, jack and two of trump."""
    first = opened(2)
    first = replace(first, rules=replace(first.rules, settle=rules_settle))
    *_, last = positions(events([first, *deal(HANDS), *auction(bid, 0)]))
    pile = tuple(card for seat in range(2) for card in last.live.cards[seat])
    return replace(last, hand=replace(last.live, counts=(0, 0), taken=(pile, ()), takers=(0,) * 6, trump="H"))


def as_scored(position: Position) -> HandScored:
    """The score the rules give."""
    hand = position.live
    assert hand.won is not None
    played = Played("H", Contract(hand.won.seat, hand.won.bid), hand.won.sides, hand.taken, hand.tricks)
    result = scored(position.opening.rules, played, position.scores, position.still_in)
    parts = result.pegs, result.counts, result.made, result.changes, result.scores
    return HandScored(1, *parts, hand.tricks, hand.bids)


def told(position: Position, fact: HandScored) -> str:
    """Everything the books say of a score."""
    return "; ".join(score.scored(position, fact))


def with_peg(fact: HandScored, point: str, fields: dict[str, Any]) -> HandScored:
    """The score with one peg changed."""
    pegs = tuple(replace(peg, **fields) if peg.point == point else peg for peg in fact.pegs)
    return replace(fact, pegs=pegs)


def test_a_smudge_made_adds_up() -> None:
    fact = as_scored(swept())
    assert [peg.point for peg in fact.pegs] == ["high", "low", "jack", "game", "smudge"]
    assert told(swept(), fact) == ""


@pytest.mark.parametrize(
    ("point", "fields", "says"),
    [
        pytest.param("smudge", {"seat": 1}, "did not take every trick", id="a sweep of who took nothing"),
        pytest.param("smudge", {"card": Card("AH")}, "did not take every trick", id="a sweep with a card"),
        pytest.param("game", {"seat": 1}, "goes to seat 1 where the sides count [20, 0]", id="game to the lower"),
        pytest.param("game", {"card": Card("AH")}, "goes to seat 0 where", id="game with a card"),
        pytest.param("high", {"card": None}, "no card, which is no trump", id="high without a card"),
        pytest.param("high", {"card": Card("2C")}, "2C, which is no trump", id="high for a plain card"),
        pytest.param("high", {"seat": 1}, "did not win AH", id="high to another"),
        pytest.param("jack", {"card": Card("KH")}, "should be for JH", id="jack for the king"),
        pytest.param("jack", {"worth": 3}, "should be worth 1", id="a point worth more"),
        pytest.param("low", {"point": "five"}, "not the points of this game", id="a point unknown"),
    ],
)
def test_a_point_that_was_not_won_so_is_told(point: str, fields: dict[str, Any], says: str) -> None:
    assert says in told(swept(), with_peg(as_scored(swept()), point, fields))


def test_a_tie_for_game_is_nobodys() -> None:
    position = swept()
    pile = position.live.taken[0]
    even = replace(position, hand=replace(position.live, taken=(pile, cards("10D 10C"))))
    assert "game goes to seat 0 where the sides count [20, 20]" in told(even, as_scored(position))


def test_points_out_of_their_order_are_told() -> None:
    fact = as_scored(swept())
    assert "are not the points of this game in their order" in told(swept(), replace(fact, pegs=fact.pegs[::-1]))


def test_a_hand_without_a_pitcher_has_points_and_no_bid() -> None:
    position = swept()
    bare = replace(position, hand=replace(position.live, won=None))
    fact = as_scored(position)
    assert "whether the bid was made is recorded as True; the pegs say None" in told(bare, fact)
    assert told(bare, replace(fact, made=None)) == ""


def set_hand(settle: Settle) -> Position:
    """Seat 1 has taken it all, and seat 0's bid of five is set."""
    position = swept(settle)
    hand: HandRead = position.live
    return replace(position, hand=replace(hand, taken=((), hand.taken[0]), takers=(1,) * 6))


@pytest.mark.parametrize("settle", list(Settle))
def test_a_set_pitcher_loses_the_bid_and_keeps_no_point(settle: Settle) -> None:
    fact = as_scored(set_hand(settle))
    assert (fact.made, fact.changes) == (False, (-5, 5))
    assert told(set_hand(settle), fact) == ""
    assert "should be [-5, 5]" in told(set_hand(settle), replace(fact, changes=(0, 5)))


def test_RS13_a_pitcher_who_was_over_the_goal_before_he_was_set_is_not_charged() -> None:
    """The other answer to the contentious ruling: his points were credited, and so he keeps them."""
    position = replace(swept(Settle.POINTS_FIRST, bid=5), scores=(10, 0))
    short = replace(position.live, taken=(cards("AH KH QH JH 10H"), cards("2H 3C")), takers=(0,) * 5 + (1,))
    position = replace(position, hand=short)
    fact = as_scored(position)
    assert (fact.made, fact.changes) == (False, (1, 0))
    assert told(position, fact) == ""


def test_partners_score_together() -> None:
    won = AuctionWon(0, 2, forced=False, max=False, sides=((0, 2), (1, 3)), next=(0,))
    pegs = (Peg("high", 1, 2, Card("AH"), credited=True), Peg("low", 1, 1, Card("2H"), credited=True))
    made = HandScored(1, pegs, (0,) * 4, True, (), (0,) * 4, (0,) * 4, (None,) * 4)
    assert score.changes(won, won.sides, made) == (1, 1, 1, 1)
    lost = replace(made, made=False, pegs=pegs[1:])
    assert score.changes(won, won.sides, lost) == (-2, 1, -2, 1)
