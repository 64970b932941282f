"""Ten-point Pitch for four, five and six players, seven-point and thirteen-point Pitch (docs/rules/ten-point.md)."""

from dataclasses import replace

from domain.rejections import (
    BidTooHigh,
    BidTooLow,
    CannotDiscard,
    GameOver,
    MustBid,
    MustPlayCalled,
    NoCall,
    NotATrump,
    OutOfTurn,
    WrongNumberOfPlayers,
)
from domain.rules.choices import AllPass, Call, Double, Ending, Fill, Jokers, Moon, Partners, Throw
from domain.rules.model import Changes, Rules
from domain.rules.variants.corellian import CORELLIAN
from domain.rules.variants.corellian_versions import GAME, TEN, VERSIONS
from domain.rules.variants.options import Option, Sheet, Variant, alternatives

TEN_POINT = replace(
    CORELLIAN,
    variant="ten-point",
    partners=Partners.PAIRS,  # V2
    auction=replace(CORELLIAN.auction, least=5, moon=Moon.GAME),  # V12, V15
    misdeal=("2", "3", "10", "J", "Q", "K", "A", "X"),  # V9
    throw=Throw.TRUMPS_STAY,  # V20
    double=Double.NEVER,
    delay=None,
    changes=Changes(),
    ending=Ending.BIDDER_ONLY,  # V33
    goal=52,  # V32
)
WITHOUT_MOON = replace(TEN_POINT, misdeal=(), auction=replace(TEN_POINT.auction, moon=Moon.NONE))
FIVE = replace(
    WITHOUT_MOON,
    variant="ten-point-five",
    seats=(5,),
    hand_sizes=(10,),  # V10
    fill=Fill.KITTY,  # V18
    kitty=4,
    partners=Partners.CALL,  # V5
    call=Call.SECRET,  # V19
    goal=42,
)
PAIRS = replace(
    WITHOUT_MOON,
    variant="ten-point-pairs",
    seats=(6,),
    hand_sizes=(8,),  # V10
    fill=Fill.KITTY,  # V18
    kitty=6,
)  # V4
TEAMS = replace(PAIRS, variant="ten-point-teams", partners=Partners.TEAMS, auction=TEN_POINT.auction)  # V3
SEVEN = replace(
    WITHOUT_MOON,
    variant="seven-point",
    version="7",
    points=VERSIONS["7"].points,  # V29
    auction=CORELLIAN.auction,
    ending=Ending.BIDDER_FIRST,  # V34
    goal=21,
)
THIRTEEN = replace(
    WITHOUT_MOON,
    variant="thirteen-point",
    version="13",
    points=VERSIONS["13"].points,  # V29
    off=VERSIONS["13"].off,
    auction=replace(CORELLIAN.auction, all_pass=AllPass.DEALER_BIDS),  # V14
)
WINNERS = {
    Ending.BIDDER_ONLY: "only the bidders, with a bid made in that hand",
    Ending.BIDDER_FIRST: "the bidders if they made their bid, else the highest score",
    Ending.HIGHEST: "the highest score, of equal ones the bidders",
}


def all_pass(usual: AllPass, *others: AllPass, ruling: str) -> Option:
    """Return the option for an auction without a bid (Q2)."""
    says = {
        AllPass.DEALER_HAS_IT: "the dealer has the hand for the lowest bid",
        AllPass.THROW_IN: "the next seat deals",
        AllPass.SAME_DEALER: "the same dealer deals again",
    }
    answers = {str(each): {"auction.all_pass": each} for each in (usual, *others)}
    described = ", or ".join(says[each] for each in (usual, *others))
    return alternatives("all_pass", answers, f"what happens if nobody bids: {described}", ruling)


def ending(usual: Ending, ruling: str) -> Option:
    """Return the option that says who wins at the goal, its usual answer first (Q4)."""
    order = (usual, *(each for each in WINNERS if each is not usual))
    described = "; or ".join(WINNERS[each] for each in order)
    return alternatives(
        "ending", {str(each): {"ending": each} for each in order}, f"who wins at the goal: {described}", ruling
    )


def two(ruling: str) -> Option:
    """Return the option that says who scores the two of trump (Q5)."""
    answers = {"kept": {"dirty": False}, "taker": {"dirty": True}}
    return alternatives("two", answers, "who scores the two of trump: the player who plays it, or who takes it", ruling)


def _last_point(rules: Rules) -> Option:
    """Return the option that puts game in the place of the ten (Q6)."""
    game = tuple(GAME if point == TEN else point for point in rules.points)
    answers = {"ten": {"points": rules.points}, "game": {"points": game}}
    return alternatives(
        "last_point", answers, "what scores the last point: the ten of trump, or the highest game count", "R-V6"
    )


LEAST = alternatives("least", {5: {"auction.least": 5}, 4: {"auction.least": 4}}, "the lowest bid", "R-V1")
ALL_PASS = all_pass(AllPass.DEALER_HAS_IT, AllPass.THROW_IN, AllPass.SAME_DEALER, ruling="R-V2")
GOAL = alternatives("goal", {goal: {"goal": goal} for goal in (52, 32, 31)}, "the points that win the game", "R-V3")
ONLY_BIDDER = ending(Ending.BIDDER_ONLY, "R-V4")
TWO = two("R-V5")
JOKERS = alternatives(
    "higher_joker",
    {
        "first": {"joker_order": Jokers.FIRST_HIGH},
        "marked": {"joker_order": Jokers.MARKED},
        "second": {"joker_order": Jokers.SECOND_HIGH},
        "lowest": {"ranks": ("X", *(rank for rank in CORELLIAN.ranks if rank != "X"))},
    },
    "which joker is higher: the first played, the marked one, or the second; or both rank below the two",
    "R-V7",
)
MOON = alternatives(
    "moon",
    {"game": {"auction.moon": Moon.GAME}, "double": {"auction.moon": Moon.DOUBLE}},
    "what the moon is worth: the game, or twice all the points",
    "R-V8",
)
FIVE_DEAL = alternatives(
    "dealt",
    {
        "kitty": {"kitty": FIVE.kitty, "removed": ()},
        "no_fours": {"kitty": 0, "removed": tuple(card for card in CORELLIAN.deck if card.startswith("4"))},
    },
    "ten cards each and a kitty of four, or ten cards each of a deck without fours",
    "R-V9",
)
SIX_DEAL = alternatives(
    "dealt",
    {"kitty": {"hand_sizes": (8,), "kitty": PAIRS.kitty}, "nine": {"hand_sizes": (9,), "kitty": 0}},
    "eight cards each and a kitty of six, or nine cards each",
    "R-V10",
)
STUCK = alternatives("least", {4: {"auction.least": 4}, 5: {"auction.least": 5}}, "the lowest bid", "R-V12")
USUAL = (LEAST, ALL_PASS, ONLY_BIDDER, TWO, _last_point(TEN_POINT), JOKERS)
SHEET = Sheet("ten-point", "Ten-point Pitch", "V", 36, 18)


def _variant(rules: Rules, title: str, summary: str, *options: Option) -> Variant:
    clauses = {
        WrongNumberOfPlayers: ("V1",),
        OutOfTurn: ("V11", "V24"),
        BidTooLow: ("V11", "V12"),
        BidTooHigh: ("V12",),
        MustBid: ("V14",),
        CannotDiscard: ("V17", "V18", "V20", "V21", "R-V17"),
        NoCall: ("V19",),
        NotATrump: ("V23",),
        MustPlayCalled: ("V27",),
        GameOver: ("V33", "V34"),
    }
    return Variant(rules.variant, title, summary, rules, options, sheet=SHEET, clauses=clauses)


VARIANTS = (
    _variant(
        TEN_POINT,
        "Ten-point Pitch",
        "Four players in pairs, 54 cards; ten points a hand, only trumps are played, and the bidders win at 52.",
        *(*USUAL, GOAL, MOON),
    ),
    _variant(
        FIVE,
        "Ten-point Pitch for five",
        "Five players with scores of their own; the bidder takes a kitty, names trump and calls a partner by a card.",
        *(*USUAL, FIVE_DEAL),
    ),
    _variant(
        TEAMS,
        "Ten-point Pitch in teams",
        "Six players, three against three, with a kitty; ten points a hand, and the bidders win at 52.",
        *(*USUAL, GOAL, MOON, SIX_DEAL),
    ),
    _variant(
        PAIRS,
        "Ten-point Pitch in three pairs",
        "Six players, two against two against two, with a kitty; ten points a hand, and the bidders win at 52.",
        *(*USUAL, GOAL, SIX_DEAL),
    ),
    _variant(
        SEVEN,
        "Seven-point Pitch",
        "Four players in pairs, 54 cards; ten-point Pitch without the three, to 21 points.",
        *(ending(Ending.BIDDER_FIRST, "R-V4"), TWO, _last_point(SEVEN), JOKERS),
    ),
    _variant(
        THIRTEEN,
        "Thirteen-point Pitch",
        "Four players in pairs, 54 cards; ten-point Pitch with the off three, and a dealer who can't pass.",
        *(STUCK, ONLY_BIDDER, TWO, JOKERS),
    ),
)
