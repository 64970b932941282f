"""Corellian Pitch, auction and naming (C31, C32, R-C5 to R-C7, R-C27, R-C49 to R-C51, R-C60)."""

import pytest

from domain.cards import SUITS, Card, Suit
from domain.commands import CallPartner, Command, Discard, MakeBid, NameTrump, PassBid, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import AuctionWon, BidMade, BidPassed, BidScaled, TrumpNamed
from domain.rejections import BidTooHigh, BidTooLow, NotABid, OutOfTurn, Rejected, WrongPhase
from domain.state import SERVER
from tests.games.corellian_hands import DEAL, change_rule, make_bids, name_trump, score_hand, table
from tests.games.hands import fact_names, only_fact
from tests.given import events

LIMITS = {
    "4": (2, 4),
    "5": (2, 5),
    "6": (3, 6),
    "7": (3, 7),
    "8": (4, 8),
    "9": (4, 9),
    "10": (4, 10),
    "11": (4, 11),
    "11b": (4, 11),
    "13": (4, 13),
    "14": (4, 14),
    "16": (4, 16),
}
"""Lowest and highest bid, by version."""
RULED = [pytest.param(points, *LIMITS[points], id=f"R-C6 R-C7 version {points}") for points in LIMITS]


@pytest.mark.parametrize(("points", "least", "most"), RULED)
@pytest.mark.parametrize("ten", ["card", "game"])
def test_legal_bids_range_from_the_least_bid_to_all_points(points: str, least: int, most: int, ten: str) -> None:
    at = table(points=points, ten=ten)
    bids = [MakeBid(0, bid) for bid in range(least, most + 1)]
    assert list(legal_moves(at.state, 0)) == [PassBid(0), *bids]
    for bid in (least, most):
        at.when(MakeBid(0, bid)).then(BidMade(0, bid, next=(1,)))


@pytest.mark.parametrize(("points", "least", "most"), RULED)
def test_a_bid_outside_the_range_is_refused(points: str, least: int, most: int) -> None:
    at = table(points=points, dirty=True, reverse=True)
    at.when(MakeBid(0, least - 1)).rejected(BidTooLow, str(least))
    at.when(MakeBid(0, 1)).rejected(BidTooLow)
    at.when(MakeBid(0, most + 1)).rejected(BidTooHigh, str(most))
    make_bids(at, most - 1).when(MakeBid(1, most + 1)).rejected(BidTooHigh)


@pytest.mark.parametrize(
    ("bid", "offence"),
    [
        pytest.param(0, NotABid, id="R-C5 a seat that doesn't bid passes"),
        pytest.param(-4, NotABid, id="R-C6 less than nothing"),
        pytest.param(3, BidTooLow, id="C1 R-C6 three of ten"),
        pytest.param(11, BidTooHigh, id="C31 C32 R-C7 no shooting the moon"),
        pytest.param(52, BidTooHigh, id="C31 no bid for the whole game"),
    ],
)
def test_an_invalid_bid_of_ten_points_is_refused(bid: int, offence: type[Rejected]) -> None:
    at = table()
    at.when(MakeBid(0, bid)).rejected(offence)
    assert at.state.turn == (0,)


def test_C32_a_seat_can_bid_all_the_points() -> None:
    at = make_bids(table(), 10).when(PassBid(1)).happens()
    assert list(legal_moves(at.state, 2)) == [PassBid(2)]
    won = only_fact(AuctionWon, make_bids(at, 0, 0).facts)
    assert (won.seat, won.bid, won.max, won.forced) == (0, 10, True, False)


@pytest.mark.parametrize("dealer", [pytest.param(seat, id=f"R-C5 seat {seat} deals") for seat in range(4)])
def test_each_seat_bids_once_from_the_dealers_left_and_the_dealer_last(dealer: int) -> None:
    at, asked = table(dealer=dealer), list[int]()
    for bid in (4, 0, 5, 6):
        asked += at.state.turn
        at = make_bids(at, bid)
    assert asked == [(dealer + turn) % 4 for turn in range(1, 5)]
    assert only_fact(AuctionWon, at.facts).seat == dealer
    at.when(MakeBid(asked[0], 7)).rejected(WrongPhase)


@pytest.mark.parametrize(
    ("before", "bid"),
    [
        pytest.param((5,), 5, id="R-C5 the same bid"),
        pytest.param((6,), 5, id="R-C5 a lower bid"),
        pytest.param((6, 0), 6, id="R-C5 a pass between changes nothing"),
        pytest.param((4, 0, 0), 4, id="R-C5 the dealer may not steal"),
        pytest.param((10, 0, 0), 10, id="R-C5 R-C49 not even with all the points"),
    ],
)
def test_a_bid_must_be_higher(before: tuple[int, ...], bid: int) -> None:
    make_bids(table(), *before).when(MakeBid(len(before), bid)).rejected(BidTooLow, str(max(before)))


@pytest.mark.parametrize(
    ("before", "bids"),
    [
        pytest.param((0, 7), [8, 9, 10], id="R-C5 strictly higher"),
        pytest.param((8, 0, 9), [10], id="R-C5 the dealer too"),
        pytest.param((0, 0, 0), [4, 5, 6, 7, 8, 9, 10], id="R-C49 the dealer may bid more than the least"),
        pytest.param((10, 0), [], id="R-C49 after a maximum bid a pass alone"),
    ],
)
def test_the_legal_bids(before: tuple[int, ...], bids: list[int]) -> None:
    seat = len(before)
    moves = legal_moves(make_bids(table(), *before).state, seat)
    assert list(moves) == [PassBid(seat), *(MakeBid(seat, bid) for bid in bids)]


ACROSS = ((0, 2), (1, 3))
WINNERS = [
    pytest.param((4, 0, 0, 0), AuctionWon(0, 4, False, False, ACROSS, (0,)), id="R-C5 the only bid"),
    pytest.param((4, 5, 0, 0), AuctionWon(1, 5, False, False, ACROSS[::-1], (1,)), id="R-C5 the higher"),
    pytest.param((4, 5, 6, 0), AuctionWon(2, 6, False, False, ACROSS, (2,)), id="R-C5 the highest"),
    pytest.param((4, 5, 6, 10), AuctionWon(3, 10, False, True, ACROSS[::-1], (3,)), id="C32 R-C50 all the points"),
    pytest.param(
        (0, 10, 0, 0), AuctionWon(1, 10, False, True, ACROSS[::-1], (1,)), id="R-C50 all the points, bid early"
    ),
    pytest.param((0, 0, 0, 0), AuctionWon(3, 4, True, False, ACROSS[::-1], (3,)), id="R-C5 R-C49 no bid: the dealer"),
    pytest.param((0, 0, 0, 4), AuctionWon(3, 4, False, False, ACROSS[::-1], (3,)), id="R-C49 the dealer bids four"),
    pytest.param((0, 0, 0, 7), AuctionWon(3, 7, False, False, ACROSS[::-1], (3,)), id="R-C49 the dealer bids more"),
]


@pytest.mark.parametrize(("bids", "won"), WINNERS)
def test_the_auction_is_decided_with_the_fourth_call(bids: tuple[int, ...], won: AuctionWon) -> None:
    last = BidMade(3, bids[3], next=()) if bids[3] else BidPassed(3, next=())
    make_bids(table(), *bids[:3]).when(MakeBid(3, bids[3]) if bids[3] else PassBid(3)).then(last, won)


@pytest.mark.parametrize(
    ("points", "least"),
    [pytest.param(points, LIMITS[points][0], id=f"R-C6 R-C49 version {points}") for points in LIMITS],
)
def test_a_forced_dealer_wins_the_auction_for_the_least_bid(points: str, least: int) -> None:
    won = only_fact(AuctionWon, make_bids(table(points=points), 0, 0, 0, 0).facts)
    assert (won.seat, won.bid, won.forced, won.max) == (3, least, True, False)


def test_R_C49_a_forced_dealer_has_passed_and_has_no_bid() -> None:
    at = make_bids(table(), 0, 0, 0, 0)
    assert fact_names(at.facts)[-5:] == ["BidPassed"] * 4 + ["AuctionWon"]
    assert at.state.hand is not None
    assert (at.state.hand.bids, at.state.hand.pitcher, at.state.hand.bid) == ((None,) * 4, 3, 4)
    result = score_hand((0, 0, 0, 0), "3: AH 2H 3H 4H")
    assert (result.bids, result.made, result.changes) == ((None,) * 4, True, (1, 4, 1, 4))


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


@pytest.mark.parametrize("bidder", range(4))
@pytest.mark.parametrize(
    ("partners", "away"),
    [
        pytest.param("across", 2, id="R-C27 across"),
        pytest.param("left", 1, id="R-C27 left"),
        pytest.param("right", 3, id="R-C27 right"),
    ],
)
def test_partners_are_counted_from_the_bidder(partners: str, away: int, bidder: int) -> None:
    bids = [0, 0, 0, 0]
    bids[bidder] = 4
    won = only_fact(AuctionWon, make_bids(table(partners=partners), *bids).facts)
    assert won.sides[0] == tuple(sorted((bidder, (bidder + away) % 4)))


CARD = Card("AH")


@pytest.mark.parametrize(
    ("command", "offence"),
    [
        pytest.param(MakeBid(1, 5), OutOfTurn, id="R-C5 not before your turn"),
        pytest.param(MakeBid(3, 99), OutOfTurn, id="R-C5 even with an invalid bid"),
        pytest.param(PassBid(2), OutOfTurn, id="R-C5 not even a pass"),
        pytest.param(NameTrump(0, "H"), WrongPhase, id="R-C2 no trump before the auction is over"),
        pytest.param(PlayCard(0, CARD), WrongPhase, id="R-C2 no card"),
        pytest.param(Discard(0, (CARD,)), WrongPhase, id="R-C2 no discard"),
        pytest.param(CallPartner(0, CARD), WrongPhase, id="R-C28 no called card"),
    ],
)
def test_a_command_out_of_turn_or_phase_is_refused_in_the_auction(command: Command, offence: type[Rejected]) -> None:
    table(partners="call").when(command).rejected(offence)


@pytest.mark.parametrize(
    ("command", "offence"),
    [
        pytest.param(NameTrump(1, "H"), OutOfTurn, id="R-C2 the bidder's partner does not name trump"),
        pytest.param(NameTrump(2, "H"), OutOfTurn, id="R-C2 the opponents do not name trump"),
        pytest.param(MakeBid(3, 9), WrongPhase, id="R-C5 bidding is over"),
        pytest.param(PlayCard(3, Card("X2")), WrongPhase, id="R-C2 trump is named before a card is played"),
        pytest.param(Discard(3, (Card("2D"),)), WrongPhase, id="R-C2 trump is named before a card is thrown"),
        pytest.param(CallPartner(3, CARD), WrongPhase, id="R-C28 trump is named before a card is called"),
    ],
)
@pytest.mark.parametrize("partners", ["across", "call"])
def test_a_command_out_of_turn_or_phase_is_refused_before_trump_is_named(
    command: Command, offence: type[Rejected], partners: str
) -> None:
    make_bids(table(partners=partners), 0, 0, 0, 4).when(command).rejected(offence)


@pytest.mark.parametrize("suit", [pytest.param(suit, id=f"R-C2 R-C60 {suit}") for suit in SUITS])
def test_the_bidder_names_any_suit(suit: Suit) -> None:
    at = make_bids(table(), 0, 4, 0, 0)
    assert NameTrump(1, suit) in legal_moves(at.state, 1)
    at.when(NameTrump(1, suit)).then(TrumpNamed(1, suit, next=(0,)))


def test_R_C2_there_are_four_suits_to_name() -> None:
    assert legal_moves(make_bids(table(), 0, 4, 0, 0).state, 1) == tuple(
        NameTrump(1, suit) for suit in ("C", "D", "H", "S")
    )


def test_R_C60_the_bidder_can_name_a_suit_they_do_not_hold() -> None:
    assert not any(card.endswith("S") for card in DEAL[0].split())
    make_bids(table(), 4, 0, 0, 0).when(NameTrump(0, "S")).then(TrumpNamed(0, "S", next=(1,)))


@pytest.mark.parametrize(
    ("bids", "first"),
    [
        pytest.param((4, 0, 0, 0), 1, id="R-C2 the eldest bid: the left neighbour throws first"),
        pytest.param((0, 4, 0, 0), 0, id="R-C2 another seat bid: the eldest throws first"),
        pytest.param((0, 0, 0, 0), 0, id="R-C2 also under a forced dealer"),
    ],
)
def test_after_the_naming_the_others_discard(bids: tuple[int, ...], first: int) -> None:
    at = make_bids(table(), *bids)
    (bidder,) = at.state.turn
    at.when(NameTrump(bidder, "H")).then(TrumpNamed(bidder, "H", next=(first,)))


def test_R_C28_in_a_call_hand_the_bidder_calls_before_any_discard() -> None:
    at = make_bids(table(partners="call"), 4, 0, 0, 0)
    at.when(NameTrump(0, "H")).then(TrumpNamed(0, "H", next=(0,)))


def test_R_C5_the_authors_of_the_facts() -> None:
    at = name_trump(make_bids(table(), 0, 0, 5, 0), "D")
    by = {event.fact: event.by for event in events(at.facts)}
    assert (by["BidMade"], by["AuctionWon"], by["TrumpNamed"]) == ("p2", SERVER, "p2")
    assert all(event.seen_by is None for event in events(at.facts)[-6:])


def test_R_C51_a_later_bid_exceeds_the_scaled_one_within_the_limits_now_in_force() -> None:
    at = change_rule(make_bids(table(), 6), "points:4")
    assert BidScaled(0, 6, 3) in at.facts
    assert list(legal_moves(at.state, 1)) == [PassBid(1), MakeBid(1, 4)]
    at.when(MakeBid(1, 3)).rejected(BidTooLow)
    at.when(MakeBid(1, 5)).rejected(BidTooHigh, "4")


def test_R_C51_an_auction_may_close_below_the_least_bid_of_a_later_version() -> None:
    at = change_rule(make_bids(table(points="4"), 2), "points:10")
    assert list(legal_moves(at.state, 1))[:2] == [PassBid(1), MakeBid(1, 4)]
    won = only_fact(AuctionWon, make_bids(at, 0, 0, 0).facts)
    assert (won.seat, won.bid, won.max) == (0, 2, False)


def test_R_C50_a_bid_for_all_points_depends_on_the_total_when_it_was_made() -> None:
    up = make_bids(change_rule(make_bids(table(points="4"), 4), "points:10"), 0, 0, 0)
    down = make_bids(change_rule(make_bids(table(), 9), "points:4"), 0, 0, 0)
    assert [(won.bid, won.max) for won in (only_fact(AuctionWon, up.facts), only_fact(AuctionWon, down.facts))] == [
        (4, True),
        (4, False),
    ]
