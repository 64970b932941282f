"""The worked hands of house rules, E1 to E10: what each side scores, and whether somebody has won."""

from dataclasses import replace

import pytest

from domain.commands import MakeBid, PlayCard
from domain.engine.endings import Verdict, verdict
from domain.engine.legal_moves import legal_moves
from domain.rejections import Hooked
from domain.rules.model import Rules
from domain.state import require
from tests.games.hands import go_on
from tests.games.house_hands import (
    CINCH,
    OH_HELL,
    OH_HELL_MINUS,
    OH_HELL_TRICKS,
    PEDRO,
    SMEAR,
    TEN_POINT,
    TEN_POINT_FIVE,
    TEN_POINT_PAIRS,
    TEN_POINT_TEAMS,
    THIRTEEN_POINT,
    before_last_card,
    dealt,
    discard,
    make_bids,
    name,
    play,
    plays,
    without_stock,
)
from tests.given import cards

E1 = ("0: AH 2H 3H 10H", "0: JH X1 JD X2")
E2 = ("0: AH 10H 2H 3H", "0: JH X1 JD X2")
E3 = ("0: KH 2H 3H 9H", "0: QH AH JD 10H", "1: JH X1 8H X2")
E4 = ("0: 3H 9H 4H KH 10H", "3: AH 2H JH 5H X1")
E5 = ("1: AS JS 3S 2S X1 10S",)
E6 = ("0: AH 2H X1 JD", "0: KD 10D JH 4S")
E7 = ("0: 3D 3H 2H 9H", "3: 10H AH JH JD")
E8 = ("0: AH 5D 2H 10H", "0: JH 5H 4H KH")
E10 = ("0: KD 3D 2S", "2: 5C AC 9C")

HANDS = [
    pytest.param(TEN_POINT, "9 - - -", E1, (9, 1, 9, 1), id="E1 the two stays with seat 1"),
    pytest.param(TEN_POINT, "10 - - -", E1, (-10, 1, -10, 1), id="E1 so ten points aren't made"),
    pytest.param(THIRTEEN_POINT, "4 - - -", E7, (5, 6, 5, 6), id="E7 H5 the off three asks for trump"),
    pytest.param(PEDRO, "8 - - -", E8, (8, 6, 8, 6), id="E8 a bid of 8 in Pedro"),
    pytest.param(PEDRO, "9 - - -", E8, (-9, 6, -9, 6), id="E8 a bid of 9 in Pedro"),
    pytest.param(CINCH, "8 - - -", E8, (2, 0, 2, 0), id="E9 N9 the difference"),
    pytest.param(CINCH, "9 - - -", E8, (0, 15, 0, 15), id="E9 N9 set: the points and the bid"),
]


@pytest.mark.parametrize(("rules", "bids", "tricks", "changes"), HANDS)
def test_the_score_of_a_hand(rules: Rules, bids: str, tricks: tuple[str, ...], changes: tuple[int, ...]) -> None:
    at = play(rules, bids, "H", *tricks)
    assert (require(at.state.last_hand).changes, verdict(at.state)) == (changes, None)


MOONS = [
    pytest.param(E1, (12, 30, 12, 30), (2, 31, 2, 31), Verdict("moon", (1, 3)), id="E2 H8 failed: the others win"),
    pytest.param(E2, (-4, 50, -4, 50), (0, 50, 0, 50), None, id="E2 H8 made from below 0: play goes on"),
    pytest.param(E2, (12, 50, 12, 50), (52, 50, 52, 50), Verdict("moon", (0, 2)), id="E2 H8 made from 12: won"),
]


@pytest.mark.parametrize(("tricks", "before", "after", "won"), MOONS)
def test_E2_a_moon(
    tricks: tuple[str, ...], before: tuple[int, ...], after: tuple[int, ...], won: Verdict | None
) -> None:
    at = play(TEN_POINT, "11 - - -", "H", *tricks, scores=before)
    assert (at.state.scores, verdict(at.state)) == (after, won)


def test_E3_N11_only_a_bidder_wins() -> None:
    at = play(TEN_POINT, "5 - - -", "H", *E3, scores=(47, 49, 47, 49))
    assert (at.state.scores, verdict(at.state)) == ((42, 56, 42, 56), None)


def test_E4_the_holder_of_the_called_card_plays_it_and_is_the_partner() -> None:
    called = make_bids(
        dealt(without_stock(TEN_POINT_FIVE), ("3H JH", "9H 5H", "4H X1", "KH AH", "10H 2H")), "6 - - - -"
    )
    asked = go_on(name(called, "H", "KH"), *plays(E4, 5)[:3])
    assert legal_moves(asked.state, 3) == (PlayCard(3, *cards("KH")),)
    at, last = before_last_card(TEN_POINT_FIVE, "6 - - - -", "H", *E4, call="KH")
    assert require(at.state.hand).sides == ((0, 3), (1, 2, 4))
    assert require(go_on(at, last).state.last_hand).changes == (7, 1, 1, 7, 1)


E5_SIDES = [
    pytest.param(TEN_POINT_PAIRS, (0, 8, 0, 0, 8, 0), id="E5 three pairs"),
    pytest.param(TEN_POINT_TEAMS, (1, -8, 1, -8, 1, -8), id="E5 N1 two teams"),
]


@pytest.mark.parametrize(("rules", "changes"), E5_SIDES)
def test_E5_six_players(rules: Rules, changes: tuple[int, ...]) -> None:
    assert require(play(rules, "- 8 - - - -", "S", *E5).state.last_hand).changes == changes


def test_E6_N12_a_tie_at_the_goal_goes_to_the_pitchers_side() -> None:
    at = play(SMEAR, "4 - - -", "H", *E6, scores=(16, 20, 16, 20))
    assert (at.state.scores, verdict(at.state)) == ((21, 21, 21, 21), Verdict("goal", (0, 2)))


def test_E8_H1_a_stock_that_runs_out() -> None:
    """Eighteen cards are wanted, and sixteen are there: seat 2 plays five cards, and the dealer takes none."""
    hands = ("AH 2C 3C 4C 6C 7C 8C 9C 10C", "2D 3D 4D 6D 7D 8D 9D 10D JD", "2S 3S 4S 5S 6S 7S 8S 9S 10S")
    dealer = "KH QH 9H 8H 7H 6H JC QC KC"
    at = name(make_bids(dealt(PEDRO, (*hands, dealer), stock=None), "8 - - -"), "H")
    at = discard(at, hands[0][3:], hands[1], hands[2])
    hand = require(at.state.hand)
    assert (hand.counts, hand.stock_left, at.state.turn) == ((6, 6, 5, 9), 0, (3,))
    assert require(discard(at, "JC QC KC").state.hand).counts == (6, 6, 5, 6)


E10_MISSES = [
    pytest.param(OH_HELL, (11, 10, 0), id="E10 nothing"),
    pytest.param(OH_HELL_TRICKS, (11, 10, 1), id="E10 N10 the tricks taken"),
    pytest.param(OH_HELL_MINUS, (11, 10, -12), id="E10 N10 minus the bid and ten"),
]


@pytest.mark.parametrize(("rules", "changes"), E10_MISSES)
def test_E10_a_missed_bid(rules: Rules, changes: tuple[int, ...]) -> None:
    rules, held = replace(rules, hand_sizes=(2,)), ("KD AC", "3D 9C", "2S 5C")
    make_bids(dealt(rules, held, stock="7S"), "1 0").when(MakeBid(2, 1)).rejected(Hooked)
    at = make_bids(dealt(rules, held, stock="7S"), "1 0 2")
    assert require(go_on(at, *plays(E10, 3)).state.last_hand).changes == changes
