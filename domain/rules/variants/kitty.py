"""Four-point Pitch in pairs: with a kitty, and Setback to 21 (docs/rules/four-point-kitty.md)."""

from dataclasses import replace

from domain.rejections import (
    BidTooHigh,
    BidTooLow,
    CannotDiscard,
    GameOver,
    MustBid,
    MustFollow,
    NotABid,
    NotATrump,
    OutOfTurn,
    WrongNumberOfPlayers,
)
from domain.rules.choices import Award, DealerBids, Fill, Trump
from domain.rules.model import Point
from domain.rules.variants.options import Sheet, Variant, alternatives
from domain.rules.variants.setback import SETBACK

KITTY = replace(
    SETBACK,
    variant="four-point-kitty",
    seats=(4,),  # Y1
    auction=replace(SETBACK.auction, dealer=DealerBids.AS_OTHERS),  # Y7
    trump=Trump.NAMED,  # Y12
    fill=Fill.KITTY,  # Y11, Y13
    kitty=3,
    kept_cards=6,
    goal=15,  # Y26
)
SETBACK_21 = replace(SETBACK, variant="setback-21", seats=(4,), goal=21)  # Y1, Y26
BIDS, POINTS = SETBACK.auction.bids, SETBACK.points
SHEET = Sheet("four-point-kitty", "Four-point Pitch in pairs", "Y", 27, 7)
CLAUSES = {
    WrongNumberOfPlayers: ("Y1",),
    OutOfTurn: ("Y5", "Y16"),
    NotABid: ("Y6",),
    BidTooLow: ("Y7",),
    BidTooHigh: ("Y8",),
    MustBid: ("Y9",),
    CannotDiscard: ("Y13", "R-Y3"),
    NotATrump: ("Y14",),
    MustFollow: ("Y17", "Y18"),
    GameOver: ("Y27",),
}

VARIANTS = (
    Variant(
        "four-point-kitty",
        "Four-point Pitch with a kitty",
        "Four players in pairs, six cards each; the bidder takes a kitty of three and names trump; 15 points win.",
        KITTY,
        (
            alternatives(
                "draw",
                {False: {"fill": Fill.KITTY}, True: {"fill": Fill.KITTY_AND_DRAW}},
                "whether the others discard and draw too",
                "R-Y1",
            ),
        ),
        sheet=SHEET,
        clauses=CLAUSES,
    ),
    Variant(
        "setback-21",
        "Setback to 21",
        "Four players in pairs, six cards each; the dealer may tie the highest bid; four points a hand, 21 win.",
        SETBACK_21,
        (
            alternatives(
                "five",
                {
                    False: {"auction.bids": BIDS, "points": POINTS},
                    True: {
                        "auction.bids": (*BIDS, 5),
                        "points": (*POINTS, Point("all_tricks", Award.ALL_TRICKS)),
                    },
                },
                "whether you can bid five, for all the tricks",
                "R-Y2",
            ),
        ),
        sheet=SHEET,
        clauses=CLAUSES,
    ),
)
