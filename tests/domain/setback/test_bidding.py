"""Setback, the auction (T5-T11, R-T2, R-T3)."""

from typing import Any

import pytest

from domain.commands import MakeBid, PassBid
from domain.engine.legal_moves import legal_moves
from domain.events import AuctionWon, BidMade, BidPassed
from domain.rejections import BidTooHigh, BidTooLow, MustBid, NotABid, Rejected
from tests.games.setback_hands import bidding, call

Bids = tuple[int, ...]
Options = dict[str, Any]
RAISES = {"dealer": "ties_or_raises"}
ANY = {"stick": "any"}


@pytest.mark.parametrize(
    ("before", "bids", "offence"),
    [
        pytest.param((), (1, 5, 0, -2, 11), NotABid, id="T6 another number; zero isn't a pass in Setback"),
        pytest.param((2,), (2,), BidTooLow, id="T8 the same"),
        pytest.param((3, 0, 0), (2,), BidTooLow, id="T9 a lower one from the dealer"),
        pytest.param((2, 0, 0), (3, 4), BidTooHigh, id="R-T2 the dealer cannot raise"),
        pytest.param((0, 0, 0), (3, 4), BidTooHigh, id="T10 R-T3 a dealer who must bid two"),
    ],
)
def test_an_invalid_bid_is_refused_and_keeps_the_turn(before: Bids, bids: Bids, offence: type[Rejected]) -> None:
    table, seat = bidding(*before), len(before)
    for bid in bids:
        said = {NotABid: "", BidTooLow: str(max(before, default=0)), BidTooHigh: "dealer"}[offence]
        refused = table.when(MakeBid(seat, bid)).rejected(offence, said)
        assert refused.code == {NotABid: "not-a-bid", BidTooLow: "bid-too-low", BidTooHigh: "bid-too-high"}[offence]
    assert table.state.turn == (seat,)
    if before == (0, 0, 0):
        assert table.when(PassBid(3)).rejected(MustBid, "bid 2").code == "must-bid"


@pytest.mark.parametrize(
    ("before", "options", "moves"),
    [
        pytest.param((), {}, [0, 2, 3, 4], id="T6 T7 the eldest"),
        pytest.param((2,), {}, [0, 3, 4], id="T8 after a two"),
        pytest.param((2, 0, 0), {}, [0, 2], id="T9 R-T2 the dealer facing a two"),
        pytest.param((0, 0, 0), {}, [2], id="T10 R-T3 the dealer, all others having passed"),
        pytest.param((2, 0, 0), RAISES, [0, 2, 3, 4], id="R-T2 the other answer: the dealer can bid higher"),
        pytest.param((0, 0, 0), ANY, [2, 3, 4], id="R-T3 the other answer: any bid"),
    ],
)
def test_the_legal_bids(before: Bids, options: Options, moves: list[int]) -> None:
    seat = len(before)
    table = bidding(*before, **options)
    assert list(legal_moves(table.state, seat)) == [call(seat, bid) for bid in moves]
    for bid in moves if seat < 3 else []:
        said = BidMade(seat, bid, next=(seat + 1,)) if bid else BidPassed(seat, next=(seat + 1,))
        assert table.when(call(seat, bid)).facts == (said,)
    for bid in range(6):
        if bid not in moves:
            with pytest.raises(Rejected):
                assert table.when(call(seat, bid)).facts


FOUR = ((0, 2), (1, 3))
"""Seat 0's side first."""


@pytest.mark.parametrize(
    ("bids", "pitcher", "forced"),
    [
        pytest.param((2, 3, 4, 0), 2, False, id="T11 the highest"),
        pytest.param((0, 4, 0, 0), 1, False, id="T11 the dealer passes a four"),
        pytest.param((2, 0, 0, 2), 3, False, id="T9 T11 the dealer ties a two"),
        pytest.param((0, 0, 0, 2), 3, True, id="T10 the dealer must, and wins it"),
    ],
)
def test_the_winner_of_the_auction(bids: Bids, pitcher: int, forced: bool) -> None:
    bid = max(bids)
    last = BidMade(3, bids[3], next=()) if bids[3] else BidPassed(3, next=())
    sides = FOUR if pitcher in FOUR[0] else FOUR[::-1]
    won = AuctionWon(pitcher, bid, forced=forced, max=bid == 4, sides=sides, next=(pitcher,))
    bidding(*bids[:3]).when(call(3, bids[3])).then(last, won)
