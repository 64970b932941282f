"""Pedro and Cinch (docs/rules/pedro.md)."""

from dataclasses import replace

from domain.cards import RANKS
from domain.rejections import (
    BidTooHigh,
    BidTooLow,
    CannotDiscard,
    GameOver,
    MustFollow,
    NotABid,
    NotATrump,
    OutOfTurn,
    WrongNumberOfPlayers,
)
from domain.rules.choices import Bids, Ending, Fill, Follow, OpeningLead, Settle, Tally
from domain.rules.variants.corellian_versions import ACE, FIVE, JACK, OFF_FIVE, TEN, TWO
from domain.rules.variants.options import Sheet, Variant, alternatives
from domain.rules.variants.ten_point import WITHOUT_MOON, ending, two

PEDRO = replace(
    WITHOUT_MOON,
    variant="pedro",
    jokers=False,  # D3
    ranks=RANKS,  # D18
    auction=replace(WITHOUT_MOON.auction, least=6),  # D6
    fill=Fill.DEALER,  # D11, D12
    version="",
    points=(ACE, TWO, JACK, TEN, FIVE, OFF_FIVE),  # D20
    off=("5",),  # D18
    ending=Ending.BIDDER_FIRST,  # D26
    goal=62,  # D25
)
CINCH = replace(
    PEDRO,
    variant="cinch",
    auction=replace(PEDRO.auction, of=Bids.LISTED, bids=tuple(range(1, PEDRO.total + 1)), least=0),  # D8, D9
    opening_lead=OpeningLead.ANY,  # D15
    follow=Follow.SUIT_OR_TRUMP,  # D17
    dirty=True,  # D22
    tally=Tally.DIFFERENCE,  # D24
    settle=Settle.BID_FIRST,
    ending=Ending.FIRST_TO_GOAL,  # D27
    goal=51,  # D25
)
SHEET = Sheet("pedro", "Pedro and Cinch", "D", 27, 10)
CLAUSES = {
    WrongNumberOfPlayers: ("D1",),
    OutOfTurn: ("D5", "D15"),
    NotABid: ("D8",),
    BidTooLow: ("D5", "D6"),
    BidTooHigh: ("D6",),
    CannotDiscard: ("D11", "D12", "D13"),
    NotATrump: ("D16",),
    MustFollow: ("D17",),
    GameOver: ("D26", "D27"),
}

VARIANTS = (
    Variant(
        "pedro",
        "Pedro",
        "Four players in pairs, 52 cards; both fives of trump's color score five, and 62 points win.",
        PEDRO,
        (
            alternatives("least", {6: {"auction.least": 6}, 7: {"auction.least": 7}}, "the lowest bid", "R-D1"),
            alternatives(
                "goal", {goal: {"goal": goal} for goal in (62, 52, 91)}, "the points that win the game", "R-D2"
            ),
            ending(Ending.BIDDER_FIRST, "R-D3"),
            two("R-D4"),
        ),
        sheet=SHEET,
        clauses=CLAUSES,
    ),
    Variant(
        "cinch",
        "Cinch",
        "Four players in pairs; as Pedro, but you follow suit or trump, and the better side scores the difference.",
        CINCH,
        (
            alternatives(
                "made",
                {"difference": {"tally": Tally.DIFFERENCE}, "own": {"tally": Tally.POINTS}},
                "what a made bid scores: the better side the difference, or each side its own points",
                "R-D5",
            ),
        ),
        sheet=SHEET,
        clauses=CLAUSES,
    ),
)
