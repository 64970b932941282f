"""Perft: the number of legal sequences of bids and cards in small deals of Pitch, and of auctions in other games.

A second reading of the rules has found the same numbers.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.decide import decide
from domain.engine.legal_moves import legal_moves
from domain.rules.variants import compose_rules
from domain.state import State
from tests.games.blackout_hands import bidding
from tests.games.hands import with_hand_size
from tests.games.setback_hands import dealer_drawn
from tests.games.tables import folded
from tests.given import deal, game_opened, given

Hands = Sequence[str]


def perft(state: State, moves: int) -> list[int]:
    """Return how many sequences of one, two ... moves the decider accepts from here."""
    counts, level = list[int](), [state]
    for _ in range(moves):
        level = [folded(each, decide(each, move)) for each in level for move in legal_moves(each, *each.turn)]
        counts.append(len(level))
        level = [each for each in level if each.turn]
    return counts


def of_pitch(hands: Hands) -> State:
    rules = with_hand_size(compose_rules("pitch", {})[0], len(hands[0].split()))
    return given(game_opened(len(hands), rules=rules), *deal(hands)).state


@pytest.mark.parametrize(
    ("hands", "counts"),
    [
        (["AH JH 2C", "KH 10C 3D"], [5, 15, 42, 72, 144, 234, 234, 234]),
        (["AH KH QH", "2H 3H 4H"], [5, 15, 42, 126, 252, 504, 504, 504]),
        (["AH 2H 10C KD", "JH 3C QC 9D"], [5, 15, 56, 70, 210, 392, 784, 1232, 1232, 1232]),
        (["AH 2C", "KH 3C", "QD JH"], [5, 15, 35, 68, 98, 142, 142, 142, 142]),
        (["AH 2C", "KH 3C", "QD JH", "AS 2H"], [5, 15, 35, 70, 138, 203, 337, 565, 565, 565, 565, 565]),
    ],
    ids=str,
)
def test_the_number_of_legal_sequences_of_pitch(hands: Hands, counts: list[int]) -> None:
    assert perft(of_pitch(hands), len(counts)) == counts


def test_S11_S13_S14_the_number_of_auctions_of_pitch() -> None:
    """There is one auction for each way to assign rising bids to seats: C(n + 4, 4) for n players and four bids."""
    for players, auctions in ((2, 15), (3, 35), (4, 70), (7, 330)):
        hands = [f"{rank}H" for rank in ("2", "3", "4", "5", "6", "7", "8")[:players]]
        assert perft(of_pitch(hands), players)[players - 1] == auctions


def of_setback(hands: Hands, dealer: int, options: dict[str, Any]) -> State:
    rules, players = with_hand_size(compose_rules("setback", options)[0], len(hands[0].split())), len(hands)
    opening = game_opened(players, variant="setback", rules=rules)
    return given(opening, *dealer_drawn(dealer), *deal(hands, dealer=dealer)).state


RAISES, ANY = {"dealer": "ties_or_raises"}, {"stick": "any"}


def test_T5_T10_R_T2_R_T3_the_number_of_auctions_of_setback() -> None:
    """The n others pass or raise to one of three bids in C(n + 3, 3) ways; then the dealer has two answers, or one."""
    for players, options, auctions in (
        *((3, {}, 19), (4, {}, 39), (3, ANY, 21), (4, ANY, 41), (3, RAISES, 26), (4, RAISES, 51)),
    ):
        state = of_setback(("2C", "3C", "4C", "5C")[:players], players - 1, options)
        assert perft(state, players)[players - 1] == auctions, (players, options)


def test_B4_B14_R_B5_the_number_of_auctions_of_blackout() -> None:
    """There are (n + 1)^4 ways to bid, less the C(n + 3, 3) ways in which four bids add up to n."""
    one, two = ("AH", "2S", "KH", "3D"), ("2H 3H", "4H 4C", "5H 5D", "6H 6D")
    three = ("AH 2S 3C", "KH 3S 4C", "QC 4D 5H", "JC 5D 6S")
    for number, hands, hooked in ((1, one, 4), (2, two, 10), (3, three, 20)):
        for hook in (True, False):
            auctions = (number + 1) ** 4 - (hooked if hook else 0)
            assert perft(bidding(number, hands, hook=hook).state, 4)[3] == auctions
