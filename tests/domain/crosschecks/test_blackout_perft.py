"""Blackout perft: the number of legal sequences of bids and cards in small hands, counted twice (B6-B23, R-B5, R-B9).

The decider and the second reading of the rules in tests/rulebooks/blackout.py must both find the numbers written here.
Depth counts bids and cards, so depth 4 counts auctions. The table plays the cards of hand 1, so they aren't moves.
"""

import pytest

from domain.commands import PlayCard
from domain.decide import decide
from domain.decide.dealer_duties import next_duty
from domain.engine.legal_moves import legal_moves
from domain.state import State
from tests.games.blackout_hands import bidding, eldest_of
from tests.games.tables import folded
from tests.rulebooks import blackout as rulebook
from tests.rulebooks.perft import hands as read
from tests.rulebooks.perft import perft as counted
from tests.step_limit import check_steps

ONE = ("AH", "2S", "KH", "3D")
TWO = ("2H 3H", "4H 4C", "5H 5D", "6H 6D")
TWO_MIXED = ("AH 2S", "KH 3S", "QC 4D", "JC 5D")
TWO_TRUMPS = ("2S 3S", "4S 5S", "6S 7S", "8S 9S")
THREE = ("AH 2S 3C", "KH 3S 4C", "QC 4D 5H", "JC 5D 6S")


def perft(state: State) -> list[int]:
    """Return how many sequences of one, two ... moves the decider accepts from here to the end of the hand."""
    counts, level = list[int](), [state]
    while level:
        check_steps(len(counts), 100)
        level = [after(folded(each, decide(each, move))) for each in level for move in legal_moves(each, *each.turn)]
        counts.append(len(level))
        level = [each for each in level if each.turn]
    return [*counts, 0]


def after(state: State) -> State:
    """Return the state after the cards that the table plays."""
    while isinstance(due := next_duty(state, lambda: bytes(32)), PlayCard):
        state = folded(state, decide(state, due))
    return state


@pytest.mark.parametrize(
    ("hands", "hook", "counts"),
    [
        pytest.param(ONE, True, [2, 4, 8, 12, 0], id="B19 R-B9 hand 1"),
        pytest.param(ONE, False, [2, 4, 8, 16, 0], id="B4 B19 hand 1, no hook"),
        pytest.param(TWO, True, [3, 9, 27, 71, 142, 213, 355, 710, 710, 710, 710, 710, 0], id="B20 hand 2"),
        pytest.param(TWO, False, [3, 9, 27, 81, 162, 243, 405, 810, 810, 810, 810, 810, 0], id="B4 hand 2, no hook"),
        pytest.param(
            TWO_MIXED, True, [3, 9, 27, 71, 142, 284, 568, 568, 568, 568, 568, 568, 0], id="B21 hand 2, mixed"
        ),
        pytest.param(
            TWO_MIXED,
            False,
            [3, 9, 27, 81, 162, 324, 648, 648, 648, 648, 648, 648, 0],
            id="B4 B21 hand 2, mixed, no hook",
        ),
        pytest.param(
            TWO_TRUMPS,
            True,
            [3, 9, 27, 71, 142, 284, 568, 1136, 1136, 1136, 1136, 1136, 0],
            id="B20 hand 2, trumps alone",
        ),
    ],
)
def test_the_number_of_legal_sequences(hands: tuple[str, ...], hook: bool, counts: list[int]) -> None:
    number = len(hands[0].split())
    position = rulebook.Position(read(*hands), "S", eldest_of(number), hook)
    assert [counted(position, deep) for deep in range(1, len(counts) + 1)] == counts
    assert perft(bidding(number, hands, hook=hook).state) == counts


@pytest.mark.parametrize(
    ("hook", "counts"),
    [
        pytest.param(
            True,
            [4, 14, 42, 70, 98, 182, 364, 448, 602, 784, 784, 784, 784, 784, 0],
            id="B14 B23 hand 3 after two bids",
        ),
        pytest.param(
            False,
            [4, 16, 48, 80, 112, 208, 416, 512, 688, 896, 896, 896, 896, 896, 0],
            id="B4 B23 hand 3 after two bids, no hook",
        ),
    ],
)
def test_the_number_of_legal_sequences_in_a_hand_of_three_cards(hook: bool, counts: list[int]) -> None:
    position = rulebook.Position(read(*THREE), "S", eldest_of(3), hook, (1, 1))
    assert [counted(position, deep) for deep in range(1, len(counts) + 1)] == counts
    assert perft(bidding(3, THREE, 1, 1, hook=hook).state) == counts


@pytest.mark.parametrize(
    ("number", "hook", "auctions"),
    [
        pytest.param(1, True, 2**4 - 4, id="B14 R-B5 hand 1"),
        pytest.param(1, False, 2**4, id="B4 hand 1"),
        pytest.param(2, True, 3**4 - 10, id="B14 R-B5 hand 2"),
        pytest.param(2, False, 3**4, id="B4 hand 2"),
        pytest.param(3, True, 4**4 - 20, id="B14 R-B5 hand 3"),
        pytest.param(3, False, 4**4, id="B4 hand 3"),
    ],
)
def test_the_number_of_auctions(number: int, hook: bool, auctions: int) -> None:
    """There are (n + 1)^4 ways to bid, less the C(n + 3, 3) ways in which four bids add up to n."""
    level = [bidding(number, (ONE, TWO, THREE)[number - 1], hook=hook).state]
    for _ in range(4):
        level = [folded(each, decide(each, move)) for each in level for move in legal_moves(each, *each.turn)]
    assert len(level) == auctions
