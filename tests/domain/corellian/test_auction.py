"""Corellian Pitch, auction and naming (C31, C32, R-C5 to R-C7, R-C27, R-C49 to R-C51, R-C60)."""

import pytest

from domain.cards import SUITS, Card
from domain.commands import MakeBid, NameTrump, PassBid
from domain.engine.legal_moves import legal_moves
from domain.events import AuctionWon, BidMade, BidPassed, TrumpNamed
from domain.rejections import BidTooHigh, BidTooLow, NotABid
from tests.games.corellian_hands import DEAL, EVERY, make_bids, table
from tests.games.hands import only_fact

LEAST = {"4": 2, "5": 2, "6": 3, "7": 3}
"""The lowest bid of the versions in which it isn't four."""


@pytest.mark.parametrize("points", [pytest.param(points, id=f"R-C6 R-C7 R-C49 version {points}") for points in EVERY])
def test_legal_bids_range_from_the_least_bid_to_all_points(points: str) -> None:
    least, most = LEAST.get(points, 4), int(points.removesuffix("b"))
    for ten in ("card", "game"):
        at = table(points=points, ten=ten)
        assert list(legal_moves(at.state, 0)) == [PassBid(0), *(MakeBid(0, bid) for bid in range(least, most + 1))]
        for bid in (least, most):
            at.when(MakeBid(0, bid)).then(BidMade(0, bid, next=(1,)))
    at = table(points=points, dirty=True, reverse=True)
    at.when(MakeBid(0, least - 1)).rejected(BidTooLow, str(least))
    at.when(MakeBid(0, most + 1)).rejected(BidTooHigh, str(most))
    make_bids(at, most - 1).when(MakeBid(1, most + 1)).rejected(BidTooHigh)
    won = only_fact(AuctionWon, make_bids(table(points=points), 0, 0, 0, 0).facts)
    assert (won.seat, won.bid, won.forced, won.max) == (3, least, True, False)


def test_C1_C31_C32_R_C5_R_C6_R_C7_an_invalid_bid_of_ten_points_is_refused() -> None:
    at = table()
    for bid, offence in ((0, NotABid), (-4, NotABid), (3, BidTooLow), (11, BidTooHigh), (52, BidTooHigh)):
        at.when(MakeBid(0, bid)).rejected(offence)
    assert at.state.turn == (0,)


ACROSS = ((0, 2), (1, 3))
WINNERS = [
    pytest.param((4, 0, 0, 0), AuctionWon(0, 4, False, False, ACROSS, (0,)), id="R-C5 the only bid"),
    pytest.param((4, 5, 6, 0), AuctionWon(2, 6, False, False, ACROSS, (2,)), id="R-C5 the highest"),
    pytest.param((4, 5, 6, 10), AuctionWon(3, 10, False, True, ACROSS[::-1], (3,)), id="C32 R-C50 all the points"),
    pytest.param((0, 0, 0, 0), AuctionWon(3, 4, True, False, ACROSS[::-1], (3,)), id="R-C5 R-C49 no bid: the dealer"),
    pytest.param((0, 0, 0, 4), AuctionWon(3, 4, False, False, ACROSS[::-1], (3,)), id="R-C49 the dealer bids four"),
]


@pytest.mark.parametrize(("bids", "won"), WINNERS)
def test_the_auction_is_decided_with_the_fourth_call(bids: tuple[int, ...], won: AuctionWon) -> None:
    last = BidMade(3, bids[3], next=()) if bids[3] else BidPassed(3, next=())
    make_bids(table(), *bids[:3]).when(MakeBid(3, bids[3]) if bids[3] else PassBid(3)).then(last, won)


@pytest.mark.parametrize(
    ("partners", "sides"),
    [
        pytest.param("across", ((1, 3), (0, 2)), id="C1 C12 R-C27 across"),
        pytest.param("left", ((1, 2), (0, 3)), id="C12 R-C27 to the bidder's left"),
        pytest.param("right", ((0, 1), (2, 3)), id="C12 R-C27 to the bidder's right"),
        pytest.param("call", ((1,), (0, 2, 3)), id="R-C32 no partner until a card is called"),
    ],
)
def test_the_bidders_partner(partners: str, sides: tuple[tuple[int, ...], ...]) -> None:
    at = table(partners=partners)
    assert at.state.hand is not None
    assert at.state.hand.sides is None
    assert only_fact(AuctionWon, make_bids(at, 4, 5, 0, 0).facts).sides == sides


CARD = Card("AH")


def test_R_C2_R_C60_the_bidder_names_any_suit_held_or_not() -> None:
    at = make_bids(table(), 0, 4, 0, 0)
    assert legal_moves(at.state, 1) == tuple(NameTrump(1, suit) for suit in ("C", "D", "H", "S"))
    for suit in SUITS:
        at.when(NameTrump(1, suit)).then(TrumpNamed(1, suit, next=(0,)))
    assert not any(card.endswith("S") for card in DEAL[0].split())
    make_bids(table(), 4, 0, 0, 0).when(NameTrump(0, "S")).then(TrumpNamed(0, "S", next=(1,)))
