"""A hand's score added up again, and the findings on a wrong one (S22-S31, S42, R-S12 to R-S17)."""

from typing import Any

import pytest

from domain.cards import Card
from domain.events import HandScored
from domain.rules.choices import Settle
from replay.audit.scoring import hand_score as score
from replay.fold import HandRead, Position, positions
from tests.given import auction, cards, deal, events, game_opened
from tests.values import replace

HANDS = ["AH KH QH JH 10H 2H", "2C 3C 4C 5C 6C 7C"]


def swept(rules_settle: Settle = Settle.BID_FIRST, bid: int = 5) -> Position:
    """Return a hand in which seat 0 pitched hearts and took every trick, with ace, jack and two of trump."""
    first = game_opened(2)
    first = replace(first, rules=replace(first.rules, settle=rules_settle))
    *_, last = positions(events([first, *deal(HANDS), *auction(bid, 0)]))
    pile = tuple(card for seat in range(2) for card in last.live.cards[seat])
    return replace(last, hand=replace(last.live, counts=(0, 0), taken=(pile, ()), takers=(0,) * 6, trump="H"))


def as_scored(position: Position) -> HandScored:
    hand = position.live
    due = score.hand_total(position, hand)
    after = tuple(old + change for old, change in zip(position.scores, due.changes, strict=True))
    return HandScored(1, due.pegs, due.counts, due.made, due.changes, after, hand.tricks, hand.bids)


def told(position: Position, fact: HandScored) -> str:
    return "; ".join(score.check_hand_scored(position, fact))


def with_peg(fact: HandScored, point: str, fields: dict[str, Any]) -> HandScored:
    pegs = tuple(replace(peg, **fields) if peg.point == point else peg for peg in fact.pegs)
    return replace(fact, pegs=pegs)


@pytest.mark.parametrize(
    ("point", "fields", "says"),
    [
        pytest.param("smudge", {"seat": 1}, "smudge (1) to seat 1", id="a sweep of nothing"),
        pytest.param("smudge", {"card": Card("AH")}, "to seat 0 for AH", id="a sweep with a card"),
        pytest.param("game", {"seat": 1}, "game (1) to seat 0, credited is m", id="game to the lower"),
        pytest.param("jack", {"card": Card("KH")}, "jack (1) to seat 0 for JH, credited is m", id="jack for a king"),
        pytest.param("high", {"card": None}, "high (1) to seat 0", id="high without a card"),
    ],
)
def test_a_point_that_was_not_won_is_found(point: str, fields: dict[str, Any], says: str) -> None:
    assert says in told(swept(), with_peg(as_scored(swept()), point, fields))


def test_points_out_of_their_order_are_found() -> None:
    fact = as_scored(swept())
    assert "in the order smudge, game, jack, low, high, which is not pegging order" in told(
        swept(), replace(fact, pegs=fact.pegs[::-1])
    )


def test_a_hand_without_a_pitcher_has_points_and_no_bid() -> None:
    position = swept()
    bare = replace(position, hand=replace(position.live, won=None))
    fact = as_scored(position)
    assert "the bid is recorded as made, but the points say no bid" in told(bare, fact)
    assert told(bare, replace(fact, made=None)) == ""


def set_hand(settle: Settle) -> Position:
    """Return a hand in which seat 1 took every trick, so that seat 0's bid of five is set."""
    position = swept(settle)
    hand: HandRead = position.live
    return replace(position, hand=replace(hand, taken=((), hand.taken[0]), takers=(1,) * 6))


@pytest.mark.parametrize("settle", list(Settle))
def test_a_set_pitcher_loses_the_bid_and_keeps_no_point(settle: Settle) -> None:
    fact = as_scored(set_hand(settle))
    assert (fact.made, fact.changes) == (False, (-5, 5))
    assert told(set_hand(settle), fact) == ""
    assert "should be [-5, 5]" in told(set_hand(settle), replace(fact, changes=(0, 5)))


def test_RS13_a_pitcher_over_the_goal_before_the_set_is_not_charged() -> None:
    """The other answer to the contested ruling: the points were credited, so the pitcher keeps them."""
    position = replace(swept(Settle.POINTS_FIRST, bid=5), scores=(10, 0))
    short = replace(position.live, taken=(cards("AH KH QH JH 10H"), cards("2H 3C")), takers=(0,) * 5 + (1,))
    position = replace(position, hand=short)
    fact = as_scored(position)
    assert (fact.made, fact.changes) == (False, (1, 0))
    assert told(position, fact) == ""


def test_RS12_a_fifth_point_that_must_be_bid_is_only_for_a_pitcher_who_bid_all() -> None:
    """The other answer to the contested ruling: a sweep on a lower bid scores four."""
    points = game_opened(2, fifth="bid").rules.points
    for bid, names in ((5, ["high", "low", "jack", "game", "smudge"]), (4, ["high", "low", "jack", "game"])):
        position = swept(bid=bid)
        position = replace(position, in_force=replace(position.rules, points=points))
        assert [peg.point for peg in as_scored(position).pegs] == names
