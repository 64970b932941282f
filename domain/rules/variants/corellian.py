"""Corellian Pitch (docs/rules/corellian.md)."""

from collections.abc import Mapping
from typing import Any

from domain.cards import RANKS
from domain.rules.choices import (
    AllPass,
    Bids,
    Call,
    Credit,
    Double,
    Ending,
    Fill,
    FirstDealer,
    Follow,
    Hold,
    Jokers,
    Partners,
    Scaling,
    Settle,
    Stop,
    Trump,
    Worth,
)
from domain.rules.model import Auction, Changes, Delay, Rules
from domain.rules.variants.corellian_options import ENDS_AT, RANDOMIZER
from domain.rules.variants.corellian_versions import VERSIONS, with_game
from domain.rules.variants.options import Sheet, Variant, alternatives, each_of

STANDARD = VERSIONS["10"]
CORELLIAN = Rules(
    variant="corellian",
    seats=(4,),  # C37
    jokers=True,  # C34
    hand_sizes=(9,),  # R-C2
    ranks=(*RANKS[:9], "X", *RANKS[9:]),  # C35, R-C11
    first_dealer=FirstDealer.DRAWN,  # R-C8
    partners=Partners.ACROSS,  # C1, R-C47
    auction=Auction(of=Bids.POINTS, least=4, all_pass=AllPass.DEALER_HAS_IT),  # R-C5 to R-C7
    trump=Trump.NAMED,  # R-C2
    follow=Follow.TRUMPS_ONLY,  # R-C9
    version=STANDARD.name,
    points=STANDARD.points,  # R-C1
    off=STANDARD.off,
    dirty=False,  # C1
    keeps=True,  # R-C18, R-C56
    misdeal=("A", "K", "Q", "J", "X"),  # C4
    fill=Fill.DISCARD,
    kept_cards=6,
    settle=Settle.WHOLE_HAND,  # C20-C22
    double=Double.WHEN_MADE,  # C33, R-C37
    delay=Delay(after_ms=15_000, costs=10),  # C28, C29
    ending=Ending.SESSION,  # C6, C7
)


def _game_for_ten(rules: Rules) -> Mapping[str, Any]:
    """Return the fields that put game in the place of the ten, in the version in force and in those to come."""
    versions = tuple(with_game(version) for version in rules.changes.versions)
    return {"points": with_game(STANDARD).points, "changes.versions": versions}


def _without_host(rules: Rules) -> Mapping[str, Any]:
    """Return the fields for a host who may not change rules: without a randomizer, too, there is no menu."""
    if rules.changes.randomizer is None:
        return {"changes": Changes(scaling=rules.changes.scaling, hold=rules.changes.hold)}
    return {"changes.host": False}


VARIANT = Variant(
    "corellian",
    "Corellian Pitch",
    "Four players and 54 cards; ten points a hand, until the randomizer changes the rules in the middle of a hand.",
    CORELLIAN,
    (
        RANDOMIZER,
        ENDS_AT,
        alternatives(
            "host_changes",
            {False: _without_host, True: {"changes.host": True}},
            "whether the player who opens the game may change the rules",
        ),
        alternatives(
            "ten", {"card": {}, "game": _game_for_ten}, "what scores the tenth point: the ten of trump, or game", "R-C1"
        ),
        alternatives(
            "deal",
            {
                "fill": {"hand_sizes": (9,), "fill": Fill.DISCARD},
                "all": {"hand_sizes": (13,), "fill": Fill.PITCHER_TAKES},
            },
            "nine cards each with discard and fill, or all cards dealt",
            "R-C2",
        ),
        alternatives(
            "follow",
            {"trumps": {"follow": Follow.TRUMPS_ONLY}, "suit_or_trump": {"follow": Follow.SUIT_OR_TRUMP}},
            "whether only trumps may be played",
            "R-C9",
        ),
        alternatives(
            "jokers",
            each_of("joker_order", (Jokers.FIRST_HIGH, Jokers.FIRST_LOW)),
            "which joker is higher in reverse",
            "R-C15",
        ),
        alternatives("worth", each_of("worth", Worth), "by which version of the points cards score", "R-C20"),
        alternatives(
            "scaling", each_of("changes.scaling", Scaling), "which bid is scaled when the points change", "R-C24"
        ),
        alternatives("call", each_of("call", Call), "when a called partner becomes known", "R-C29"),
        alternatives(
            "credit",
            each_of("credit", (Credit.FULL, Credit.OWN, Credit.HALF)),
            "what bidder and partner score",
            "R-C34",
        ),
        alternatives(
            "defenders", each_of("defenders", (Credit.FULL, Credit.OWN, Credit.NONE)), "what the others score", "R-C36"
        ),
        alternatives(
            "double",
            each_of("double", (Double.WHEN_MADE, Double.AT_END)),
            "when a bid for everything costs double",
            "R-C37",
        ),
        alternatives("hold", each_of("changes.hold", Hold), "how long a delay call holds rule changes back", "R-C41"),
        alternatives("stop", each_of("stop", Stop), "whether a session ends at once or after the hand", "R-C42"),
    ),
    sheet=Sheet("corellian", "Corellian Pitch", "C", 37, 66),
)
