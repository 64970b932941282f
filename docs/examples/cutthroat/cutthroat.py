from dataclasses import replace

from domain.rejections import BidTooLow, MustFollow, NotABid, WrongNumberOfPlayers
from domain.rules.variants.options import Sheet, Variant
from domain.rules.variants.pitch import PITCH

high, low, jack, game, smudge = PITCH.points
CUTTHROAT = replace(
    PITCH,
    variant="cutthroat",
    seats=(3, 4, 5),  # K1
    auction=replace(PITCH.auction, bids=(2, 3, 4)),  # K3
    points=(high, low, jack, game),  # K5
    dirty=False,  # K6
    goal=15,  # K8
)
VARIANT = Variant(
    "cutthroat",
    "Cutthroat Pitch",
    "Three to five players, six cards each, four points a hand; low goes to the player who was dealt it.",
    CUTTHROAT,
    sheet=Sheet("cutthroat", "Cutthroat Pitch", "K", 8, 3),
    clauses={
        WrongNumberOfPlayers: ("K1",),
        NotABid: ("K3",),
        BidTooLow: ("K3",),
        MustFollow: ("R-K1",),
    },
)
