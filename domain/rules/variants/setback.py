"""Setback (docs/rules/setback.md)."""

from domain.cards import RANKS
from domain.rules.choices import AllPass, Award, DealerBids, Ending, FirstDealer, Follow, Partners, Settle, Trump
from domain.rules.model import Auction, Point, Rules
from domain.rules.variants.options import Sheet, Variant, alternatives, each_of

SETBACK = Rules(
    variant="setback",
    seats=(3, 4),  # T1
    jokers=False,
    hand_sizes=(6,),  # T4
    ranks=RANKS,  # T18
    first_dealer=FirstDealer.DRAWN,  # T3, R-T1
    partners=Partners.PAIRS,  # T2, R-T14
    auction=Auction(
        bids=(2, 3, 4),  # T6
        dealer=DealerBids.TIES,  # T9, R-T2
        all_pass=AllPass.DEALER_BIDS_LEAST,  # T10, R-T3
    ),
    trump=Trump.PITCHED,  # T12
    follow=Follow.SUIT_OR_TRUMP,  # T20-T23
    points=(  # T25
        Point("high", Award.HIGHEST),  # T26
        Point("low", Award.LOWEST),  # T27, T28
        Point("jack", Award.CARD, rank="J"),  # T30
        Point("game", Award.COUNT),  # T31
    ),
    settle=Settle.WHOLE_HAND,  # T36-T38
    ending=Ending.BIDDER_FIRST,  # T41-T43, R-T8
    goal=11,
    won_face_down=True,  # T16, R-T12
)

VARIANT = Variant(
    "setback",
    "Setback",
    "Three players alone or four in partnerships; the dealer may tie the highest bid, and bids two if all pass.",
    SETBACK,
    (
        alternatives(  # T29, R-T4
            "low",
            {1: {"dirty": True}, 2: {"dirty": False}},
            "who scores low: 1 the player who takes it in a trick, 2 the player it was dealt to",
        ),
        alternatives(
            "dealer",
            each_of("auction.dealer", (DealerBids.TIES, DealerBids.TIES_OR_RAISES)),
            "what the dealer may bid over another bid",
            "R-T2",
        ),
        alternatives(
            "stick",
            {
                "least": {"auction.all_pass": AllPass.DEALER_BIDS_LEAST},
                "any": {"auction.all_pass": AllPass.DEALER_BIDS},
            },
            "what the dealer may bid if all others pass",
            "R-T3",
        ),
    ),
    sheet=Sheet("setback", "Setback", "T", 43, 14),
)
