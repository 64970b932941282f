"""gamerz Pitch, the auction (S7-S9, S11-S17, S32, R-S1, R-S3 to R-S6)."""

import pytest

from domain.commands import Command, MakeBid, PassBid, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import AuctionWon, BidMade, BidPassed, Fact, HandDealt, HandThrownIn
from domain.rejections import BidTooLow, NotABid, OutOfTurn, Rejected, WrongPhase
from tests.games.hands import commit, fact_names, only_fact, plays
from tests.given import Given, cards, deal, game_opened, given
from tests.step_limit import steps

HANDS = [
    "AH KH 9C 8C 7C 6C",
    "2H 3H 10C KC QC JC",
    "4H 5H AD KD QD JD",
    "6H 7H AS KS QS JS",
    "2C 3C 4C 5C AC 2D",
    "3D 4D 5D 6D 7D 8D",
    "9D 10D 8H 9H 10H JH",
]


def bidding(*bids: int, players: int = 4) -> Given:
    """Return the auction after these bids from seat 0 on, 0 for a pass, after checking that each was legal."""
    table = given(game_opened(players), *deal(HANDS[:players]))
    for seat, bid in enumerate(bids):
        table = table.when(MakeBid(seat, bid) if bid else PassBid(seat)).happens()
    return table


@pytest.mark.parametrize(
    "bid",
    [
        pytest.param(2, id="S11 S9 two"),
        pytest.param(3, id="S11 S9 three"),
        pytest.param(4, id="S11 S9 four"),
        pytest.param(5, id="S11 S12 five, which is the smudge"),
    ],
)
def test_a_legal_bid_is_accepted(bid: int) -> None:
    bidding().when(MakeBid(0, bid)).then(BidMade(0, bid, next=(1,)))


def test_S11_a_bid_of_0_is_a_pass() -> None:
    bidding().when(MakeBid(0, 0)).then(BidPassed(0, next=(1,)))
    bidding().when(PassBid(0)).then(BidPassed(0, next=(1,)))


@pytest.mark.parametrize(
    ("before", "bid"),
    [
        pytest.param((), 1, id="S11 R-S6 one"),
        pytest.param((), 6, id="S11 R-S6 six"),
        pytest.param((), -1, id="S11 R-S6 minus one"),
        pytest.param((), 11, id="S11 R-S6 the goal"),
        pytest.param((5,), 6, id="S11 R-S6 six over a smudge"),
        pytest.param((3,), 1, id="S11 R-S6 one, which is too low besides"),
    ],
)
def test_an_invalid_bid_is_refused_and_keeps_the_turn(before: tuple[int, ...], bid: int) -> None:
    table, seat = bidding(*before), len(before)
    table.when(MakeBid(seat, bid)).rejected(NotABid)
    assert table.state.turn == (seat,)


@pytest.mark.parametrize(
    ("before", "bid"),
    [
        pytest.param((2,), 3, id="S13 three over two"),
        pytest.param((2,), 5, id="S13 three over two, later"),
        pytest.param((0, 0), 2, id="S13 two over passes"),
        pytest.param((4, 0, 0), 5, id="S13 the dealer bids last and higher"),
    ],
)
def test_a_bid_above_the_highest_is_accepted(before: tuple[int, ...], bid: int) -> None:
    assert BidMade in map(type, bidding(*before).when(MakeBid(len(before), bid)).facts)


@pytest.mark.parametrize(
    ("before", "bid"),
    [
        pytest.param((3,), 3, id="S13 R-S4 the same bid"),
        pytest.param((3,), 2, id="S13 a lower bid"),
        pytest.param((4, 0), 3, id="S13 a pass between changes nothing"),
        pytest.param((2, 3, 0), 3, id="S13 R-S4 the dealer may not steal"),
        pytest.param((2, 3, 4), 4, id="R-S4 the dealer may not steal a four"),
        pytest.param((5,), 5, id="R-S5 a second smudge"),
    ],
)
def test_a_bid_that_is_not_higher_is_refused(before: tuple[int, ...], bid: int) -> None:
    bidding(*before).when(MakeBid(len(before), bid)).rejected(BidTooLow, str(max(before)))


@pytest.mark.parametrize(
    ("before", "moves"),
    [
        pytest.param((), [0, 2, 3, 4, 5], id="S11 at first all of them"),
        pytest.param((0, 0, 0), [0, 2, 3, 4, 5], id="S16 the dealer may pass the hand out"),
        pytest.param((2,), [0, 3, 4, 5], id="S13 after a two"),
        pytest.param((2, 4, 0), [0, 5], id="S13 after a four"),
        pytest.param((5,), [0], id="R-S5 after a smudge a pass alone"),
        pytest.param((2, 3, 5), [0], id="R-S5 the dealer after a smudge"),
    ],
)
def test_the_legal_bids(before: tuple[int, ...], moves: list[int]) -> None:
    seat = len(before)
    expected = [MakeBid(seat, bid) if bid else PassBid(seat) for bid in moves]
    assert list(legal_moves(bidding(*before).state, seat)) == expected


def test_R_S5_after_a_smudge_the_others_still_have_their_turn() -> None:
    table = bidding(5)
    for seat in (1, 2):
        table = table.when(PassBid(seat)).then(BidPassed(seat, next=(seat + 1,)))
    assert fact_names(table.when(PassBid(3)).facts) == ["BidPassed", "AuctionWon"]


@pytest.mark.parametrize(
    "players", [pytest.param(players, id=f"S14 S15 R-S1 {players} players") for players in range(2, 8)]
)
def test_each_seat_bids_once_to_the_left_and_the_dealer_last(players: int) -> None:
    table = bidding(players=players)
    asked, spent = [], steps(100)
    while not table.state.hand or table.state.hand.pitcher is None:
        next(spent)
        (seat,) = table.state.turn
        asked.append(seat)
        table = table.when(PassBid(seat) if seat else MakeBid(seat, 2)).happens()
    assert asked == list(range(players))
    assert only_fact(HandDealt, table.facts).dealer == asked[-1]


def test_S15_the_auction_starts_left_of_the_dealer_in_any_seat() -> None:
    table = given(game_opened(), *deal(HANDS[:4], dealer=1))
    assert table.state.turn == (2,)
    table = table.when(PassBid(2)).then(BidPassed(2, next=(3,)))
    table = table.when(MakeBid(3, 2)).then(BidMade(3, 2, next=(0,)))
    table.when(PassBid(0)).then(BidPassed(0, next=(1,)))


@pytest.mark.parametrize(
    ("command", "offence"),
    [
        pytest.param(MakeBid(0, 4), OutOfTurn, id="S14 a second bid by the same seat"),
        pytest.param(PassBid(0), OutOfTurn, id="S14 a pass after a bid"),
        pytest.param(MakeBid(2, 4), OutOfTurn, id="S7 not before your turn"),
        pytest.param(MakeBid(3, 9), OutOfTurn, id="S7 out of turn, even with an invalid bid"),
        pytest.param(PlayCard(1, cards("2H")[0]), WrongPhase, id="S8 a card in the auction"),
        pytest.param(PlayCard(2, cards("4H")[0]), WrongPhase, id="S8 a card out of turn"),
    ],
)
def test_a_command_out_of_turn_or_phase_is_refused_in_the_auction(command: Command, offence: type[Rejected]) -> None:
    bidding(3).when(command).rejected(offence)


@pytest.mark.parametrize(
    ("bids", "pitcher", "sides"),
    [
        pytest.param((2, 0, 0, 0), 0, ((0,), (1,), (2,), (3,)), id="S32 the only bid"),
        pytest.param((2, 3, 0, 0), 1, ((1,), (0,), (2,), (3,)), id="S32 the higher"),
        pytest.param((2, 3, 4, 5), 3, ((3,), (0,), (1,), (2,)), id="S32 the highest"),
        pytest.param((0, 0, 0, 2), 3, ((3,), (0,), (1,), (2,)), id="S32 the dealer"),
        pytest.param((5, 0, 0, 0), 0, ((0,), (1,), (2,), (3,)), id="S12 S32 a smudge"),
    ],
)
def test_the_highest_bidder_pitches(bids: tuple[int, ...], pitcher: int, sides: tuple[tuple[int, ...], ...]) -> None:
    bid = max(bids)
    last = BidMade(3, bids[3], next=()) if bids[3] else BidPassed(3, next=())
    won = AuctionWon(pitcher, bid, forced=False, max=bid == 5, sides=sides, next=(pitcher,))
    bidding(*bids[:3]).when(MakeBid(3, bids[3])).then(last, won)


@pytest.mark.parametrize("players", [pytest.param(players, id=f"S16 {players} players") for players in range(2, 8)])
def test_a_hand_without_a_bid_is_thrown_in(players: int) -> None:
    last = players - 1
    bidding(*[0] * last, players=players).when(PassBid(last)).then(BidPassed(last, next=()), HandThrownIn(1))


def test_S16_S17_the_left_neighbour_deals_next_and_no_score_changes() -> None:
    facts = commit(bidding(0, 0, 0), PassBid(3))
    assert fact_names(facts) == [
        "BidPassed",
        "HandThrownIn",
        "CeremonyRevealed",
        "CeremonyOpened",
        "SeedKept",
        "HandDealt",
        *["CardsDealt"] * 4,
        "StockLaid",
    ]
    again = only_fact(HandDealt, facts)
    assert (again.hand, again.redeal, again.n, again.dealer, again.eldest) == (2, 0, 2, 0, 1)


def test_S17_the_deal_moves_on_as_long_as_all_pass() -> None:
    table, dealers = bidding(0, 0, 0), []
    for dealer in (3, 0, 1, 2, 3, 0):
        hand: tuple[Fact, ...] = commit(table, PassBid(dealer))
        table = given(*table.facts, *hand)
        dealers.append(only_fact(HandDealt, hand).dealer)
        for turn in range(1, 4):
            table = table.when(PassBid((dealers[-1] + turn) % 4)).happens()
    assert dealers == [0, 1, 2, 3, 0, 1]
    assert table.state.scores == (0, 0, 0, 0)


def test_R_S3_the_deal_moves_left_after_a_hand_that_was_played() -> None:
    *most, last = plays(["0: AH 2H 4H 6H"], 4)
    table = given(game_opened(), *deal(["AH", "2H", "4H", "6H"]))
    commands: list[Command] = [MakeBid(0, 2), *map(PassBid, (1, 2, 3)), *most]
    for command in commands:
        table = table.when(command).happens()
    again = only_fact(HandDealt, commit(table, last))
    assert (again.hand, again.dealer, again.eldest, again.next) == (2, 0, 1, (1,))


def test_S8_a_bid_is_refused_during_the_play() -> None:
    table = bidding(2, 0, 0).when(PassBid(3)).happens()
    table.when(MakeBid(0, 5)).rejected(WrongPhase)
    table.when(PassBid(0)).rejected(WrongPhase)
