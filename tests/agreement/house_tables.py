"""Tables of house rules: values of the rules that no variant has, played in memory."""

from dataclasses import replace

import pytest

from domain.cards import RANKS, Card
from domain.rules.choices import (
    AllPass,
    Award,
    Bids,
    Call,
    DealerBids,
    Double,
    Ending,
    Fill,
    Follow,
    Miss,
    Moon,
    OpeningLead,
    Partners,
    Quirk,
    Seating,
    Sight,
    Tally,
    Throw,
    Trump,
)
from domain.rules.model import Changes, Point, Rules
from domain.rules.variants import BLACKOUT, CORELLIAN, SETBACK, VARIANTS
from tests.replay.playing import Table, table

HOUSE = "house"
COMMON = replace(
    CORELLIAN, variant=HOUSE, changes=Changes(), delay=None, double=Double.NEVER, partners=Partners.PAIRS, misdeal=()
)
HIGH, LOW, JACK = Point("high", Award.HIGHEST), Point("low", Award.LOWEST), Point("jack", Award.CARD, rank="J")
TEN_POINTS = (
    JACK,
    Point("off_jack", Award.CARD, rank="J", off=True),
    Point("joker", Award.JOKERS),
    Point("ten", Award.CARD, rank="10"),
    Point("three", Award.CARD, 3, "3"),
    LOW,
    HIGH,
)
TEN = replace(
    COMMON,
    points=TEN_POINTS,
    misdeal=("10", "J", "Q", "K", "A", "X", "2", "3"),
    auction=replace(COMMON.auction, least=5),
    throw=Throw.TRUMPS_STAY,
    ending=Ending.BIDDER_ONLY,
    goal=52,
)
KITTY = replace(TEN, fill=Fill.KITTY, kitty=6, seats=(6,), hand_sizes=(8,))
SMEAR = replace(
    COMMON,
    seats=(4, 6),
    removed=(Card("X2"),),
    ranks=("X", *RANKS),
    hand_sizes=(6,),
    fill=Fill.DEALER,
    most_thrown=3,
    follow=Follow.SUIT_OR_TRUMP,
    partners=Partners.TEAMS,
    points=(HIGH, LOW, JACK, Point("joker", Award.FIRST_JOKER), Point("game", Award.COUNT)),
    auction=replace(COMMON.auction, of=Bids.POINTS, least=3, all_pass=AllPass.SAME_DEALER),
    ending=Ending.HIGHEST,
    goal=21,
)
PEDRO = replace(
    COMMON,
    jokers=False,
    ranks=RANKS,
    off=("5",),
    fill=Fill.DEALER,
    points=(HIGH, LOW, JACK, Point("five", Award.CARD, 5, "5"), Point("off_five", Award.CARD, 5, "5", off=True)),
    auction=replace(COMMON.auction, least=6),
    ending=Ending.BIDDER_FIRST,
    goal=62,
)
FOUR_POINTS = replace(
    SETBACK,
    variant=HOUSE,
    seats=(4,),
    trump=Trump.NAMED,
    fill=Fill.KITTY,
    kitty=3,
    kept_cards=6,
    auction=replace(SETBACK.auction, dealer=DealerBids.AS_OTHERS, all_pass=AllPass.SAME_DEALER),
)
UP_AND_DOWN = (*range(1, 8), *range(6, 0, -1))
OH_HELL = replace(
    BLACKOUT,
    variant=HOUSE,
    seats=(3, 4, 5, 6, 7),
    hand_sizes=UP_AND_DOWN,
    sights=(Sight.OWN,),
    seating=Seating.AS_GIVEN,
    ending=Ending.HANDS_SHARED,
)
FIVE = replace(TEN, seats=(5,), partners=Partners.ALONE)

HOUSES: dict[str, tuple[Rules, int]] = {
    "ten points": (replace(TEN, auction=replace(TEN.auction, moon=Moon.GAME)), 4),
    "ten points of five with a called partner": (
        replace(KITTY, seats=(5,), hand_sizes=(10,), kitty=4, partners=Partners.CALL, call=Call.SECRET),
        5,
    ),
    "ten points in two teams": (replace(KITTY, partners=Partners.TEAMS), 6),
    "ten points with a kitty and draws": (replace(KITTY, fill=Fill.KITTY_AND_DRAW, kitty=3, hand_sizes=(7,)), 6),
    "five seats whose stock runs out": (FIVE, 5),
    "five seats with quirks": (
        replace(FIVE, quirks=tuple(Quirk), opening_lead=OpeningLead.TRUMP, throw=Throw.POINTS_STAY),
        5,
    ),
    "smear": (SMEAR, 4),
    "smear of six": (SMEAR, 6),
    "pedro": (PEDRO, 4),
    "cinch": (replace(PEDRO, follow=Follow.SUIT_OR_TRUMP, dirty=True, tally=Tally.DIFFERENCE, goal=51), 4),
    "four points": (FOUR_POINTS, 4),
    "oh hell of three with spades": (replace(OH_HELL, trump=Trump.FIXED, fixed_trump="S", miss=Miss.TEN_EACH), 3),
    "oh hell of seven": (replace(OH_HELL, miss=Miss.BID_AND_TEN), 7),
}


def house_table(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Open a table of house rules, which the catalogue offers until the end of the test."""
    rules, players = HOUSES[name]
    monkeypatch.setitem(VARIANTS, HOUSE, replace(VARIANTS["pitch"], name=HOUSE, rules=rules, options=()))
    return table(seed, players, variant=HOUSE)
