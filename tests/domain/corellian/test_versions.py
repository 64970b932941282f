"""Corellian Pitch, versions and ranks (C25, C27, C34 to C36, R-C1, R-C11 to R-C17, R-C52, R-C57, R-C59)."""

from itertools import pairwise
from typing import Any

import pytest

from domain.cards import DECK_54, Card, Suit
from domain.engine.tricks import is_trump, taker, trumps
from domain.events import Play, TrickTaken
from tests.games.corellian_hands import last_card, playing, rules_of, score_hand
from tests.games.hands import only_fact

MIDDLE = "9H 8H 7H 6H 5H 4H"
ORDER = {
    "4": f"AH KH QH JH X1 X2 10H {MIDDLE} 3H 2H",
    "5": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "6": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "7": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "8": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "9": f"AH KH QH JH X1 X2 10H {MIDDLE} 3H 2H",
    "10": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "11": f"AH AD KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "11b": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H 2D",
    "13": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 3D 2H",
    "14": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 3D 2H 2D",
    "16": f"AH AD KH QH JH JD X1 X2 10H 10D {MIDDLE} 3H 3D 2H 2D",
}
"""Trumps of hearts from the highest, X1 on the table before X2."""
UPWARD = "4H 5H 6H 7H 8H 9H"
TURNED = {
    "4": f"2H 3H {UPWARD} 10H X1 X2 JH QH KH AH",
    "10": f"2H 3H {UPWARD} 10H X1 X2 JH JD QH KH AH",
    "11": f"2H 3H {UPWARD} 10H X1 X2 JH JD QH KH AH AD",
    "11b": f"2H 2D 3H {UPWARD} 10H X1 X2 JH JD QH KH AH",
    "13": f"2H 3H 3D {UPWARD} 10H X1 X2 JH JD QH KH AH",
    "14": f"2H 2D 3H 3D {UPWARD} 10H X1 X2 JH JD QH KH AH",
    "16": f"2H 2D 3H 3D {UPWARD} 10H 10D X1 X2 JH JD QH KH AH AD",
    "9": f"2H 3H {UPWARD} 10H X1 X2 JH QH KH AH",
} | dict.fromkeys(("5", "6", "7", "8"), f"2H 3H {UPWARD} 10H X1 X2 JH JD QH KH AH")
"""The order under reverse: each off card stays below its on card, and the first joker above the second."""


def ranked(points: str, *, suit: Suit = "H", first: str = "X1", **setting: Any) -> str:
    """Return every trump from the highest, after checking that each beats the next from either seat."""
    rules = rules_of(points, **setting)
    order = trumps(rules, suit, Card(first))[::-1]
    for high, low in pairwise(order):
        for each in ((high, low), (low, high)):
            plays = [Play(seat, card) for seat, card in enumerate(each)]
            assert each[taker(rules, plays, suit, Card(first))] == high
    assert {card for card in DECK_54 if is_trump(rules, suit, card)} == set(order)
    return " ".join(order)


@pytest.mark.parametrize(
    "points", [pytest.param(points, id=f"C25 C27 C35 C36 R-C11 R-C12 R-C15 R-C52 {points}") for points in ORDER]
)
def test_the_order_of_trumps(points: str) -> None:
    assert ranked(points) == ORDER[points]
    assert ranked(points, reverse=True) == TURNED[points]


@pytest.mark.parametrize(
    ("suit", "off"), [pytest.param(suit, off, id=f"R-C11 off of {suit}") for suit, off in ("CS", "SC", "DH", "HD")]
)
def test_the_off_suit_is_the_other_of_the_same_colour(suit: Suit, off: str) -> None:
    swapped = ORDER["16"].replace("D", "?").replace("H", suit).replace("?", off)
    assert ranked("16", suit=suit) == swapped


def test_C34_C36_R_C52_jokers_that_are_not_points_keep_their_rank() -> None:
    tricks = ("0: 10H X2 9H X1",)
    for points in ("4", "5", "8", "9"):
        at = playing((4, 0, 0, 0), tricks, points=points)
        assert "joker" not in [point.name for point in at.state.rules.points]
        assert only_fact(TrickTaken, at.when(last_card(tricks)).facts).seat == 1


@pytest.mark.parametrize(
    ("reverse", "tricks"),
    [
        pytest.param(False, ("0: 9H X2 8H 10H", "1: X1"), id="R-C13 R-C57 upright"),
        pytest.param(True, ("0: KH X2 AH QH", "1: X1"), id="R-C13 R-C15 R-C57 reverse"),
    ],
)
def test_the_first_joker_is_the_higher_for_the_whole_hand(reverse: bool, tricks: tuple[str, ...]) -> None:
    """In different tricks they only matter for the highest trump: X1, played later, is lower than X2."""
    pegs = score_hand((2, 0, 0, 0), *tricks, points="4", reverse=reverse, dirty=True).pegs
    assert [peg.card for peg in pegs if peg.point == "high"] == ["X2"]


SCORES = {
    "4": "high 1, low 1, jack 1, game 1",
    "5": "high 1, low 1, jack 1, game 1, off_jack 1",
    "6": "high 1, low 1, jack 1, game 1, off_jack 1, joker 1",
    "7": "jack 1, off_jack 1, joker 1, joker 1, ten 1, two 1, ace 1",
    "8": "jack 1, off_jack 1, ten 1, three 3, two 1, ace 1",
    "9": "high 1, low 1, jack 1, game 1, five 5",
    "10": "jack 1, off_jack 1, joker 1, joker 1, ten 1, three 3, two 1, ace 1",
    "11": "jack 1, off_jack 1, joker 1, joker 1, ten 1, three 3, two 1, ace 1, off_ace 1",
    "11b": "jack 1, off_jack 1, joker 1, joker 1, ten 1, three 3, two 1, ace 1, off_two 1",
    "13": "jack 1, off_jack 1, joker 1, joker 1, ten 1, three 3, two 1, ace 1, off_three 3",
    "14": "jack 1, off_jack 1, joker 1, joker 1, ten 1, three 3, two 1, ace 1, off_two 1, off_three 3",
    "16": "jack 1, off_jack 1, joker 1, joker 1, ten 1, three 3, two 1, ace 1, off_ace 1, off_two 1, off_three 3"
    ", off_ten 1",
}
"""The points that each version scores, in the order of pegs."""
FELL = "AH 2H 3H 4H KH JH 10H 5H QH JD X1 X2 9H AD 2D 3D 8H 10D 6H 7H"
"""Every possible trump."""


def swept(points: str, *, reverse: bool) -> tuple[str, ...]:
    """Return tricks with all trumps of that version; seat 0 always leads the highest."""
    ranking = (TURNED if reverse else ORDER)[points].split()
    top = ranking[: -(-len(ranking) // 4)]
    rest = [card for card in FELL.split() if card in ranking and card not in top]
    return tuple(f"0: {' '.join([card, *rest[3 * at : 3 * at + 3]])}" for at, card in enumerate(top))


@pytest.mark.parametrize("points", [pytest.param(points, id=f"R-C1 R-C17 version {points}") for points in SCORES])
@pytest.mark.parametrize("reverse", [pytest.param(False, id="upright"), pytest.param(True, id="R-C17 reverse")])
def test_the_points_that_each_version_scores(points: str, reverse: bool) -> None:
    score = score_hand((4, 0, 0, 0), *swept(points, reverse=reverse), points=points, reverse=reverse, dirty=True)
    assert ", ".join(f"{peg.point} {peg.worth}" for peg in score.pegs) == SCORES[points]
    total = int(points.rstrip("b"))
    assert ({peg.seat for peg in score.pegs}, score.changes) == ({0}, (total, 0, total, 0))


@pytest.mark.parametrize(
    ("points", "pegs"),
    [
        pytest.param("10", SCORES["10"].replace("ten 1, ", "").replace("off", "game 1, off", 1), id="R-C1 10"),
        pytest.param("16", SCORES["16"].replace("ten 1, ", "", 1).replace("off", "game 1, off", 1), id="R-C1 16"),
        pytest.param("7", SCORES["7"], id="R-C1 seven points have their ten in any case"),
        pytest.param("8", SCORES["8"], id="R-C1 so have eight"),
    ],
)
def test_the_other_answer_game_for_the_ten(points: str, pegs: str) -> None:
    score = score_hand((4, 0, 0, 0), *swept(points, reverse=False), points=points, ten="game", dirty=True)
    assert ", ".join(f"{peg.point} {peg.worth}" for peg in score.pegs) == pegs
