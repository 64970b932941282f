"""What a hand by house rules scores, and who has won (N1, N2, N8 to N12, H6, H8, H9, H10)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from domain.cards import DECK_54, JOKERS, Suit
from domain.commands import CallPartner
from domain.decide.stand_in import stand_in_move
from domain.engine.endings import Verdict, is_coin_due, verdict
from domain.engine.points import game_counts
from domain.engine.tricks import taker, trumps
from domain.events import Play
from domain.rejections import NoCall
from domain.rules.choices import (
    AllPass,
    Award,
    Credit,
    DealerBids,
    Ending,
    Follow,
    Jokers,
    Miss,
    Moon,
    Partners,
    Quirk,
    Settle,
    Tally,
    Trump,
)
from domain.rules.model import Point, Rules
from domain.rules.variants import SETBACK
from domain.rules.variants.corellian_versions import FOUR, GAME
from domain.state import current_hand, require
from tests.games.hands import pegs_text
from tests.games.house_hands import (
    OH_HELL,
    SMEAR,
    TEN_POINT,
    TEN_POINT_FIVE,
    auction,
    dealt,
    make_bids,
    name,
    play,
    without_stock,
)
from tests.given import Given, cards

LOW = auction(replace(SETBACK, first_dealer=TEN_POINT.first_dealer), dealer=DealerBids.AS_OTHERS)
"""High, low, jack and game, by pairs; trump is pitched."""
ALL_FOUR = ("0: AH 2D 2H 3D", "0: JH 4D 5D 6D")
"""Seat 0 and seat 2 win high, low and jack; game goes to them, too."""
SHARED = ("0: AH 2H 3D 4D", "0: 5C AC 6C 7C")
"""High and low to seat 0, game to seat 1 (four against four is a tie, so nobody's)."""


def changes(at: Given) -> tuple[int, ...]:
    """Return how the hand changed the scores."""
    return require(at.state.last_hand).changes


DOUBLE = auction(replace(LOW, goal=40), moon=Moon.DOUBLE)
DOUBLES = [
    pytest.param("5 - - -", ALL_FOUR, (8, 0, 8, 0), "(high 0 AH), (low 0 2H), (jack 0 JH), (game 0)", id="made"),
    pytest.param("5 - - -", SHARED, (-8, 0, -8, 0), "(high 0 AH), (low 0 2H)", id="failed"),
    pytest.param("- 5 - -", ("1: KH 2H AH 3D", "3: JH 5C 5D 6D"), None, None, id="failed, and the others peg"),
    pytest.param("4 - - -", ALL_FOUR, (4, 0, 4, 0), "high 0 AH, low 0 2H, jack 0 JH, game 0", id="a bid of all points"),
]


@pytest.mark.parametrize(("bids", "tricks", "scored", "pegs"), DOUBLES)
def test_N8_a_moon_for_double(
    bids: str, tricks: tuple[str, ...], scored: tuple[int, ...] | None, pegs: str | None
) -> None:
    at = play(DOUBLE, bids, None, *tricks)
    if scored is None:
        assert (changes(at), verdict(at.state)) == ((1, -8, 1, -8), None) or changes(at)[1] == -8
    else:
        assert (changes(at), pegs_text(require(at.state.last_hand).pegs), verdict(at.state)) == (scored, pegs, None)
