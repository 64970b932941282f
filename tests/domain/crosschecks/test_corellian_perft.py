"""Perft of Corellian Pitch: the number of legal sequences in small hands and their scores, counted twice.

By the decider, and by the second reading of the rules in tests/rulebooks/corellian_position.py; the numbers stand here
besides. A count goes by depth, from the naming of trump on; the sum is what the bidder scores in all hands together.
"""

from collections import Counter
from typing import Any, NamedTuple

import pytest

from domain.cards import DECK_54
from domain.commands import CallPartner, Command
from domain.decide import decide
from domain.engine.legal_moves import can_call_partner, legal_moves
from domain.events import HandScored
from domain.rules.choices import Phase
from domain.state import State
from tests.games.corellian_hands import EVERY, make_bids, rules_of, table, without_discards
from tests.games.hands import facts_of_kind
from tests.games.tables import folded
from tests.rulebooks.corellian import Setting
from tests.rulebooks.corellian_end import judge_hand
from tests.rulebooks.corellian_position import Position
from tests.step_limit import check_steps

HANDS = ("2D AH 9C", "X1 2H KH", "JD 3H 10D", "AD X2 3D")
BIDS = (4, 0, 0, 0)


class Count(NamedTuple):
    """Sequences by depth, and the sum of the bidder's scores."""

    sequences: list[int]
    score: int


def moves(state: State) -> tuple[Command, ...]:
    """Return every move of the seat whose turn it is, including calls."""
    (seat,) = state.turn
    listed = legal_moves(state, seat)
    return listed or (tuple(CallPartner(seat, card) for card in DECK_54) if can_call_partner(state, seat) else ())


def by_domain(state: State) -> Count:
    """Count all continuations from here by the decider."""
    depths, score = Counter[int](), 0
    ways = [(state, 1)]
    while ways:
        before, depth = ways.pop()
        check_steps(depth, 100)
        for move in moves(before):
            facts = decide(before, move)
            depths[depth] += 1
            ways += [] if (over := [*facts_of_kind(HandScored, facts)]) else [(folded(before, facts), depth + 1)]
            score += sum(each.changes[0] for each in over)
    return Count([depths[depth] for depth in sorted(depths)], score)


def by_the_book(position: Position) -> Count:
    """Count the same by the second reading."""
    depths, score = Counter[int](), 0
    ways = [(position, 1)]
    while ways:
        before, depth = ways.pop()
        check_steps(depth, 100)
        for after in before.following():
            depths[depth] += 1
            over = after.trump is not None and after.turn() is None and (after.partners != "call" or after.called)
            ways += [] if over else [(after, depth + 1)]
            score += bidders_score(after) if over else 0
    return Count([depths[depth] for depth in sorted(depths)], score)


def bidders_score(position: Position) -> int:
    trump, bid = position.trump, max(position.said)
    assert trump is not None
    side = position.bidder, position.partner
    everything = bid == position.setting.total
    return judge_hand(position.tricks, trump, position.setting, side, (bid, everything), [0] * 4).changes[
        position.bidder
    ]


def counted(points: str, hands: tuple[str, ...] = HANDS, partners: str = "across", **setting: Any) -> Count:
    """Return the count, after checking that both readings agree."""
    rules = without_discards(rules_of(points, partners=partners, **setting))
    state = make_bids(table(hands, rules, stock=""), *BIDS).state
    position = Position(tuple(tuple(own.split()) for own in hands), Setting(points, **setting), partners, 0, BIDS)
    one, two = by_domain(state), by_the_book(position)
    assert one == two
    return one


COUNTS: dict[str, list[tuple[list[int], int, int]]] = {
    "4": [([4, 4, 6, 6, 9, 14, 18, 12], -160, -160), ([4, 4, 6, 6, 9, 12, 18, 12], -160, -100)],
    "5": [([4, 4, 6, 9, 12, 20, 24, 24], -104, -48), ([4, 4, 6, 9, 12, 16, 24, 24], -104, -64)],
    "6": [([4, 4, 6, 9, 12, 20, 24, 24], -16, -9), ([4, 4, 6, 9, 12, 16, 24, 24], -48, -19)],
    "7": [([4, 4, 6, 9, 12, 20, 24, 24], -47, -12), ([4, 4, 6, 9, 12, 16, 24, 24], -28, 1)],
    "8": [([4, 4, 6, 9, 12, 20, 24, 24], 21, 24), ([4, 4, 6, 9, 12, 16, 24, 24], 0, -6)],
    "9": [([4, 4, 6, 6, 9, 14, 18, 12], -80, -80), ([4, 4, 6, 6, 9, 12, 18, 12], -80, -40)],
    "10": [([4, 4, 6, 9, 12, 20, 24, 24], 54, 73), ([4, 4, 6, 9, 12, 16, 24, 24], 56, 67)],
    "11": [([4, 5, 7, 11, 24, 40, 44, 48, 48], 160, 166), ([4, 5, 7, 11, 24, 32, 37, 48, 48], 155, 137)],
    "11b": [([4, 5, 10, 17, 24, 32, 44, 48, 48], 140, 132), ([4, 5, 10, 17, 24, 29, 34, 48, 48], 151, 186)],
    "13": [([4, 4, 6, 10, 21, 42, 60, 60, 60], 205, 219), ([4, 4, 6, 10, 21, 35, 56, 60, 60], 318, 360)],
    "14": [
        ([4, 5, 10, 19, 42, 62, 88, 115, 120, 120], 508, 495),
        ([4, 5, 10, 19, 42, 51, 77, 116, 120, 120], 719, 786),
    ],
    "16": [
        ([4, 6, 12, 31, 90, 137, 210, 346, 576, 576, 576, 432], 4046, 3840),
        ([4, 6, 12, 31, 90, 133, 232, 398, 576, 576, 576, 432], 3760, 3700),
    ],
}
"""By version, upright and reversed: sequences by depth, and the scores without dirty and with it."""


@pytest.mark.lengthy
@pytest.mark.parametrize(
    "points", [pytest.param(points, id=f"R-C9 R-C10 R-C53 C25 version {points}") for points in EVERY]
)
def test_the_number_and_scores_of_legal_hands(points: str) -> None:
    for reverse, (sequences, clean, dirty) in enumerate(COUNTS[points]):
        assert counted(points, reverse=bool(reverse)) == Count(sequences, clean)
        assert counted(points, reverse=bool(reverse), dirty=True) == Count(sequences, dirty)


CALLED = ("2C AH", "JD", "KH 2H", "X1")
PLAIN = ("AH 2D", "X1 2C", "JD 3H", "KD 4C")
JOKERS = ("X1 3H", "X2 QH", "JH JD", "KH")
TENS = ("9H 4H", "X1 3H", "X2 10D", "10H")
FOUR, TEN = [4, 5, 8, 10, 19, 19, 19, 19, 19], [4, 5, 8, 11, 21, 21, 21, 21, 21]


@pytest.mark.parametrize(
    ("points", "hands", "setting", "count"),
    [
        pytest.param(
            "10", CALLED, {"partners": "call"}, Count([4, 216, 216, 162, 106, 106, 106], -1056), id="R-C28 R-C29 called"
        ),
        pytest.param(
            "11",
            ("2C AH", "JD", "KH 2H", "AD"),
            {"partners": "call", "reverse": True},
            Count([4, 216, 162, 108, 160, 106, 106], -1072),
            id="R-C28 R-C29 called, in reverse",
        ),
        pytest.param("10", CALLED, {"partners": "left"}, Count([4, 4, 3, 2, 2, 2], -20), id="R-C27 left"),
        pytest.param("10", CALLED, {"partners": "right"}, Count([4, 4, 3, 2, 2, 2], -20), id="R-C27 right"),
        pytest.param("4", PLAIN, {"follow": "suit_or_trump"}, Count(FOUR, -152), id="R-C9 suit or trump"),
        pytest.param("10", PLAIN, {"follow": "suit_or_trump"}, Count(TEN, -44), id="R-C9 suit or trump, ten points"),
        pytest.param(
            "10", PLAIN, {"follow": "suit_or_trump", "reverse": True}, Count(TEN, -48), id="R-C9 R-C16 reverse"
        ),
        pytest.param(
            "10",
            JOKERS,
            {"reverse": True, "jokers": "first_high"},
            Count([4, 5, 7, 10, 10, 8, 8, 8], 56),
            id="R-C15 the first joker is the higher",
        ),
        pytest.param(
            "10",
            JOKERS,
            {"reverse": True, "jokers": "first_low"},
            Count([4, 5, 7, 10, 10, 8, 8, 8], 28),
            id="R-C15 the other answer: the first joker is the lower",
        ),
        pytest.param("16", TENS, {"ten": "card"}, Count([4, 6, 10, 12, 12, 12, 8, 8], 30), id="R-C1 the ten"),
        pytest.param("16", TENS, {"ten": "game"}, Count([4, 6, 10, 12, 12, 12, 8, 8], 20), id="R-C1 game"),
    ],
)
def test_the_number_and_scores_of_legal_hands_under_each_option(
    points: str, hands: tuple[str, ...], setting: dict[str, Any], count: Count
) -> None:
    assert counted(points, hands, **setting) == count


def test_R_C5_R_C6_R_C7_the_number_of_auctions() -> None:
    """There is one auction for each way to assign k rising bids to seats: C(4 + k, 4)."""
    auctions = (35, 70, 70, 126, 126, 210, 330, 495, 495, 1001, 1365, 2380)
    for points, number in zip(EVERY, auctions, strict=True):
        states = [table(rules=rules_of(points)).state]
        for _ in range(4):
            states = [folded(state, decide(state, move)) for state in states for move in moves(state)]
        assert len(states) == number, points
        assert {state.phase for state in states} == {Phase.NAMING}
