"""Corellian Pitch (docs/rules/corellian.md)."""

from collections.abc import Callable, Iterable
from dataclasses import replace
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
from domain.rules.variants.options import Option, Sheet, Variant

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
Apply = Callable[[Rules, Any], Rules]
"""Returns the rules under a value of the option."""
FOLLOWS = {"trumps": Follow.TRUMPS_ONLY, "suit_or_trump": Follow.SUIT_OR_TRUMP}
JOKERS = (Jokers.FIRST_HIGH, Jokers.FIRST_LOW)
DOUBLES = (Double.WHEN_MADE, Double.AT_END)
DEALS = {"fill": ((9,), Fill.DISCARD), "all": ((13,), Fill.PITCHER_TAKES)}


def _ten(rules: Rules, ten: str) -> Rules:
    if ten == "card":
        return rules
    versions = tuple(with_game(version) for version in rules.changes.versions)
    now = with_game(STANDARD)
    return replace(rules, points=now.points, changes=replace(rules.changes, versions=versions))


def _deal(rules: Rules, deal: str) -> Rules:
    sizes, fill = DEALS[deal]
    return replace(rules, hand_sizes=sizes, fill=fill)


def _host(rules: Rules, host: bool) -> Rules:
    """Set whether the host may change rules; without that and without a randomizer there is no menu."""
    if not host and rules.changes.randomizer is None:
        return replace(rules, changes=Changes(scaling=rules.changes.scaling, hold=rules.changes.hold))
    return replace(rules, changes=replace(rules.changes, host=host))


def _set(field: str, kind: Callable[[str], Any]) -> Apply:
    """Return an `apply` that sets one field of the rules."""
    return lambda rules, value: replace(rules, **{field: kind(value)})


def _change(field: str, kind: Callable[[str], Any]) -> Apply:
    """Return an `apply` that sets one field of `rules.changes`."""
    return lambda rules, value: replace(rules, changes=replace(rules.changes, **{field: kind(value)}))


def _all_but(credit: Credit) -> tuple[Credit, ...]:
    return tuple(each for each in Credit if each is not credit)


def _choice(name: str, values: Iterable[str], description: str, ruling: str, apply: Apply) -> Option:
    """Return the option of a contested ruling; its first value is the ruling."""
    choices = tuple(map(str, values))
    return Option(name, choices, choices[0], description, apply, ruling)


VARIANT = Variant(
    "corellian",
    "Corellian Pitch",
    "Four players and 54 cards; ten points a hand, until the randomizer changes the rules in the middle of a hand.",
    CORELLIAN,
    (
        RANDOMIZER,
        ENDS_AT,
        Option(
            "host_changes", (False, True), False, "whether the player who opens the game may change the rules", _host
        ),
        _choice("ten", ("card", "game"), "what scores the tenth point: the ten of trump, or game", "R-C1", _ten),
        _choice("deal", tuple(DEALS), "nine cards each with discard and fill, or all cards dealt", "R-C2", _deal),
        _choice(
            "follow",
            tuple(FOLLOWS),
            "whether only trumps may be played",
            "R-C9",
            lambda rules, value: replace(rules, follow=FOLLOWS[value]),
        ),
        _choice("jokers", JOKERS, "which joker is higher in reverse", "R-C15", _set("joker_order", Jokers)),
        _choice("worth", Worth, "by which version of the points cards score", "R-C20", _set("worth", Worth)),
        _choice("scaling", Scaling, "which bid is scaled when the points change", "R-C24", _change("scaling", Scaling)),
        _choice("call", Call, "when a called partner becomes known", "R-C29", _set("call", Call)),
        _choice("credit", _all_but(Credit.NONE), "what bidder and partner score", "R-C34", _set("credit", Credit)),
        _choice("defenders", _all_but(Credit.HALF), "what the others score", "R-C36", _set("defenders", Credit)),
        _choice("double", DOUBLES, "when a bid for everything costs double", "R-C37", _set("double", Double)),
        _choice("hold", Hold, "how long a delay call holds rule changes back", "R-C41", _change("hold", Hold)),
        _choice("stop", Stop, "whether a session ends at once or after the hand", "R-C42", _set("stop", Stop)),
    ),
    sheet=Sheet("corellian", "Corellian Pitch", "C", 37, 66),
)
