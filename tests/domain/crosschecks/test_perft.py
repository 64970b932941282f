"""Perft: the number of legal sequences of bids and cards in small deals, counted twice.

The decider and the second reading of the rules in tests/rulebooks/rulebook.py must both find the numbers written here.
Depth counts bids and cards, so depth 2 of two players counts auctions.
"""

import pytest

from domain.decide import decide
from domain.engine.legal_moves import legal_moves
from domain.rules.variants import PITCH
from domain.state import State
from tests.games.hands import with_hand_size
from tests.games.tables import folded
from tests.given import deal, game_opened, given
from tests.rulebooks.rulebook import Position, sequences

TWO = ["AH JH 2C", "KH 10C 3D"]
TWO_SUITED = ["AH KH QH", "2H 3H 4H"]
TWO_FOUR = ["AH 2H 10C KD", "JH 3C QC 9D"]
THREE = ["AH 2C", "KH 3C", "QD JH"]
FOUR = ["AH 2C", "KH 3C", "QD JH", "AS 2H"]


def dealt(hands: list[str]) -> State:
    """Return the first hand, dealt these cards."""
    rules = with_hand_size(PITCH, len(hands[0].split()))
    return given(game_opened(len(hands), rules=rules), *deal(hands)).state


def perft(state: State, deep: int) -> int:
    """Return how many sequences of `deep` moves the decider accepts from here, in this hand."""
    if deep == 0 or not state.turn:
        return int(deep == 0)
    (seat,) = state.turn
    return sum(perft(folded(state, decide(state, move)), deep - 1) for move in legal_moves(state, seat))


@pytest.mark.parametrize(
    ("hands", "counts"),
    [
        pytest.param(TWO, [5, 15, 42, 72, 144, 234, 234, 234, 0], id="two players, three each"),
        pytest.param(TWO_SUITED, [5, 15, 42, 126, 252, 504, 504, 504, 0], id="two players, all of one suit"),
        pytest.param(TWO_FOUR, [5, 15, 56, 70, 210, 392, 784, 1232, 1232, 1232, 0], id="two players, four each"),
        pytest.param(THREE, [5, 15, 35, 68, 98, 142, 142, 142, 142, 0], id="three players, two each"),
        pytest.param(FOUR, [5, 15, 35, 70, 138, 203, 337, 565, 565, 565, 565, 565, 0], id="four players, two each"),
    ],
)
def test_the_number_of_legal_sequences(hands: list[str], counts: list[int]) -> None:
    state, position = dealt(hands), Position(tuple(tuple(own.split()) for own in hands))
    depths = range(1, len(counts) + 1)
    assert [sequences(position, deep) for deep in depths] == counts
    assert [perft(state, deep) for deep in depths] == counts


@pytest.mark.parametrize(
    ("players", "auctions"),
    [
        pytest.param(2, 15, id="S11 S13 S14 two players"),
        pytest.param(3, 35, id="S11 S13 S14 three players"),
        pytest.param(4, 70, id="S11 S13 S14 four players"),
        pytest.param(7, 330, id="S11 S13 S14 seven players"),
    ],
)
def test_the_number_of_auctions(players: int, auctions: int) -> None:
    """There is one auction for each way to assign rising bids to seats: C(n + 4, 4) for n players and four bids."""
    assert perft(dealt([f"{rank}H" for rank in ("2", "3", "4", "5", "6", "7", "8")[:players]]), players) == auctions
