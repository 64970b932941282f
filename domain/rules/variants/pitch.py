"""gamerz Pitch (docs/rules/pitch.md)."""

from dataclasses import replace

from domain.cards import RANKS
from domain.rules.choices import Award, BiddingDirection, Ending, FirstDealer, Follow, Partners, Settle, Trump
from domain.rules.model import Auction, Point, Rules
from domain.rules.variants.options import Option, Sheet, Variant

PITCH = Rules(
    variant="pitch",
    seats=(2, 3, 4, 5, 6, 7),  # S2
    jokers=False,
    hand_sizes=(6,),  # S20
    ranks=RANKS,
    first_dealer=FirstDealer.LAST_SEAT,  # R-S2
    partners=Partners.ALONE,  # R-S19
    auction=Auction(bids=(2, 3, 4, 5), zero_passes=True),  # S11, R-S1
    trump=Trump.PITCHED,  # S33
    follow=Follow.SUIT_OR_TRUMP,  # S34-S36
    points=(  # S39, then R-S12
        Point("high", Award.HIGHEST),
        Point("low", Award.LOWEST),
        Point("jack", Award.CARD, rank="J"),
        Point("game", Award.COUNT),
        Point("smudge", Award.SWEEP, needs=("high", "low", "jack")),
    ),
    settle=Settle.BID_FIRST,  # R-S13
    ending=Ending.FIRST_TO_GOAL,
    goal=11,  # S5
)
FIFTH = {"earned": Award.SWEEP, "bid": Award.SWEEP_BID}


def _win(rules: Rules, goal: int) -> Rules:
    return replace(rules, goal=goal)


def _around(rules: Rules, around: str) -> Rules:
    return replace(rules, auction=replace(rules.auction, around=BiddingDirection(around)))


def _fifth(rules: Rules, fifth: str) -> Rules:
    *others, smudge = rules.points
    return replace(rules, points=(*others, replace(smudge, award=FIFTH[fifth])))


def _settle(rules: Rules, settle: str) -> Rules:
    return replace(rules, settle=Settle(settle))


VARIANT = Variant(
    "pitch",
    "gamerz Pitch",
    "Two to seven players, six cards each, four points a hand and a fifth for the smudge; first to the goal.",
    PITCH,
    (
        Option("win", (7, 11, 21), 11, "the goal in points", _win),  # S4, S5
        Option("around", ("left", "right"), "left", "which way the bidding goes", _around, "R-S1"),
        Option(
            "fifth",
            ("earned", "bid"),
            "earned",
            "who can score the fifth point: anyone, or only the player who bid five",
            _fifth,
            "R-S12",
        ),
        Option(
            "settle",
            ("bid_first", "points_first"),
            "bid_first",
            "whether a pitcher who will be set can still reach the goal while points are credited",
            _settle,
            "R-S13",
        ),
    ),
    sheet=Sheet("pitch", "gamerz Pitch", "S", 47, 22),
)
