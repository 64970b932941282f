"""Setback (docs/rules/setback.md)."""

from dataclasses import replace

from domain.cards import RANKS
from domain.rules.choices import AllPass, Award, DealerBids, Ending, FirstDealer, Follow, Partners, Settle, Trump
from domain.rules.model import Auction, Point, Rules
from domain.rules.variants.options import Option, Sheet, Variant

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
STICK = {"least": AllPass.DEALER_BIDS_LEAST, "any": AllPass.DEALER_BIDS}


def _low(rules: Rules, option: int) -> Rules:
    return replace(rules, dirty=option == 1)


def _dealer(rules: Rules, may: str) -> Rules:
    return replace(rules, auction=replace(rules.auction, dealer=DealerBids(may)))


def _stick(rules: Rules, may: str) -> Rules:
    return replace(rules, auction=replace(rules.auction, all_pass=STICK[may]))


VARIANT = Variant(
    "setback",
    "Setback",
    "Three players alone or four in partnerships; the dealer may tie the highest bid, and bids two if all pass.",
    SETBACK,
    (
        Option(  # T29, R-T4
            "low", (1, 2), 1, "who scores low: 1 the player who takes it in a trick, 2 the player it was dealt to", _low
        ),
        Option(
            "dealer", ("ties", "ties_or_raises"), "ties", "what the dealer may bid over another bid", _dealer, "R-T2"
        ),
        Option("stick", ("least", "any"), "least", "what the dealer may bid if all others pass", _stick, "R-T3"),
    ),
    sheet=Sheet("setback", "Setback", "T", 43, 14),
)
