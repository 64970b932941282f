"""Corellian Pitch, the score of a hand (C18 to C26, C33, R-C17 to R-C20, R-C32 to R-C38, R-C50, R-C56 to R-C59).

A peg in words is "point seat card", in brackets where it gives no point. Hearts are trumps, and seat 0 is the bidder.
"""

from typing import Any

import pytest

from domain.events import HandScored
from tests.games.corellian_hands import last_card, playing, score_hand
from tests.games.hands import commit, only_fact, pegs_text

# Seat 0 wins ace, joker and three, seat 2 ten and jack, seat 1 off-jack and joker; seat 3 keeps its two.
TEN = ("0: AH X1 3H 2H", "0: 8H 10H KH 9H", "2: QH 7H JH 4H", "2: 5H X2 6H JD")
WON = "jack 2 JH, off_jack 1 JD, joker 0 X1, joker 1 X2, ten 2 10H, three 0 3H, two 3 2H, ace 0 AH"
Changes = tuple[int, ...]


def bid(number: int) -> tuple[int, ...]:
    return number, 0, 0, 0


@pytest.mark.parametrize(
    ("number", "made", "changes"),
    [
        pytest.param(4, True, (7, 3, 7, 3), id="C21 R-C34 more than the bid: both add all the side won"),
        pytest.param(7, True, (7, 3, 7, 3), id="C21 R-C34 exactly the bid"),
        pytest.param(8, False, (-8, 3, -8, 3), id="C22 R-C35 one short: both lose the bid"),
        pytest.param(9, False, (-9, 3, -9, 3), id="C33 R-C37 nine of ten are not doubled"),
        pytest.param(10, False, (-20, 3, -20, 3), id="C33 R-C37 all the points: both lose it twice"),
    ],
)
def test_a_bid_is_made_or_set(number: int, made: bool, changes: Changes) -> None:
    score = score_hand(bid(number), *TEN)
    assert (score.made, score.changes, score.bids) == (made, changes, (number, None, None, None))
    assert pegs_text(score.pegs).replace("(", "").replace(")", "") == WON
    assert [peg.credited for peg in score.pegs] == [made or peg.seat in (1, 3) for peg in score.pegs]


def test_C18_C20_no_points_are_credited_before_the_end_of_the_hand() -> None:
    before = playing(bid(4), TEN, scores=(1, 2, 3, 4))
    assert before.state.scores == (1, 2, 3, 4)
    assert before.state.hand is not None
    assert (before.state.hand.tricks, before.state.hand.over) == ((1, 0, 2, 0), False)
    score = only_fact(HandScored, commit(before, last_card(TEN)))
    assert (score.scores, score.tricks, score.counts) == ((8, 5, 10, 7), (1, 1, 2, 0), (4, 1, 16, 0))


@pytest.mark.parametrize(
    ("number", "options", "changes"),
    [
        pytest.param(4, {"credit": "own"}, (5, 3, 2, 3), id="R-C34 the other answer: each its own points"),
        pytest.param(4, {"credit": "half"}, (4, 3, 3, 3), id="R-C34 half each, the odd one to the bidder"),
        pytest.param(8, {"credit": "own"}, (-8, 3, -8, 3), id="R-C34 R-C35 set they both lose the bid all the same"),
        pytest.param(4, {"defenders": "own"}, (7, 2, 7, 1), id="R-C36 the other answer: each its own points"),
        pytest.param(4, {"defenders": "none"}, (7, 0, 7, 0), id="R-C36 the other answer: no points"),
        pytest.param(4, {"worth": "when_taken"}, (7, 3, 7, 3), id="R-C20 without a change it is the same"),
        pytest.param(10, {"double": "at_end"}, (-20, 3, -20, 3), id="R-C37 without a change it is the same"),
    ],
)
def test_the_score_under_each_option(number: int, options: dict[str, Any], changes: Changes) -> None:
    assert score_hand(bid(number), *TEN, **options).changes == changes


@pytest.mark.parametrize(
    ("partners", "call", "changes"),
    [
        pytest.param("across", None, (7, 3, 7, 3), id="C1 R-C33 across"),
        pytest.param("left", None, (7, 7, 3, 3), id="C12 R-C27 to the left"),
        pytest.param("call", "3H", (7, 3, 7, 3), id="R-C28 R-C33 the holder of the three"),
        pytest.param("call", "JH", (5, 5, 5, 5), id="C14 R-C32 alone: the bidder holds it"),
        pytest.param("call", "AS", (5, 5, 5, 5), id="C14 R-C30 R-C32 alone: no seat holds it"),
    ],
)
def test_each_side_pools_its_points(partners: str, call: str | None, changes: Changes) -> None:
    assert score_hand(bid(4), *TEN, partners=partners, call=call).changes == changes


@pytest.mark.parametrize(
    ("number", "changes"),
    [
        pytest.param(5, (5, 5, 5, 5), id="R-C32 R-C34 made"),
        pytest.param(6, (-6, 5, 5, 5), id="R-C35 set: the lone bidder loses it once"),
        pytest.param(10, (-20, 5, 5, 5), id="R-C35 R-C37 doubled, and only the bidder loses it"),
    ],
)
@pytest.mark.parametrize("credit", ["full", "own", "half"])
def test_a_lone_bidder_scores_alone(number: int, changes: Changes, credit: str) -> None:
    assert score_hand(bid(number), *TEN, partners="call", call="AH", credit=credit).changes == changes


def test_R_C38_scores_may_be_negative() -> None:
    assert score_hand(bid(10), *TEN, scores=(-30, -4, 5, -1)).scores == (-50, -1, -15, 2)


def test_C33_a_successful_bid_for_all_points_scores_them_once() -> None:
    tricks = ("0: AH 2H 3H 10H", "0: KH JH JD X1", "0: QH X2")
    assert score_hand(bid(10), *tricks, dirty=True).changes == (10, 0, 10, 0)


@pytest.mark.parametrize(
    ("trick", "setting", "pegs"),
    [
        pytest.param("AH 2H 4H 5H", {}, "two 1 2H, ace 0 AH", id="C23 R-C18 the two belongs to its player"),
        pytest.param("AH 2H 4H 5H", {"dirty": True}, "two 0 2H, ace 0 AH", id="C23 R-C18 dirty: carried"),
        pytest.param("AH 2D 4H 5H", {"points": "11b"}, "ace 0 AH, off_two 1 2D", id="C24 the off-two too"),
        pytest.param("3H AH 4H 2H", {"reverse": True}, "three 3 3H, two 3 2H, ace 1 AH", id="C26 R-C17 the ace kept"),
        pytest.param(
            "3H AH 4H 2H", {"reverse": True, "dirty": True}, "three 3 3H, two 3 2H, ace 3 AH", id="C26 dirty: carried"
        ),
        pytest.param(
            "2H 10H 10D 3D",
            {"points": "16", "dirty": True},
            "ten 1 10H, two 1 2H, off_three 1 3D, off_ten 1 10D",
            id="R-C1 other off cards go to the taker",
        ),
        pytest.param("9H X2 X1 4H", {}, "joker 1 X1, joker 1 X2", id="R-C1 X1 is pegged before X2"),
    ],
)
def test_the_winner_of_a_card_that_scores(trick: str, setting: dict[str, Any], pegs: str) -> None:
    words = pegs_text(score_hand(bid(4), f"0: {trick}", **setting).pegs)
    assert words.replace("(", "").replace(")", "") == pegs


@pytest.mark.parametrize(
    ("tricks", "setting", "pegs"),
    [
        pytest.param(
            ("0: AH 3H JH 2H",), {}, "high 0 AH, low 3 2H, jack 0 JH, game 0", id="R-C18 low belongs to its player"
        ),
        pytest.param(("0: AH 3H JH 2H",), {"dirty": True}, "high 0 AH, low 0 2H, jack 0 JH, game 0", id="R-C18 dirty"),
        pytest.param(("0: KH 3H 4H 5H",), {}, "high 0 KH, low 1 3H, game 0", id="R-C56 R-C57 the lowest played"),
        pytest.param(("0: KH 3H 4H 5H",), {"dirty": True}, "high 0 KH, low 0 3H, game 0", id="R-C56 dirty: its taker"),
        pytest.param(("0: AH 10H KH QH",), {}, "high 0 AH, low 1 10H, game 0", id="R-C56 it counts for the taker"),
        pytest.param(("0: 2H 3H 4H AH",), {"reverse": True}, "high 0 2H, low 3 AH, game 1", id="R-C17 reverse"),
        pytest.param(("0: 9H",), {}, "high 0 9H, low 0 9H", id="R-C57 one trump is high and low"),
    ],
)
def test_the_winners_of_high_low_jack_and_game(tricks: tuple[str, ...], setting: dict[str, Any], pegs: str) -> None:
    words = pegs_text(score_hand(bid(2), *tricks, points="4", **setting).pegs)
    assert words.replace("(", "").replace(")", "") == pegs


@pytest.mark.parametrize(
    ("tricks", "setting", "counts", "game"),
    [
        pytest.param(("0: AH 3H 4H 5H", "0: 9H KH 6H JH"), {}, (4, 4, 0, 0), None, id="R-C58 no side wins a tie"),
        pytest.param(("0: AH 3H 4H 5H", "0: 9H QH 6H JH"), {}, (4, 3, 0, 0), 0, id="R-C58 the bidder's side"),
        pytest.param(("0: 9H KH 5H JH", "1: 3H 10H"), {}, (0, 4, 10, 0), 0, id="R-C58 pegged to the bidder"),
        pytest.param(("0: 9H 3H 5H KH", "3: 4H JH"), {}, (1, 0, 0, 3), 1, id="R-C58 pegged to the lowest defender"),
    ],
)
def test_a_side_wins_game_by_its_pooled_count(
    tricks: tuple[str, ...], setting: dict[str, Any], counts: Changes, game: int | None
) -> None:
    score = score_hand(bid(2), *tricks, points="4", **setting)
    assert score.counts == counts
    pegs = [(peg.seat, peg.card) for peg in score.pegs if peg.point == "game"]
    assert pegs == ([] if game is None else [(game, None)])


def test_R_C58_game_is_pegged_to_the_bidder_even_if_the_partner_has_a_lower_seat() -> None:
    score = score_hand((0, 0, 2, 0), "2: 9H 3H AH 4H", points="4")
    assert pegs_text(score.pegs) == "high 0 AH, low 3 3H, game 2"


@pytest.mark.parametrize(
    ("tricks", "peg"),
    [
        pytest.param(("0: 9H X2 8H 7H", "1: 6H X1 5H KH"), "joker 1 X2", id="R-C59 the first joker played"),
        pytest.param(("0: 9H X1 8H JH", "3: 6H KH X2 5H"), "joker 3 X1", id="R-C59 for its taker"),
    ],
)
def test_in_version_6_only_the_first_joker_scores(tricks: tuple[str, ...], peg: str) -> None:
    pegs = score_hand(bid(3), *tricks, points="6").pegs
    assert [f"joker {each.seat} {each.card}" for each in pegs if each.point == "joker"] == [peg]
