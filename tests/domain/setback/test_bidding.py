"""Setback, the auction (T5-T11, R-T2, R-T3)."""

from typing import Any

import pytest

from domain.commands import AskUndo, Command, MakeBid, PassBid, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import AuctionWon, BidMade, BidPassed
from domain.rejections import BidTooHigh, BidTooLow, MustBid, NotABid, NothingToUndo, OutOfTurn, Rejected, WrongPhase
from domain.rules.choices import Phase
from tests.games.hands import only_fact
from tests.games.setback_hands import bidding, call
from tests.given import cards

Bids = tuple[int, ...]
Options = dict[str, Any]
RAISES = {"dealer": "ties_or_raises"}
ANY = {"stick": "any"}


@pytest.mark.parametrize(
    ("players", "dealer"),
    [pytest.param(n, by, id=f"T5 {n} players, seat {by} deals") for n in (3, 4) for by in range(n)],
)
def test_each_seat_bids_once_from_the_dealers_left_and_the_dealer_last(players: int, dealer: int) -> None:
    table, asked = bidding(players=players, dealt_by=dealer), []
    while table.state.phase is Phase.AUCTION:
        (seat,) = table.state.turn
        asked.append(seat)
        table = table.when(call(seat, 0 if seat != dealer else 2)).happens()
    assert asked == [(dealer + 1 + turn) % players for turn in range(players)]


@pytest.mark.parametrize("bid", [pytest.param(bid, id=f"T6 {bid}") for bid in (2, 3, 4)])
def test_a_legal_bid_is_accepted(bid: int) -> None:
    bidding().when(MakeBid(0, bid)).then(BidMade(0, bid, next=(1,)))


@pytest.mark.parametrize(
    ("before", "bid"),
    [
        pytest.param((), 1, id="T6 one"),
        pytest.param((), 5, id="T6 five"),
        pytest.param((), 0, id="T6 zero isn't a pass in Setback"),
        pytest.param((), -2, id="T6 minus two"),
        pytest.param((), 11, id="T6 the goal"),
        pytest.param((2, 3), 5, id="T6 five over three"),
        pytest.param((0, 0, 0), 0, id="T10 zero from the dealer who must bid"),
        pytest.param((0, 0, 0), 1, id="T10 one from the dealer who must bid"),
    ],
)
def test_an_invalid_bid_is_refused_and_keeps_the_turn(before: Bids, bid: int) -> None:
    table, seat = bidding(*before), len(before)
    assert table.when(MakeBid(seat, bid)).rejected(NotABid).code == "not-a-bid"
    assert table.state.turn == (seat,)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param((), id="T7 at first"),
        pytest.param((2,), id="T7 over a two"),
        pytest.param((4, 0), id="T7 over a four"),
        pytest.param((0, 0), id="T7 before the dealer, who must bid then"),
    ],
)
def test_every_seat_except_the_dealer_can_always_pass(before: Bids) -> None:
    seat = len(before)
    bidding(*before).when(PassBid(seat)).then(BidPassed(seat, next=(seat + 1,)))


@pytest.mark.parametrize(
    ("before", "bid"),
    [
        pytest.param((2,), 3, id="T8 three over two"),
        pytest.param((2,), 4, id="T8 four over two"),
        pytest.param((3, 0), 4, id="T8 a pass between"),
        pytest.param((0, 0), 2, id="T8 two over passes"),
    ],
)
def test_a_seat_other_than_the_dealer_can_bid_higher(before: Bids, bid: int) -> None:
    seat = len(before)
    bidding(*before).when(MakeBid(seat, bid)).then(BidMade(seat, bid, next=(seat + 1,)))


@pytest.mark.parametrize(
    ("before", "bid"),
    [
        pytest.param((2,), 2, id="T8 the same"),
        pytest.param((3,), 2, id="T8 a lower one"),
        pytest.param((2, 3), 3, id="T8 the same again"),
        pytest.param((4, 0), 4, id="T8 another four"),
        pytest.param((3, 0, 0), 2, id="T9 a lower one from the dealer"),
        pytest.param((2, 4, 0), 3, id="T9 from the dealer over a four"),
    ],
)
def test_a_bid_that_is_too_low_is_refused(before: Bids, bid: int) -> None:
    seat = len(before)
    table = bidding(*before)
    assert table.when(MakeBid(seat, bid)).rejected(BidTooLow, str(max(before))).code == "bid-too-low"
    assert table.state.turn == (seat,)


@pytest.mark.parametrize(
    ("before", "bid"),
    [
        pytest.param((2, 0, 0), 3, id="R-T2 three over two"),
        pytest.param((2, 0, 0), 4, id="R-T2 four over two"),
        pytest.param((0, 3, 0), 4, id="R-T2 four over three"),
        pytest.param((0, 0, 0), 3, id="T10 R-T3 three from a dealer who must bid two"),
        pytest.param((0, 0, 0), 4, id="T10 R-T3 four from a dealer who must bid two"),
    ],
)
def test_the_dealer_cannot_bid_higher(before: Bids, bid: int) -> None:
    assert bidding(*before).when(MakeBid(3, bid)).rejected(BidTooHigh, "dealer").code == "bid-too-high"


def test_T10_the_dealer_cannot_pass_if_all_others_did() -> None:
    table = bidding(0, 0, 0)
    assert table.when(PassBid(3)).rejected(MustBid, "bid 2").code == "must-bid"
    assert table.state.turn == (3,)


@pytest.mark.parametrize(
    ("before", "options", "moves"),
    [
        pytest.param((), {}, [0, 2, 3, 4], id="T6 T7 the eldest"),
        pytest.param((2,), {}, [0, 3, 4], id="T8 after a two"),
        pytest.param((3, 0), {}, [0, 4], id="T8 after a three"),
        pytest.param((4,), {}, [0], id="T7 after a four"),
        pytest.param((2, 0, 0), {}, [0, 2], id="T9 R-T2 the dealer facing a two"),
        pytest.param((0, 2, 3), {}, [0, 3], id="T9 R-T2 the dealer facing a three"),
        pytest.param((0, 4, 0), {}, [0, 4], id="T9 R-T2 the dealer facing a four"),
        pytest.param((0, 0, 0), {}, [2], id="T10 R-T3 the dealer, all others having passed"),
        pytest.param((2, 0, 0), RAISES, [0, 2, 3, 4], id="R-T2 the other answer: the dealer can bid higher"),
        pytest.param((0, 2, 3), RAISES, [0, 3, 4], id="R-T2 the other answer: over a three"),
        pytest.param((0, 4, 0), RAISES, [0, 4], id="R-T2 the other answer: over a four"),
        pytest.param((0, 0, 0), RAISES, [2], id="R-T2 the other answer leaves R-T3 alone"),
        pytest.param((2, 0), RAISES, [0, 3, 4], id="R-T2 the other answer: the others as ever"),
        pytest.param((0, 0, 0), ANY, [2, 3, 4], id="R-T3 the other answer: any bid"),
        pytest.param((2, 0, 0), ANY, [0, 2], id="R-T3 the other answer leaves R-T2 alone"),
        pytest.param((0, 0), ANY, [0, 2, 3, 4], id="R-T3 the other answer: the others as ever"),
    ],
)
def test_the_legal_bids(before: Bids, options: Options, moves: list[int]) -> None:
    seat = len(before)
    table = bidding(*before, **options)
    assert list(legal_moves(table.state, seat)) == [call(seat, bid) for bid in moves]
    for bid in range(6):
        if bid not in moves:
            with pytest.raises(Rejected):
                assert table.when(call(seat, bid)).facts


@pytest.mark.parametrize(
    ("command", "offence"),
    [
        pytest.param(MakeBid(0, 4), OutOfTurn, id="T5 a second bid by the same seat"),
        pytest.param(PassBid(0), OutOfTurn, id="T5 a pass after a bid"),
        pytest.param(MakeBid(3, 4), OutOfTurn, id="T5 the dealer is last"),
        pytest.param(PlayCard(1, cards("2H")[0]), WrongPhase, id="T5 a card in the auction"),
    ],
)
def test_a_command_out_of_turn_or_phase_is_refused_in_the_auction(command: Command, offence: type[Rejected]) -> None:
    bidding(3).when(command).rejected(offence)


FOUR = ((0, 2), (1, 3))
"""Seat 0's side first."""


@pytest.mark.parametrize(
    ("bids", "pitcher", "forced"),
    [
        pytest.param((2, 0, 0, 0), 0, False, id="T11 the only bid"),
        pytest.param((2, 3, 4, 0), 2, False, id="T11 the highest"),
        pytest.param((0, 4, 0, 0), 1, False, id="T11 the dealer passes a four"),
        pytest.param((2, 0, 0, 2), 3, False, id="T9 T11 the dealer ties a two"),
        pytest.param((2, 3, 0, 3), 3, False, id="T9 T11 the dealer ties a three"),
        pytest.param((0, 0, 4, 4), 3, False, id="T9 T11 the dealer ties a four"),
        pytest.param((0, 0, 0, 2), 3, True, id="T10 the dealer must, and wins it"),
    ],
)
def test_the_winner_of_the_auction(bids: Bids, pitcher: int, forced: bool) -> None:
    bid = max(bids)
    last = BidMade(3, bids[3], next=()) if bids[3] else BidPassed(3, next=())
    sides = FOUR if pitcher in FOUR[0] else FOUR[::-1]
    won = AuctionWon(pitcher, bid, forced=forced, max=bid == 4, sides=sides, next=(pitcher,))
    bidding(*bids[:3]).when(call(3, bids[3])).then(last, won)


@pytest.mark.parametrize(
    ("bids", "pitcher", "sides"),
    [
        pytest.param((0, 3, 0), 1, ((1,), (0,), (2,)), id="T2 T11 three alone"),
        pytest.param((0, 3, 3), 2, ((2,), (0,), (1,)), id="T2 T11 the dealer of three ties"),
    ],
)
def test_the_winner_among_three_who_play_alone(bids: Bids, pitcher: int, sides: tuple[Bids, ...]) -> None:
    won = only_fact(AuctionWon, bidding(*bids, players=3).facts)
    assert (won.seat, won.bid, won.sides, won.next) == (pitcher, 3, sides, (pitcher,))


@pytest.mark.parametrize(
    ("bids", "options", "pitcher", "forced"),
    [
        pytest.param((2, 0, 0, 4), RAISES, 3, False, id="R-T2 the other answer: the dealer raises"),
        pytest.param((2, 0, 0, 2), RAISES, 3, False, id="R-T2 the other answer: the dealer ties"),
        pytest.param((0, 0, 0, 4), ANY, 3, True, id="R-T3 the other answer: forced to bid, not to two"),
    ],
)
def test_the_winner_of_the_auction_under_the_other_answers(
    bids: Bids, options: Options, pitcher: int, forced: bool
) -> None:
    won = only_fact(AuctionWon, bidding(*bids, **options).facts)
    assert (won.seat, won.bid, won.forced, won.max) == (pitcher, bids[3], forced, bids[3] == 4)


def test_T9_the_bid_that_the_dealer_ties_stays_on_the_table() -> None:
    hand = bidding(0, 3, 0, 3).state.hand
    assert hand
    assert (hand.bids, hand.pitcher, hand.bid) == ((None, 3, None, 3), 3, 3)


def test_T11_no_bid_can_be_undone_after_the_auction() -> None:
    won = bidding(0, 3, 0, 3)
    for seat in range(4):
        won.when(MakeBid(seat, 4)).rejected(WrongPhase)
        won.when(PassBid(seat)).rejected(WrongPhase)
        won.when(AskUndo(seat)).rejected(NothingToUndo)
