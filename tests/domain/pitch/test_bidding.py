"""gamerz Pitch, the auction (S7-S9, S11-S17, S32, R-S1, R-S3 to R-S6)."""

import pytest

from domain.commands import MakeBid, PassBid
from domain.engine.legal_moves import legal_moves
from domain.events import AuctionWon, BidMade, BidPassed, HandDealt, HandThrownIn
from domain.rejections import BidTooLow, NotABid
from tests.games.hands import HANDS, commit, fact_names, go_on, only_fact, plays
from tests.given import Given, deal, game_opened, given


def bidding(*bids: int, players: int = 4) -> Given:
    """Return the auction after these bids from seat 0 on, 0 for a pass, after checking that each was legal."""
    calls = (MakeBid(seat, bid) if bid else PassBid(seat) for seat, bid in enumerate(bids))
    return go_on(given(game_opened(players), *deal(HANDS[:players])), *calls)


def test_S11_R_S6_an_invalid_bid_is_refused_and_keeps_the_turn() -> None:
    bids: tuple[tuple[tuple[int, ...], int], ...] = (((), 1), ((), 6), ((), -1), ((), 11), ((5,), 6), ((3,), 1))
    for before, bid in bids:
        table, seat = bidding(*before), len(before)
        table.when(MakeBid(seat, bid)).rejected(NotABid)
        assert table.state.turn == (seat,)


@pytest.mark.parametrize(
    ("before", "bid"),
    [
        pytest.param((3,), 3, id="S13 R-S4 the same bid"),
        pytest.param((2, 3, 0), 3, id="S13 R-S4 the dealer may not steal"),
        pytest.param((5,), 5, id="R-S5 a second smudge"),
    ],
)
def test_a_bid_that_is_not_higher_is_refused(before: tuple[int, ...], bid: int) -> None:
    bidding(*before).when(MakeBid(len(before), bid)).rejected(BidTooLow, str(max(before)))


@pytest.mark.parametrize(
    ("before", "moves"),
    [
        pytest.param((), [0, 2, 3, 4, 5], id="S9 S11 S12 at first all of them"),
        pytest.param((0, 0, 0), [0, 2, 3, 4, 5], id="S16 the dealer may pass the hand out"),
        pytest.param((2, 4, 0), [0, 5], id="S13 after a four"),
        pytest.param((5,), [0], id="R-S5 after a smudge a pass alone"),
    ],
)
def test_the_legal_bids(before: tuple[int, ...], moves: list[int]) -> None:
    seat, table = len(before), bidding(*before)
    assert list(legal_moves(table.state, seat)) == [MakeBid(seat, bid) if bid else PassBid(seat) for bid in moves]
    for bid in moves:
        said = BidMade(seat, bid, next=(seat + 1,)) if bid else BidPassed(seat, next=(seat + 1,))
        assert seat == 3 or table.when(MakeBid(seat, bid)).facts == (said,)


def test_S14_S15_R_S1_each_seat_bids_once_to_the_left_and_the_dealer_last() -> None:
    for players in range(2, 8):
        table, asked = bidding(players=players), list[int]()
        for _ in range(players):
            (seat,) = table.state.turn
            asked.append(seat)
            table = table.when(PassBid(seat) if seat else MakeBid(seat, 2)).happens()
        assert asked == list(range(players))
        assert only_fact(HandDealt, table.facts).dealer == asked[-1]
        assert only_fact(AuctionWon, table.facts).seat == 0
    assert given(game_opened(), *deal(HANDS[:4], dealer=1)).state.turn == (2,)


@pytest.mark.parametrize(
    ("bids", "pitcher", "sides"),
    [
        pytest.param((2, 0, 0, 0), 0, ((0,), (1,), (2,), (3,)), id="S32 the only bid"),
        pytest.param((2, 3, 4, 5), 3, ((3,), (0,), (1,), (2,)), id="S32 the highest"),
        pytest.param((5, 0, 0, 0), 0, ((0,), (1,), (2,), (3,)), id="S12 S32 a smudge"),
    ],
)
def test_the_highest_bidder_pitches(bids: tuple[int, ...], pitcher: int, sides: tuple[tuple[int, ...], ...]) -> None:
    bid = max(bids)
    last = BidMade(3, bids[3], next=()) if bids[3] else BidPassed(3, next=())
    won = AuctionWon(pitcher, bid, forced=False, max=bid == 5, sides=sides, next=(pitcher,))
    bidding(*bids[:3]).when(MakeBid(3, bids[3])).then(last, won)


def test_S16_S17_after_passes_alone_the_left_neighbour_deals_next_and_no_score_changes() -> None:
    table = bidding(0, 0, 0)
    for hand, dealer in enumerate((3, 0, 1), 1):
        facts = commit(table, PassBid(dealer))
        assert facts[:2] == (BidPassed(dealer, next=()), HandThrownIn(hand))
        names = (
            "CeremonyRevealed CeremonyOpened SeedKept HandDealt CardsDealt CardsDealt CardsDealt CardsDealt StockLaid"
        )
        assert " ".join(fact_names(facts)[2:]) == names
        again, table = only_fact(HandDealt, facts), given(*table.facts, *facts)
        assert (again.redeal, again.dealer, again.eldest) == (0, (dealer + 1) % 4, (dealer + 2) % 4)
        for turn in range(1, 4):
            table = table.when(PassBid((again.dealer + turn) % 4)).happens()
    assert table.state.scores == (0, 0, 0, 0)


def test_R_S3_the_deal_moves_left_after_a_hand_that_was_played() -> None:
    *most, last = plays(["0: AH 2H 4H 6H"], 4)
    table = given(game_opened(), *deal(["AH", "2H", "4H", "6H"]))
    again = only_fact(HandDealt, commit(go_on(table, MakeBid(0, 2), *map(PassBid, (1, 2, 3)), *most), last))
    assert (again.hand, again.dealer, again.eldest, again.next) == (2, 0, 1, (1,))
