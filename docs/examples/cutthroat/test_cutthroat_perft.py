"""The number of sequences of bids and cards in a small deal of Cutthroat Pitch."""

from collections.abc import Iterator
from itertools import product

from domain.decide import decide
from domain.engine.legal_moves import legal_moves
from domain.state import State
from tests.games.tables import folded
from tests.given import deal, game_opened, given
from tests.rulebooks.rulebook import Position, sequences

HANDS = ["AH 2C", "KH 3C", "QD JH"]


def perft(state: State, deep: int) -> int:
    if deep == 0 or not state.turn:
        return int(deep == 0)
    (seat,) = state.turn
    return sum(perft(folded(state, decide(state, move)), deep - 1) for move in legal_moves(state, seat))


def auctions(seats: int) -> Iterator[tuple[int, ...]]:
    for bids in product((0, 2, 3, 4), repeat=seats):
        rising = [bid for bid in bids if bid]
        if rising and rising == sorted(set(rising)):
            yield bids


def brute_force(deep: int) -> int:
    hands = tuple(tuple(own.split()) for own in HANDS)
    return sum(sequences(Position(hands, bids), deep) for bids in auctions(len(hands)))


def test_K3_R_K1_decide_allows_as_many_sequences_as_the_sheet() -> None:
    state = given(game_opened(3, variant="cutthroat"), *deal(HANDS)).state
    counts = [perft(state, deep) for deep in range(3, 11)]
    assert counts == [20, 38, 54, 77, 77, 77, 77, 0]
    assert counts[1:] == [brute_force(deep) for deep in range(1, 8)]
    assert counts[0] == len(list(auctions(3))) + 1  # all three pass
