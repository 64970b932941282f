"""gamerz Pitch (docs/rules/pitch.md)."""

from dataclasses import replace

from domain.cards import RANKS
from domain.rules.choices import Award, BiddingDirection, Ending, FirstDealer, Follow, Partners, Settle, Trump
from domain.rules.model import Auction, Point, Rules
from domain.rules.variants.options import Answer, Sheet, Variant, alternatives, each_of

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


def _fifth(award: Award) -> Answer:
    """Return the alternative in which the smudge is won so."""
    return lambda rules: {"points": (*rules.points[:-1], replace(rules.points[-1], award=award))}


VARIANT = Variant(
    "pitch",
    "gamerz Pitch",
    "Two to seven players, six cards each, four points a hand and a fifth for the smudge; first to the goal.",
    PITCH,
    (
        alternatives("win", {goal: {"goal": goal} for goal in (7, 11, 21)}, "the goal in points", default=11),  # S4, S5
        alternatives("around", each_of("auction.around", BiddingDirection), "which way the bidding goes", "R-S1"),
        alternatives(
            "fifth",
            {"earned": _fifth(Award.SWEEP), "bid": _fifth(Award.SWEEP_BID)},
            "who can score the fifth point: anyone, or only the player who bid five",
            "R-S12",
        ),
        alternatives(
            "settle",
            each_of("settle", (Settle.BID_FIRST, Settle.POINTS_FIRST)),
            "whether a pitcher who will be set can still reach the goal while points are credited",
            "R-S13",
        ),
    ),
    sheet=Sheet("pitch", "gamerz Pitch", "S", 47, 22),
)
