"""Bots play every value of rules: each preset with each number of players, and values made by hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from domain.cards import DECK_54, RANKS
from domain.rules.choices import (
    AllPass,
    Award,
    Bids,
    Call,
    DealerBids,
    Ending,
    Fill,
    Follow,
    Miss,
    Moon,
    OpeningLead,
    Partners,
    Settle,
    Tally,
    Throw,
    Trump,
)
from domain.rules.consistency import rules_fault
from domain.rules.model import Auction, Point, Rules
from domain.rules.variants import CORELLIAN, PITCH, SETBACK, VARIANTS
from projections.bots import STRATEGIES
from tests.projections.bots.bot_table import bot_table
from tests.replay.playing import Table

JOKER_LOW = ("X", *RANKS)
TEN_POINT = VARIANTS["ten-point"].rules
OH_HELL = VARIANTS["oh-hell"].rules
MADE: Mapping[str, tuple[Rules, int]] = {
    "jokers rank lowest, and one is out": (
        replace(VARIANTS["smear"].rules, ranks=JOKER_LOW, removed=(DECK_54[0], DECK_54[-1]), joker_count=1,
            follow=Follow.TRUMPS_ONLY, hand_sizes=(9,), fill=Fill.DISCARD), 4,
    ),
    "teams of three with a large kitty": (
        replace(TEN_POINT, seats=(6,), hand_sizes=(7,), partners=Partners.TEAMS, fill=Fill.KITTY, kitty=12), 6,
    ),
    "six alone draw what is left": (
        replace(TEN_POINT, seats=(6,), hand_sizes=(8,), partners=Partners.ALONE,
            auction=Auction(of=Bids.POINTS, least=3, all_pass=AllPass.DEALER_HAS_IT),
            ending=Ending.FIRST_TO_GOAL, settle=Settle.BID_FIRST, goal=21), 6,
    ),
    "a kitty and a draw, at most three thrown": (
        replace(TEN_POINT, fill=Fill.KITTY_AND_DRAW, kitty=3, hand_sizes=(6,), most_thrown=3,
            throw=Throw.POINTS_STAY), 4,
    ),
    "a kitty that nobody throws back": (
        replace(TEN_POINT, fill=Fill.KITTY, kitty=2, hand_sizes=(6,), kept_cards=0, follow=Follow.SUIT, goal=21), 4,
    ),
    "the dealer takes the rest, and the difference counts": (
        replace(VARIANTS["cinch"].rules, tally=Tally.DIFFERENCE, opening_lead=OpeningLead.ANY, goal=31), 4,
    ),
    "a moon for twice the points": (
        replace(TEN_POINT, auction=replace(TEN_POINT.auction, moon=Moon.DOUBLE, dealer=DealerBids.TIES_OR_RAISES)), 4,
    ),
    "seven with a called partner, openly": (
        replace(TEN_POINT, seats=(7,), hand_sizes=(7,), partners=Partners.CALL, call=Call.ANNOUNCED, fill=Fill.NOTHING,
            auction=replace(TEN_POINT.auction, moon=Moon.NONE), ending=Ending.HIGHEST, goal=21), 7,
    ),
    "spades always, for the last trick and for all": (
        replace(SETBACK, trump=Trump.FIXED, fixed_trump="S", points=(*SETBACK.points, Point("last", Award.LAST_TRICK),
            Point("all", Award.ALL_TRICKS)), auction=replace(SETBACK.auction, bids=(2, 3, 4, 5, 6))), 4,
    ),
    "trump turned up, for points": (replace(SETBACK, trump=Trump.TURNED_UP, ending=Ending.HIGHEST), 4),
    "spades always, ten off for each trick": (
        replace(OH_HELL, trump=Trump.FIXED, fixed_trump="S", miss=Miss.TEN_EACH, ending=Ending.HANDS_SHARED), 5,
    ),
    "jokers among exact bids": (
        replace(OH_HELL, jokers=True, ranks=(*RANKS, "X"), trump=Trump.FIXED, fixed_trump="H", miss=Miss.BID), 3,
    ),
    "twice the points, pitched": (replace(PITCH, points=(*(replace(each, worth=3) for each in PITCH.points),),
        auction=replace(PITCH.auction, bids=(6, 9, 12, 15)), goal=40), 3),
    "a dealer who deals again": (
        replace(CORELLIAN, auction=replace(CORELLIAN.auction, all_pass=AllPass.SAME_DEALER), ending=Ending.BIDDER_ONLY,
            goal=21), 4,
    ),
}  # fmt: skip
"""Rules that no preset has, by what is special, each with a number of players."""
TABLES = [
    pytest.param(name, seats, id=f"{name}, {seats} players")
    for name, variant in VARIANTS.items()
    for seats in variant.rules.seats
    if variant.rules not in (PITCH, SETBACK, CORELLIAN)
]


def whole_game(variant: str, seats: int, strategies: tuple[str, ...], **opening: Any) -> Table:
    return bot_table(1, variant, [strategies[seat % len(strategies)] for seat in range(seats)], **opening).play()


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_bots_play_each_preset_to_the_end(variant: str, seats: int) -> None:
    assert whole_game(variant, seats, tuple(STRATEGIES)).over


@pytest.mark.parametrize(("variant", "seats"), [each for each in TABLES if not str(each.values[0]).startswith("oh-")])
def test_strong_bots_play_each_preset_to_the_end(variant: str, seats: int) -> None:
    assert whole_game(variant, seats, ("strong/1:1", "simple")).over


@pytest.mark.parametrize("special", MADE)
def test_bots_play_rules_that_no_preset_has(special: str) -> None:
    rules, seats = MADE[special]
    rules = replace(rules, variant="house", seats=(seats,))
    assert rules_fault(rules) is None
    assert whole_game("house", seats, ("simple", "random", "strong/1:1"), rules=rules, rulebook="0" * 64).over
