"""Rules that can't be played are refused with a sentence, and rules without a fault are played to the end."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from domain.commands import OpenGame
from domain.decide import decide
from domain.events import Player
from domain.rejections import NotOffered
from domain.rules.choices import (
    AllPass,
    Award,
    Bids,
    Credit,
    Ending,
    Fill,
    Follow,
    Miss,
    Moon,
    OpeningLead,
    Partners,
    Quirk,
    Settle,
    Sight,
    Tally,
    Trump,
)
from domain.rules.consistency import faults, rules_fault
from domain.rules.model import Changes, Delay, Point, Randomizer, Rules, Version
from domain.rules.variants import BLACKOUT, CORELLIAN, HOUSE, PITCH, SETBACK, VARIANTS, compose_rules
from domain.state import EMPTY_STATE
from tests.games.house_hands import CINCH, KITTY, OH_HELL, PEDRO, PRESETS, SMEAR, TEN_POINT, auction
from tests.games.random_rules import drawn_rules, play, sound_rules
from tests.given import GAME, cards

GAMES = 12
HIGH = Point("high", Award.HIGHEST)


def with_points(*points: Point, rules: Rules = PITCH) -> Rules:
    """Return the rules with these points, and bids that they allow."""
    return auction(replace(rules, points=points), bids=(1,))


def changing(rules: Rules = TEN_POINT, **fields: Any) -> Rules:
    """Return the rules with changes during the game, and without a moon."""
    return auction(replace(rules, changes=Changes(**fields)), moon=Moon.NONE)


NOW = Version(TEN_POINT.version, TEN_POINT.points, TEN_POINT.off)
NO_BIDS = replace(OH_HELL, auction=PITCH.auction)
FAULTS = [
    ("sizes", replace(PITCH, seats=()), "Let 2 to 7 players play"),
    ("sizes", replace(PITCH, seats=(3, 2)), "Let 2 to 7 players play"),
    ("sizes", replace(PITCH, seats=(8,)), "Let 2 to 7 players play"),
    ("sizes", replace(PITCH, hand_sizes=()), "Say how many cards are dealt"),
    ("sizes", replace(PITCH, hand_sizes=(0,)), "Say how many cards are dealt"),
    ("sizes", replace(PITCH, points=(HIGH,) * 41), "at most 40 points"),
    ("sizes", changing(menu=("dirty:on",) * 101), "at most 100 versions and changes"),
    ("sizes", replace(PITCH, points=(replace(HIGH, worth=0),)), "worth 1 to 100"),
    ("sizes", replace(KITTY, kitty=-1), "Kitty and kept cards are 0 or more"),
    ("sizes", replace(SMEAR, joker_count=101), "a joker counts 0 to 100"),
    ("sizes", replace(SMEAR, most_thrown=-1), "Let a seat throw at most 0"),
    ("sizes", replace(PITCH, sights=()), "Say which cards a seat sees"),
    ("sizes", replace(PITCH, delay=Delay(-1, 5)), "Delay of game starts after 0"),
    ("age", replace(PITCH, quirks=(Quirk.LOW_JOKER,)), "Quirks are only for games that began with them"),
    ("deck", replace(PITCH, removed=cards("X1")), "X1 can't be removed"),
    ("deck", replace(PITCH, removed=cards("2C 2C")), "only once"),
    (
        "deck",
        replace(PITCH, seats=(6,), hand_sizes=(9,)),
        "A hand of 9 for 6 players needs 54 cards; this deck has 52.",
    ),
    ("deck", replace(KITTY, kitty=29), "A hand of 6 for 4 players and a kitty of 29 needs 53 cards"),
    ("ranks", replace(PITCH, ranks=(*PITCH.ranks, "2")), "Each rank can be listed only once"),
    ("ranks", replace(PITCH, ranks=PITCH.ranks[1:]), "lacks 2"),
    ("ranks", replace(TEN_POINT, ranks=PITCH.ranks), "lacks X"),
    ("ranks", replace(PEDRO, ranks=TEN_POINT.ranks), "Leave X out, or play with jokers"),
    ("ranks", replace(TEN_POINT, off=("X",)), "The off cards must be"),
    ("ranks", changing(versions=(replace(NOW, off=("J", "J")),)), "The off cards of version 10 must be"),
    ("misdeals", replace(PITCH, misdeal=("A",)), "nearly every deal would be a misdeal: only 4 cards"),
    ("points", with_points(HIGH, HIGH), "Two points have the same name"),
    ("points", with_points(Point("ace", Award.CARD)), "Say which rank scores the point ace"),
    ("points", with_points(Point("ace", Award.CARD, rank="X")), "Say which rank scores the point ace"),
    (
        "points",
        replace(with_points(Point("ace", Award.CARD, rank="A")), removed=cards("AC AD AH AS")),
        "Nobody can win the point ace: its card is out",
    ),
    ("points", replace(TEN_POINT, off=()), "Nobody can win the point off_jack: only trumps"),
    ("points", with_points(Point("joker", Award.FIRST_JOKER)), "too few jokers"),
    ("points", replace(SMEAR, points=(Point("joker", Award.JOKERS),)), "too few jokers"),
    ("points", with_points(Point("all", Award.SWEEP, needs=("high",)), HIGH), "The point all needs high"),
    ("points", replace(OH_HELL, points=PITCH.points), "Exact bids count tricks"),
    ("points", replace(PITCH, points=()), "Every other tally needs points"),
    ("points", changing(versions=(NOW, replace(NOW, name="none", points=()))), "Every other tally needs points"),
    ("auction", auction(PITCH, rising=False), "For a contract, bids rise"),
    ("auction", auction(PITCH, passing=False), "For a contract, bids rise"),
    ("auction", auction(PITCH, of=Bids.TRICKS), "For a contract, bids rise"),
    ("auction", NO_BIDS, "Exact bids are promises"),
    ("auction", auction(OH_HELL, passing=True), "Without a contract every seat promises"),
    ("auction", auction(OH_HELL, of=Bids.LISTED, bids=(0, 1)), "Only bids of tricks can be hooked"),
    (
        "auction",
        auction(PITCH, contract=False, rising=False, passing=False, zero_passes=False),
        "only exact bids score",
    ),
    ("auction", replace(OH_HELL, seats=(4,), partners=Partners.ACROSS), "Only a pitcher has a partner"),
    ("bids", auction(PITCH, bids=()), "List the bids from the lowest"),
    ("bids", auction(PITCH, bids=(3, 2)), "List the bids from the lowest"),
    ("bids", auction(PITCH, bids=(0, 2)), "each once and 1 or more"),
    ("bids", auction(PITCH, bids=(2, 6)), "A bid of 6 is more than the 5 points of a hand."),
    ("bids", auction(CINCH, least=15), "is 0 or more and no more than the highest"),
    ("bids", auction(TEN_POINT, least=11), "Let the lowest bid be 1 to 10"),
    ("trump", replace(PITCH, trump=Trump.FIXED), "Name the fixed trump"),
    ("trump", replace(PITCH, fixed_trump="S"), "Name the fixed trump"),
    ("trump", replace(PITCH, jokers=True, ranks=TEN_POINT.ranks), "A joker has no suit, so trump can't be pitched"),
    ("trump", replace(OH_HELL, jokers=True, ranks=TEN_POINT.ranks), "A joker has no suit, so trump can't be turned_up"),
    ("trump", replace(OH_HELL, trump=Trump.NAMED), "Only a pitcher can make trump"),
    ("trump", replace(OH_HELL, trump=Trump.PITCHED), "Only a pitcher can make trump"),
    ("trump", replace(PITCH, sights=(Sight.OTHERS,)), "doesn't see their own cards"),
    ("trump", replace(TEN_POINT, sights=(Sight.OTHERS,)), "doesn't see their own cards"),
    ("trump", replace(PITCH, follow=Follow.TRUMPS_ONLY), "If only trumps are played"),
    ("trump", replace(CINCH, opening_lead=OpeningLead.TRUMP), "A pitcher without trump could not lead"),
    ("fill", replace(PITCH, fill=Fill.KITTY), "The stock is used when trump is named"),
    ("fill", replace(TEN_POINT, kept_cards=0), "Say how many cards a seat keeps"),
    ("fill", replace(TEN_POINT, kitty=3), "Nobody takes the kitty if fill is discard"),
    ("partners", replace(SETBACK, partners=Partners.TEAMS), "Two teams need an even number"),
    ("partners", replace(PITCH, partners=Partners.PAIRS), "Two players can't be a pair"),
    ("partners", replace(PEDRO, seats=(5,), partners=Partners.ACROSS), "only at a table of four"),
    ("partners", replace(SETBACK, partners=Partners.CALL), "A partner is called after the pitcher has named trump"),
    ("tally", replace(PEDRO, seats=(3,), tally=Tally.DIFFERENCE), "A difference needs two sides"),
    ("tally", replace(PITCH, miss=Miss.BID), "Only exact bids can miss"),
    ("tally", replace(PEDRO, credit=Credit.NONE, defenders=Credit.NONE), "Nobody is credited anything"),
    ("ending", replace(PITCH, goal=None), "Set the goal to 1 to 10000"),
    ("ending", replace(OH_HELL, goal=50), "No goal is played to if the ending is hands"),
    ("ending", replace(OH_HELL, ending=Ending.BIDDER_ONLY, goal=50), "needs a bidder"),
    ("ending", replace(PITCH, settle=Settle.WHOLE_HAND), "Several sides could reach the goal at once"),
    ("moon", replace(TEN_POINT, seats=(3,)), "A moon needs a contract for points, and two sides"),
    ("moon", auction(CINCH, moon=Moon.DOUBLE), "A moon needs a contract for points"),
    ("moon", replace(TEN_POINT, changes=Changes(menu=("dirty:on",))), "so rules can't change"),
    ("moon", replace(TEN_POINT, ending=Ending.SESSION, goal=None), "A moon for the game needs a goal"),
    ("changes", changing(menu=("dirty:maybe",)), "'dirty:maybe' isn't a change"),
    ("changes", changing(menu=("partners:pairs",)), "'partners:pairs' isn't a change"),
    ("changes", changing(versions=(NOW, NOW)), "Two versions of the points have the same name"),
    ("changes", changing(versions=(replace(NOW, name="other"),)), "List the version that the table begins with"),
    ("changes", replace(OH_HELL, changes=Changes(menu=("dirty:on",))), "Only rules of games with a contract"),
    ("changes", changing(randomizer=Randomizer((2, 1))), "Odds are a times in b turns"),
    ("changes", changing(randomizer=Randomizer((1, 2), (1, 2))), "The randomizer can end only a session"),
]


@pytest.mark.parametrize(("subject", "rules", "said"), FAULTS, ids=lambda each: each if type(each) is str else "")
def test_rules_that_cannot_be_played_are_named(subject: str, rules: Rules, said: str) -> None:
    found = list(faults(rules))
    assert {key for key, _ in found} == {subject}
    assert any(said in sentence for _, sentence in found), found
    assert rules_fault(rules) == found[0][1]


def test_H2_H5_no_game_is_opened_by_them() -> None:
    people = tuple(Player(f"p{seat}", "human") for seat in range(4))
    rules, options = replace(PITCH, variant=HOUSE, jokers=True, ranks=TEN_POINT.ranks), {"rulebook": "0" * 64}
    with pytest.raises(NotOffered, match="joker"):
        decide(EMPTY_STATE, OpenGame(GAME, 1, HOUSE, options, people, rules=rules))


def test_presets_and_every_option_of_every_variant_can_be_played() -> None:
    rules = [*PRESETS.values(), auction(OH_HELL, of=Bids.LISTED, bids=(0, 1), hook=False)]
    rules += [replace(BLACKOUT, trump=Trump.FIXED, fixed_trump="S"), replace(CORELLIAN, misdeal=())]
    rules += [
        auction(SETBACK, all_pass=AllPass.SAME_DEALER),
        changing(menu=("points:10", "partners:call"), versions=(NOW,)),
    ]
    for name, variant in VARIANTS.items():
        for option in variant.options:
            rules += [compose_rules(name, {option.name: value})[0] for value in option.values if value is not None]
    assert [each for each in map(rules_fault, rules) if each is not None] == []


@pytest.mark.parametrize("seed", range(GAMES))
def test_rules_without_a_fault_are_played_to_the_end(seed: int) -> None:
    play(sound_rules(seed), seed)


def test_drawn_rules_have_every_kind_of_fault_and_none() -> None:
    found = Counter(next((key for key, _ in faults(drawn_rules(seed))), "none") for seed in range(1500))
    assert found["none"] > 500
    assert len(found) > 14
