"""Blackout, the bidding (B3-B7, B14-B17, R-B2, R-B3, R-B5)."""

import pytest

from domain.commands import AskUndo, MakeBid, PassBid, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import BidMade, UndoAsked
from domain.rejections import Hooked, MustBid, NotABid, NothingToUndo, OutOfTurn, WrongPhase
from domain.rules.choices import Phase
from tests.games.blackout_hands import LONG, bidding
from tests.games.tables import Table
from tests.given import Given, cards

Bids = tuple[int, ...]
TWO = ("2C 3C", "4C 5C", "6C 7C", "8C 9C")


def of_two(*bids: int, hook: bool = True) -> Given:
    """Hand 2, opened by seat 1, after these bids."""
    return bidding(2, TWO, *bids, hook=hook)


@pytest.mark.parametrize(
    ("hand", "each", "order"),
    [
        pytest.param(1, ("2C", "3C", "4C", "5C"), [0, 1, 2, 3], id="B16 R-B2 R-B3 hand 1"),
        pytest.param(2, TWO, [1, 2, 3, 0], id="B16 R-B2 R-B3 hand 2"),
        pytest.param(13, LONG, [0, 1, 2, 3], id="B16 R-B2 R-B3 hand 13"),
    ],
)
def test_bidding_goes_to_the_left_and_the_dealer_bids_last(hand: int, each: Bids, order: list[int]) -> None:
    table, asked = bidding(hand, [str(own) for own in each], trump=None if hand == 13 else "S"), list[int]()
    while table.state.phase is Phase.AUCTION:
        (seat,) = table.state.turn
        asked.append(seat)
        for other in range(4):
            if other != seat:
                refused = table.when(MakeBid(other, 0)).rejected(OutOfTurn, f"seat {seat}")  # B5
                assert refused.code == "out-of-turn"
        table = table.when(MakeBid(seat, 0)).happens()
    assert asked == order
    assert table.state.hand
    assert order[-1] == table.state.hand.dealer


@pytest.mark.parametrize(
    ("bids", "hook", "moves"),
    [
        pytest.param((), True, [0, 1, 2], id="B3 R-B5 the first bidder bids anything"),
        pytest.param((0, 0, 0), True, [0, 1], id="B14 R-B5 two is forbidden"),
        pytest.param((1, 0, 1), True, [1, 2], id="B14 R-B5 zero is forbidden"),
        pytest.param((2, 2, 2), True, [0, 1, 2], id="R-B5 the sum exceeds the tricks, all bids are allowed"),
        pytest.param((0, 0, 0), False, [0, 1, 2], id="B4 no hook: two"),
    ],
)
def test_the_legal_bids(bids: Bids, hook: bool, moves: list[int]) -> None:
    table, seat = of_two(*bids, hook=hook), (1 + len(bids)) % 4
    assert list(legal_moves(table.state, seat)) == [MakeBid(seat, bid) for bid in moves]
    for bid in moves if len(bids) < 3 else []:
        table.when(MakeBid(seat, bid)).then(BidMade(seat, bid, next=((seat + 1) % 4,)))
    for bid in range(3):
        if bid not in moves:
            assert table.when(MakeBid(seat, bid)).rejected(Hooked, "add up to 2, the number of tricks").code == "hooked"


@pytest.mark.parametrize("hook", [pytest.param(True, id="B15 with the hook"), pytest.param(False, id="B4 without")])
def test_all_four_bids_can_be_exact_only_without_the_hook(hook: bool) -> None:
    exact = []
    for seed in range(25):
        table = Table(variant="blackout", seed=seed, hook=hook)
        while len(table.hands_scored) < 3:
            table.moves(table.entropy(1)[0])
        exact += [list(hand.bids) == list(hand.tricks) for hand in table.hands_scored]
        assert not hook or all(sum(bid or 0 for bid in hand.bids) != hand.hand for hand in table.hands_scored)
    assert any(exact) is not hook


def test_B5_B6_B7_other_bids_passes_and_commands_out_of_turn_or_phase_are_refused() -> None:
    table = of_two(1)
    for bid in (-1, 3, 13):
        assert table.when(MakeBid(2, bid)).rejected(NotABid).code == "not-a-bid"
    for bids in ((), (1, 2), (0, 0, 0)):
        assert of_two(*bids).when(PassBid((1 + len(bids)) % 4)).rejected(MustBid, "bid").code == "must-bid"
    for command in (MakeBid(1, 0), MakeBid(3, 7), PassBid(0)):
        table.when(command).rejected(OutOfTurn)
    table.when(PlayCard(1, cards("4C")[0])).rejected(WrongPhase)
    assert table.state.turn == (2,)
    for seat in range(4):
        assert of_two(1, 0, 0, 0).when(MakeBid(seat, 0)).rejected(WrongPhase).code == "wrong-phase"


def test_B27_the_last_bid_can_be_undone_until_a_card_is_led() -> None:
    """No one wins the auction, so only the lead ends the chance. In hand 1 the table plays the cards at once."""
    table = of_two(1, 0, 0, 0)
    assert table.when(AskUndo(0)).facts == (UndoAsked(0, table.state.version - 1),)
    table.when(AskUndo(1)).rejected(NothingToUndo)
    led = table.when(PlayCard(1, cards("4C")[0])).happens()
    led.when(AskUndo(0)).rejected(NothingToUndo)
