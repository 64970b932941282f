"""Smear (docs/rules/smear.md)."""

from dataclasses import replace

from domain.cards import RANKS, Card
from domain.rejections import (
    BidTooHigh,
    BidTooLow,
    CannotDiscard,
    GameOver,
    MustFollow,
    NotATrump,
    OutOfTurn,
    WrongNumberOfPlayers,
)
from domain.rules.choices import AllPass, Ending, Fill, Follow, Partners
from domain.rules.variants.corellian_versions import ACE, FIRST_JOKER, GAME, JACK, OFF_JACK, TWO
from domain.rules.variants.options import Sheet, Variant, alternatives
from domain.rules.variants.ten_point import WITHOUT_MOON, all_pass, ending, two

SMEAR = replace(
    WITHOUT_MOON,
    variant="smear",
    seats=(4, 6),  # M1
    partners=Partners.TEAMS,  # M2
    removed=(Card("X2"),),  # M4
    ranks=("X", *RANKS),  # M17
    hand_sizes=(6,),  # M5
    auction=replace(WITHOUT_MOON.auction, least=4, all_pass=AllPass.THROW_IN),  # M6-M8
    fill=Fill.DEALER,  # M10, M11
    most_thrown=3,  # M10
    follow=Follow.SUIT_OR_TRUMP,  # M14, M15
    version="",
    points=(ACE, TWO, JACK, OFF_JACK, FIRST_JOKER, GAME),  # M18
    ending=Ending.HIGHEST,  # M25
    goal=21,  # M24
)
JOKER = alternatives("joker", {0: {"joker_count": 0}, 1: {"joker_count": 1}}, "what the joker counts for game", "R-M4")

VARIANT = Variant(
    "smear",
    "Smear",
    "Four or six players in two teams, 53 cards, the joker the lowest trump; six points a hand, first to 21.",
    SMEAR,
    (
        all_pass(AllPass.THROW_IN, AllPass.SAME_DEALER, ruling="R-M1"),
        ending(Ending.HIGHEST, "R-M2"),
        two("R-M3"),
        JOKER,
    ),
    sheet=Sheet("smear", "Smear", "M", 25, 9),
    clauses={
        WrongNumberOfPlayers: ("M1",),
        OutOfTurn: ("M6", "M13"),
        BidTooLow: ("M6", "M7"),
        BidTooHigh: ("M7",),
        CannotDiscard: ("M10", "M11", "M12"),
        NotATrump: ("M13",),
        MustFollow: ("M14", "M15", "R-M6"),
        GameOver: ("M25",),
    },
)
