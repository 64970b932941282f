"""gamerz Pitch, the other answers to contested rulings as options of a table (R-S1, R-S12, R-S13).

tests/domain/rulings/test_contested_rulings.py sets these answers as values of the rules.
"""

from dataclasses import replace
from typing import Any

from domain.commands import OpenGame
from domain.events import GameOpened, Player
from domain.rejections import NotOffered
from domain.rules.choices import Award, BiddingDirection, Partners, Settle
from domain.rules.model import Rules
from domain.rules.variants import PITCH
from tests.games.hands import only_fact
from tests.given import GAME, given

USUAL = {"win": 11, "around": "left", "fifth": "earned", "settle": "bid_first"}
OTHERS = {"around": "right", "fifth": "bid", "settle": "points_first"}


def opening(**options: Any) -> OpenGame:
    people = tuple(Player(f"p{seat}", "human") for seat in range(4))
    return OpenGame(GAME, 7, "pitch", options, people)


def with_fifth(rules: Rules, award: Award) -> Rules:
    *others, smudge = rules.points
    return replace(rules, points=(*others, replace(smudge, award=award)))


def test_S4_S5_R_S1_R_S12_R_S13_an_option_sets_one_value_in_the_rules() -> None:
    right = replace(PITCH, auction=replace(PITCH.auction, around=BiddingDirection.RIGHT))
    found: tuple[tuple[dict[str, Any], Rules], ...] = (
        ({}, PITCH),
        ({name: USUAL[name] for name in OTHERS}, PITCH),
        *(({"win": goal}, replace(PITCH, goal=goal)) for goal in (7, 11, 21)),
        ({"around": "right"}, right),
        ({"fifth": "bid"}, with_fifth(PITCH, Award.SWEEP_BID)),
        ({"settle": "points_first"}, replace(PITCH, settle=Settle.POINTS_FIRST)),
        ({**OTHERS, "win": 7}, with_fifth(replace(right, settle=Settle.POINTS_FIRST, goal=7), Award.SWEEP_BID)),
    )
    for options, rules in found:
        made = only_fact(GameOpened, given().when(opening(**options)).facts)
        assert (made.rules, made.options) == (rules, USUAL | options)
    invalid: tuple[dict[str, Any], ...] = (
        {"around": "LEFT"},
        {"around": None},
        {"fifth": 5},
        {"settle": True},
        {"low": 1},
    )
    for options in invalid:
        assert given().when(opening(**options)).rejected(NotOffered).code == "not-offered"


def test_partners_across_sit_opposite_and_need_an_even_number_of_players() -> None:
    across = replace(PITCH, partners=Partners.PAIRS, jokers=True)
    assert across.sides(4) == ((0, 2), (1, 3))
    assert across.sides(3) == ((0,), (1,), (2,))
    assert len(across.deck) == 54
