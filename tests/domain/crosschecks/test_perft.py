"""Perft of Pitch, Setback and Blackout: the number of legal sequences of bids and cards in small deals.

Second readings of the rules found the same numbers; that of Pitch, in tests/rulebooks, still counts them. Depth counts
bids and cards. The table plays the cards of hand 1 of Blackout, so they aren't moves.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.commands import PlayCard
from domain.decide import decide
from domain.decide.dealer_duties import next_duty
from domain.engine.legal_moves import legal_moves
from domain.rules.variants import compose_rules
from domain.state import State
from tests.games.blackout_hands import bidding
from tests.games.hands import with_hand_size
from tests.games.setback_hands import dealer_drawn
from tests.games.tables import folded
from tests.given import deal, game_opened, given
from tests.rulebooks.rulebook import Position, sequences
from tests.step_limit import check_steps

Hands = Sequence[str]


def perft(state: State, most: int = 100) -> list[int]:
    """Return how many sequences of one, two ... moves the decider accepts from here to the end of the hand."""
    counts, level = list[int](), [state]
    while level and len(counts) < most:
        check_steps(len(counts), 100)
        level = [after(folded(each, decide(each, move))) for each in level for move in legal_moves(each, *each.turn)]
        counts.append(len(level))
        level = [each for each in level if each.turn]
    return [*counts, 0]


def after(state: State) -> State:
    """Return the state after the cards that the table plays."""
    if state.opened is None or state.opened.variant != "blackout":
        return state
    while isinstance(due := next_duty(state, lambda: bytes(32)), PlayCard):
        state = folded(state, decide(state, due))
    return state


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
    position = Position(tuple(tuple(own.split()) for own in hands))
    assert [sequences(position, deep) for deep in range(1, len(counts) + 1)] == counts
    assert perft(of_pitch(hands)) == [*counts, 0]


def test_S11_S13_S14_the_number_of_auctions_of_pitch() -> None:
    """There is one auction for each way to assign rising bids to seats: C(n + 4, 4) for n players and four bids."""
    for players, auctions in ((2, 15), (3, 35), (4, 70), (7, 330)):
        hands = [f"{rank}H" for rank in ("2", "3", "4", "5", "6", "7", "8")[:players]]
        assert perft(of_pitch(hands), players)[players - 1] == auctions


def of_setback(hands: Hands, dealer: int, options: dict[str, Any]) -> State:
    rules, players = with_hand_size(compose_rules("setback", options)[0], len(hands[0].split())), len(hands)
    opening = game_opened(players, variant="setback", rules=rules)
    return given(opening, *dealer_drawn(dealer), *deal(hands, dealer=dealer)).state


THREE = ("AH 2C", "KH 3C", "QD JH")
FOUR = (*THREE, "AS 2H")
RAISES, ANY = {"dealer": "ties_or_raises"}, {"stick": "any"}
OF_SETBACK: list[tuple[str, Hands, int, dict[str, Any], list[int]]] = [
    ("T1 two each", THREE, 2, {}, [4, 10, 19, 38, 54, 77, 77, 77, 77, 0]),
    ("T5 another deals", THREE, 0, {}, [4, 10, 19, 38, 47, 69, 69, 69, 69, 0]),
    ("T20 one suit", ("AH KH", "2H 3H", "4H 5H"), 2, {}, [4, 10, 19, 38, 76, 152, 152, 152, 152, 0]),
    ("R-T2 the other answer", THREE, 2, RAISES, [4, 10, 26, 52, 75, 112, 112, 112, 112, 0]),
    ("R-T3 the other answer", THREE, 2, ANY, [4, 10, 21, 42, 60, 87, 87, 87, 87, 0]),
    ("R-T2 R-T3 both", THREE, 2, RAISES | ANY, [4, 10, 28, 56, 81, 122, 122, 122, 122, 0]),
    ("R-T3 of four", FOUR, 1, ANY, [4, 10, 20, 41, 82, 113, 185, 241, 241, 241, 241, 241, 0]),
    ("T29 low", FOUR, 3, {"low": 2}, [4, 10, 20, 39, 78, 114, 189, 315, 315, 315, 315, 315, 0]),
    (
        "T1 four players, three each",
        ("AH 2C 9S", "KH 3C 8S", "QD JH 7S", "AS 2H 4C"),
        3,
        {},
        [4, 10, 20, 39, 117, 149, 215, 435, 870, 1050, 1329, 1746, 1746, 1746, 1746, 1746, 0],
    ),
]


@pytest.mark.lengthy
@pytest.mark.parametrize(
    ("hands", "dealer", "options", "counts"), [pytest.param(*case, id=name) for name, *case in OF_SETBACK]
)
def test_the_number_of_legal_sequences_of_setback(
    hands: Hands, dealer: int, options: dict[str, Any], counts: list[int]
) -> None:
    assert perft(of_setback(hands, dealer, options)) == counts


def test_T5_T10_R_T2_R_T3_the_number_of_auctions_of_setback() -> None:
    """The n others pass or raise to one of three bids in C(n + 3, 3) ways; then the dealer has two answers, or one."""
    for players, options, auctions in (
        *((3, {}, 19), (4, {}, 39), (3, ANY, 21), (4, ANY, 41), (3, RAISES, 26), (4, RAISES, 51)),
    ):
        state = of_setback(("2C", "3C", "4C", "5C")[:players], players - 1, options)
        assert perft(state, players)[players - 1] == auctions, (players, options)


ONE = ("AH", "2S", "KH", "3D")
TWO = ("2H 3H", "4H 4C", "5H 5D", "6H 6D")
MIXED = ("AH 2S", "KH 3S", "QC 4D", "JC 5D")
TRUMPS = ("2S 3S", "4S 5S", "6S 7S", "8S 9S")
LONGER = ("AH 2S 3C", "KH 3S 4C", "QC 4D 5H", "JC 5D 6S")
OF_BLACKOUT: list[tuple[str, Hands, bool, tuple[int, ...], list[int]]] = [
    ("B19 R-B9 hand 1", ONE, True, (), [2, 4, 8, 12, 0]),
    ("B4 B19 hand 1", ONE, False, (), [2, 4, 8, 16, 0]),
    ("B20 hand 2", TWO, True, (), [3, 9, 27, 71, 142, 213, 355, 710, 710, 710, 710, 710, 0]),
    ("B4 hand 2", TWO, False, (), [3, 9, 27, 81, 162, 243, 405, 810, 810, 810, 810, 810, 0]),
    ("B21 mixed", MIXED, True, (), [3, 9, 27, 71, 142, 284, 568, 568, 568, 568, 568, 568, 0]),
    ("B20 trumps alone", TRUMPS, True, (), [3, 9, 27, 71, 142, 284, 568, 1136, 1136, 1136, 1136, 1136, 0]),
    ("B14 B23 hand 3", LONGER, True, (1, 1), [4, 14, 42, 70, 98, 182, 364, 448, 602, 784, 784, 784, 784, 784, 0]),
    ("B4 B23 hand 3", LONGER, False, (1, 1), [4, 16, 48, 80, 112, 208, 416, 512, 688, 896, 896, 896, 896, 896, 0]),
]


@pytest.mark.lengthy
@pytest.mark.parametrize(
    ("hands", "hook", "bids", "counts"), [pytest.param(*case, id=name) for name, *case in OF_BLACKOUT]
)
def test_the_number_of_legal_sequences_of_blackout(
    hands: Hands, hook: bool, bids: tuple[int, ...], counts: list[int]
) -> None:
    assert perft(bidding(len(hands[0].split()), hands, *bids, hook=hook).state) == counts


def test_B4_B14_R_B5_the_number_of_auctions_of_blackout() -> None:
    """There are (n + 1)^4 ways to bid, less the C(n + 3, 3) ways in which four bids add up to n."""
    for number, hands, hooked in ((1, ONE, 4), (2, TWO, 10), (3, LONGER, 20)):
        for hook in (True, False):
            auctions = (number + 1) ** 4 - (hooked if hook else 0)
            assert perft(bidding(number, hands, hook=hook).state, 4)[3] == auctions
