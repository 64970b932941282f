"""Setback perft: the number of legal sequences of bids and cards in small deals, counted twice (T5-T23, R-T2, R-T3).

The decider and the second reading of the rules in tests/rulebooks/setback.py must both find the numbers written here.
Depth counts bids and cards, so depth 3 of three players counts auctions.
"""

from typing import Any

import pytest

from domain.decide import decide
from domain.engine.legal_moves import legal_moves
from domain.rules.variants import compose_rules
from domain.state import State
from tests.games.hands import with_hand_size
from tests.games.setback_hands import dealer_drawn
from tests.games.tables import folded
from tests.given import deal, game_opened, given
from tests.rulebooks import setback as rulebook
from tests.rulebooks.perft import hands as read
from tests.rulebooks.perft import perft as counted
from tests.step_limit import check_steps

THREE = ("AH 2C", "KH 3C", "QD JH")
THREE_OF_THREE = ("AH 2C JD", "KH 3C 10D", "QD JH 4C")
ONE_SUIT = ("AH KH", "2H 3H", "4H 5H")
THREE_OF_FOUR = ("AH 2H 10C KD", "JH 3C QC 9D", "3H 4C KC AD")
FOUR = ("AH 2C", "KH 3C", "QD JH", "AS 2H")
FOUR_OF_THREE = ("AH 2C 9S", "KH 3C 8S", "QD JH 7S", "AS 2H 4C")


def dealt(hands: tuple[str, ...], dealer: int, options: dict[str, Any]) -> State:
    """Return the first hand, dealt these cards."""
    rules, players = with_hand_size(compose_rules("setback", options)[0], len(hands[0].split())), len(hands)
    opening = game_opened(players, variant="setback", rules=rules)
    return given(opening, *dealer_drawn(dealer), *deal(hands, dealer=dealer)).state


def perft(state: State) -> list[int]:
    """Return how many sequences of one, two ... moves the decider accepts from here to the end of the hand."""
    counts, level = list[int](), [state]
    while level:
        check_steps(len(counts), 100)
        level = [folded(each, decide(each, move)) for each in level for move in legal_moves(each, *each.turn)]
        counts.append(len(level))
        level = [each for each in level if each.turn]
    return [*counts, 0]


@pytest.mark.parametrize(
    ("hands", "dealer", "options", "counts"),
    [
        pytest.param(THREE, 2, {}, [4, 10, 19, 38, 54, 77, 77, 77, 77, 0], id="T1 three players, two each"),
        pytest.param(THREE, 0, {}, [4, 10, 19, 38, 47, 69, 69, 69, 69, 0], id="T5 three players, another deals"),
        pytest.param(
            THREE_OF_THREE,
            2,
            {},
            [4, 10, 19, 57, 57, 57, 114, 114, 114, 114, 114, 114, 0],
            id="T1 three players, three each",
        ),
        pytest.param(
            THREE_OF_FOUR,
            2,
            {},
            [4, 10, 19, 76, 101, 133, 399, 722, 1311, 2622, 4104, 5852, 5852, 5852, 5852, 0],
            id="T1 three players, four each",
        ),
        pytest.param(ONE_SUIT, 2, {}, [4, 10, 19, 38, 76, 152, 152, 152, 152, 0], id="T20 all of one suit"),
        pytest.param(
            THREE,
            2,
            {"dealer": "ties_or_raises"},
            [4, 10, 26, 52, 75, 112, 112, 112, 112, 0],
            id="R-T2 the other answer",
        ),
        pytest.param(THREE, 2, {"stick": "any"}, [4, 10, 21, 42, 60, 87, 87, 87, 87, 0], id="R-T3 the other answer"),
        pytest.param(
            THREE,
            2,
            {"dealer": "ties_or_raises", "stick": "any"},
            [4, 10, 28, 56, 81, 122, 122, 122, 122, 0],
            id="R-T2 R-T3 both",
        ),
        pytest.param(
            FOUR, 3, {}, [4, 10, 20, 39, 78, 114, 189, 315, 315, 315, 315, 315, 0], id="T1 four players, two each"
        ),
        pytest.param(
            FOUR_OF_THREE,
            3,
            {},
            [4, 10, 20, 39, 117, 149, 215, 435, 870, 1050, 1329, 1746, 1746, 1746, 1746, 1746, 0],
            id="T1 four players, three each",
        ),
        pytest.param(
            FOUR,
            1,
            {"stick": "any"},
            [4, 10, 20, 41, 82, 113, 185, 241, 241, 241, 241, 241, 0],
            id="R-T3 four players, another deals",
        ),
        pytest.param(
            FOUR,
            3,
            {"low": 2},
            [4, 10, 20, 39, 78, 114, 189, 315, 315, 315, 315, 315, 0],
            id="T29 low changes nothing here",
        ),
    ],
)
def test_the_number_of_legal_sequences(
    hands: tuple[str, ...], dealer: int, options: dict[str, Any], counts: list[int]
) -> None:
    said = {name: value for name, value in options.items() if name != "low"}
    position = rulebook.Position(read(*hands), (dealer + 1) % len(hands), **said)
    assert [counted(position, deep) for deep in range(1, len(counts) + 1)] == counts
    assert perft(dealt(hands, dealer, options)) == counts


@pytest.mark.parametrize(
    ("players", "options", "auctions"),
    [
        pytest.param(3, {}, 19, id="T5-T10 three players"),
        pytest.param(4, {}, 39, id="T5-T10 four players"),
        pytest.param(3, {"stick": "any"}, 21, id="R-T3 three players"),
        pytest.param(4, {"stick": "any"}, 41, id="R-T3 four players"),
        pytest.param(3, {"dealer": "ties_or_raises"}, 26, id="R-T2 three players"),
        pytest.param(4, {"dealer": "ties_or_raises"}, 51, id="R-T2 four players"),
    ],
)
def test_the_number_of_auctions(players: int, options: dict[str, Any], auctions: int) -> None:
    """The n others pass or raise to one of three bids in C(n + 3, 3) ways; then the dealer has two answers, or one."""
    state = dealt(("2C", "3C", "4C", "5C")[:players], players - 1, options)
    assert perft(state)[players - 1] == auctions
