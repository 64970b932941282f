"""Whether rules can be played: by key, the sentences that say what keeps a table from playing by them.

Rules without a fault are played to the end, whatever the players do; a game may then still last until its log is full.
Sizes have limits here, too: no table needs more, and no value can keep a server busy.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from math import comb
from typing import NamedTuple

from domain.cards import DECK_52, DECK_54, JOKERS, RANK, SUITS, Rank
from domain.memo import memoize_by_identity
from domain.rules.choices import (
    DISCARDS,
    FIXED_PARTNERS,
    KITTIES,
    ORIENTATIONS,
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
    Settle,
    Sight,
    Tally,
    Trump,
)
from domain.rules.model import RULES_VERSION, Point, Rules, total_worth

MOST_SEATS, MOST_HANDS, MOST_POINTS, MOST_CHANGES = 7, 100, 40, 100
MOST_WORTH, MOST_GOAL, MOST_ODDS, MOST_MS = 100, 10_000, 1_000_000, 86_400_000
LEAST_CHANCE = 0.1
"""How often a deal must be playable at least, if hands without honors are dealt again."""
GOALS = (Ending.FIRST_TO_GOAL, Ending.BIDDER_FIRST, Ending.BIDDER_ONLY, Ending.HIGHEST)
JOKER_AWARDS: Mapping[Award, int] = {Award.JOKERS: 2, Award.FIRST_JOKER: 1}
"""How many jokers a deck needs for an award."""


class _Points(NamedTuple):
    """The points of the opening, or of a version that the table can change to, and its off ranks."""

    name: str
    points: tuple[Point, ...]
    off: tuple[Rank, ...]


def rules_at(rules: Rules, players: int) -> Rules:
    """Return the rules without the other numbers of players, which may have rules of their own."""
    return replace(rules, seats=(players,))


@memoize_by_identity
def rules_fault(rules: Rules) -> str | None:
    """Return a sentence that says why nobody can play by `rules`; None if they can be played to the end."""
    return next((sentence for _, sentence in faults(rules)), None)


def faults(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield the faults of the first subject that has any, each as the key of the subject and a sentence.

    Later checks rely on earlier ones.
    """
    found = ([(key, sentence) for sentence in check(rules)] for key, check in FAULTS.items())
    yield from next(filter(None, found), [])


def _sizes(rules: Rules) -> Iterator[str]:
    if not rules.seats or not _is_rising(rules.seats) or not 2 <= rules.seats[0] <= rules.seats[-1] <= MOST_SEATS:
        yield f"Let 2 to {MOST_SEATS} players play: list their numbers from the lowest, each once."
    if not 1 <= len(rules.hand_sizes) <= MOST_HANDS or min(rules.hand_sizes) < 1:
        yield f"Say how many cards are dealt in each hand: 1 or more, for 1 to {MOST_HANDS} hands."
    every = (rules.points, *(each.points for each in rules.changes.versions))
    if len(every) > MOST_CHANGES or len(rules.changes.menu) > MOST_CHANGES or max(map(len, every)) > MOST_POINTS:
        yield f"Have at most {MOST_POINTS} points in a version, and at most {MOST_CHANGES} versions and changes."
    if any(not 1 <= point.worth <= MOST_WORTH for points in every for point in points):
        yield f"Let each point be worth 1 to {MOST_WORTH}."
    if rules.kitty < 0 or rules.kept_cards < 0 or rules.joker_count not in range(MOST_WORTH + 1):
        yield f"Kitty and kept cards are 0 or more, and a joker counts 0 to {MOST_WORTH} for game."
    if rules.most_thrown is not None and rules.most_thrown < 0:
        yield "Let a seat throw at most 0 cards or more, or leave the number out."
    if len(rules.sights) not in range(1, MOST_HANDS + 1):
        yield f"Say which cards a seat sees, for 1 to {MOST_HANDS} hands."
    if rules.delay is not None and not (0 <= rules.delay.after_ms <= MOST_MS and 0 <= rules.delay.costs <= MOST_GOAL):
        yield f"Delay of game starts after 0 to {MOST_MS} milliseconds, and costs 0 to {MOST_GOAL} points."


def _age(rules: Rules) -> Iterator[str]:
    if rules.quirks or rules.rules_v != RULES_VERSION:
        yield f"Quirks are only for games that began with them. Leave them out, and set rules_v to {RULES_VERSION}."


def _deck(rules: Rules) -> Iterator[str]:
    whole = DECK_54 if rules.jokers else DECK_52
    if out := [card for card in rules.removed if card not in whole]:
        yield f"{out[0]} can't be removed: the deck doesn't have it."
    if len(set(rules.removed)) < len(rules.removed):
        yield "A card can be removed only once."
    size, players, kitty, has = max(rules.hand_sizes), rules.seats[-1], rules.kitty, len(rules.deck)
    if size * players + kitty > has:
        more = f" and a kitty of {kitty}" if kitty else ""
        needs = size * players + kitty
        yield f"A hand of {size} for {players} players{more} needs {needs} cards; this deck has {has}."


def _ranks(rules: Rules) -> Iterator[str]:
    in_deck = {RANK[card] for card in rules.deck}
    if len(set(rules.ranks)) < len(rules.ranks):
        yield "Each rank can be listed only once."
    if missing := [rank for rank in sorted(in_deck) if rank not in rules.ranks]:
        yield f"The order of the ranks lacks {missing[0]}, which is in the deck."
    if "X" in rules.ranks and not rules.jokers:
        yield "The ranks say where jokers stand, but the deck has none. Leave X out, or play with jokers."
    for each in _every_version(rules):
        if len(set(each.off)) < len(each.off) or any(rank == "X" or rank not in rules.ranks for rank in each.off):
            yield f"The off cards{_of(each)} must be of different ranks in the deck, and not jokers."


def _misdeals(rules: Rules) -> Iterator[str]:
    if not rules.misdeal:
        return
    honors = sum(RANK[card] in rules.misdeal for card in rules.deck)
    for players in rules.seats:
        for size in sorted(set(rules.hand_sizes)):
            if _chance_of_honors(len(rules.deck), honors, players, size) < LEAST_CHANCE:
                yield (
                    f"With {players} players and hands of {size}, nearly every deal would be a misdeal: only {honors}"
                    f" cards are of the ranks {' '.join(rules.misdeal)}. Name more ranks, or none."
                )


def _chance_of_honors(deck: int, honors: int, players: int, size: int) -> float:
    """Return how likely every hand of a deal has an honor, by inclusion and exclusion of the hands without one."""
    ways = ((1 - n % 2 * 2) * comb(players, n) * comb(deck - honors, n * size) for n in range(players + 1))
    return sum(way / comb(deck, n * size) for n, way in enumerate(ways))


def _points(rules: Rules) -> Iterator[str]:
    for each in _every_version(rules):
        names = [point.name for point in each.points]
        if len(set(names)) < len(names):
            yield f"Two points{_of(each)} have the same name."
        for at, point in enumerate(each.points):
            yield from _point(rules, each, point, names[:at])
    if any((rules.tally is Tally.EXACT) is bool(each.points) for each in _every_version(rules)):
        yield "Exact bids count tricks and have no points. Every other tally needs points."


def _point(rules: Rules, version: _Points, point: Point, earlier: Iterable[str]) -> Iterator[str]:
    if point.award is Award.CARD:
        yield from _card_point(rules, version, point)
    jokers = sum(card in rules.deck for card in JOKERS)
    if jokers < JOKER_AWARDS.get(point.award, 0):
        yield f"Nobody can win the point {point.name} as it says: the deck has too few jokers."
    if missing := [name for name in point.needs if name not in earlier]:
        yield f"The point {point.name} needs {missing[0]}. List that point before it."


def _card_point(rules: Rules, version: _Points, point: Point) -> Iterator[str]:
    if point.rank is None or point.rank == "X":
        yield f"Say which rank scores the point {point.name}: 2 to 10, J, Q, K, or A."
    elif not any(point.card(trump) in rules.deck for trump in SUITS):
        yield f"Nobody can win the point {point.name}: its card is out of the deck."
    elif point.off and rules.follow is Follow.TRUMPS_ONLY and point.rank not in version.off:
        yield f"Nobody can win the point {point.name}: only trumps are played, and the off cards lack its rank."


def _auction(rules: Rules) -> Iterator[str]:
    auction = rules.auction
    if auction.contract:
        if not auction.rising or not auction.passing or auction.hook or auction.of is Bids.TRICKS:
            yield "For a contract, bids rise, seats can pass, no bid is hooked, and bids aren't tricks."
        if rules.tally is Tally.EXACT:
            yield "Exact bids are promises of every seat. Set contract to false, or choose another tally."
        return
    if auction.rising or auction.passing or auction.zero_passes or auction.of is Bids.POINTS:
        yield "Without a contract every seat promises tricks: bids don't rise, nobody passes, and bids aren't points."
    if auction.hook and auction.of is not Bids.TRICKS:
        yield "Only bids of tricks can be hooked."
    if rules.tally is not Tally.EXACT:
        yield "Without a contract only exact bids score. Set contract to true, or tally to exact."
    if rules.partners not in FIXED_PARTNERS:
        yield "Only a pitcher has a partner. Set contract to true, or let seats play alone, in pairs, or in teams."


def _bids(rules: Rules) -> Iterator[str]:
    auction, totals = rules.auction, [total_worth(each.points) for each in _every_version(rules)]
    if auction.of is Bids.LISTED:
        least = 1 if auction.contract else 0
        if (
            not auction.bids
            or not _is_rising(auction.bids)
            or auction.bids[0] < least
            or len(auction.bids) > MOST_CHANGES
        ):
            yield f"List the bids from the lowest, each once and {least} or more."
        elif auction.contract and auction.bids[-1] > min(totals):
            yield f"A bid of {auction.bids[-1]} is more than the {min(totals)} points of a hand."
        if not 0 <= auction.least <= max(0, *auction.bids, 0):
            yield "The lowest bid, which a dealer can have without bidding, is 0 or more and no more than the highest."
    if auction.of is Bids.POINTS and not all(1 <= auction.least <= max(total, 10) for total in totals):
        yield f"Let the lowest bid be 1 to {max(min(totals), 10)}: it's meant for ten points or more."


def _trump(rules: Rules) -> Iterator[str]:
    trump, jokers = rules.trump, [card for card in JOKERS if card in rules.deck]
    if (trump is Trump.FIXED) is (rules.fixed_trump is None):
        yield "Name the fixed trump if a suit is always trump, and only then."
    if jokers and trump in (Trump.PITCHED, Trump.TURNED_UP):
        yield f"A joker has no suit, so trump can't be {trump} with jokers in the deck. Let the pitcher name it."
    if trump in (Trump.NAMED, Trump.PITCHED) and not rules.auction.contract:
        yield "Only a pitcher can make trump. Set contract to true, or choose trump in another way."
    if trump in (Trump.NAMED, Trump.PITCHED) and Sight.OTHERS in rules.sights:
        yield "A pitcher who doesn't see their own cards can't make trump."
    if trump is not Trump.NAMED and rules.follow is Follow.TRUMPS_ONLY:
        yield "If only trumps are played, the pitcher must name trump."
    if trump is Trump.NAMED and rules.opening_lead is OpeningLead.TRUMP and rules.follow is not Follow.TRUMPS_ONLY:
        yield "A pitcher without trump could not lead. Set opening_lead to trump_if_held or any."


def _fill(rules: Rules) -> Iterator[str]:
    if rules.fill is not Fill.NOTHING and rules.trump is not Trump.NAMED:
        yield "The stock is used when trump is named. Let the pitcher name trump, or set fill to nothing."
    if rules.fill in DISCARDS and not rules.kept_cards:
        yield f"Say how many cards a seat keeps: with fill {rules.fill} that's 1 or more."
    if rules.kitty and rules.fill not in KITTIES:
        yield f"Nobody takes the kitty if fill is {rules.fill}. Set kitty to 0, or fill to kitty."


def _partners(rules: Rules) -> Iterator[str]:
    for partners in _every_partners(rules):
        if partners is Partners.TEAMS and any(players % 2 for players in rules.seats):
            yield "Two teams need an even number of players."
        if partners is Partners.PAIRS and 2 in rules.seats:
            yield "Two players can't be a pair: nobody would play against them."
        if partners in ORIENTATIONS and rules.seats != (4,):
            yield f"The partner {partners} of the pitcher is known only at a table of four."
        if partners is Partners.CALL and (rules.trump is not Trump.NAMED or rules.seats[0] < 3):
            yield "A partner is called after the pitcher has named trump, by three or more players."


def _tally(rules: Rules) -> Iterator[str]:
    if rules.tally is Tally.DIFFERENCE and not _has_two_sides(rules):
        yield "A difference needs two sides for the whole game: two players, pairs of four, or teams."
    if rules.miss is not Miss.NOTHING and rules.tally is not Tally.EXACT:
        yield "Only exact bids can miss by tricks. Set miss to nothing, or tally to exact."
    both = {rules.credit, rules.defenders}
    if rules.tally is Tally.POINTS and rules.settle is Settle.WHOLE_HAND and both == {Credit.NONE}:
        yield "Nobody is credited anything. Let the pitcher's side or the others score."


def _ending(rules: Rules) -> Iterator[str]:
    goal, ending = rules.goal, rules.ending
    if ending in GOALS and (goal is None or not 1 <= goal <= MOST_GOAL):
        yield f"Set the goal to 1 to {MOST_GOAL}: the ending {ending} needs one."
    if ending not in GOALS and goal is not None:
        yield f"No goal is played to if the ending is {ending}. Leave the goal out."
    if ending in (Ending.BIDDER_FIRST, Ending.BIDDER_ONLY) and not rules.auction.contract:
        yield f"The ending {ending} needs a bidder. Set contract to true."
    in_order = rules.settle is not Settle.WHOLE_HAND or rules.tally is Tally.DIFFERENCE
    if ending is Ending.FIRST_TO_GOAL and (not in_order or rules.tally is Tally.EXACT):
        yield "Several sides could reach the goal at once. Settle bids or points first, or choose another ending."


def _moon(rules: Rules) -> Iterator[str]:
    if rules.auction.moon is Moon.NONE:
        return
    if not rules.auction.contract or rules.tally is not Tally.POINTS or not _has_two_sides(rules):
        yield (
            "A moon needs a contract for points, and two sides: two players, pairs of four, or teams. "
            "Change who plays together, or leave the moon out."
        )
    if rules.changes.menu or rules.changes.versions:
        yield "A moon is a bid for all the points, so rules can't change while it's played."
    if rules.auction.moon is Moon.GAME and rules.ending not in GOALS:
        yield f"A moon for the game needs a goal, but the ending is {rules.ending}."


def _changes(rules: Rules) -> Iterator[str]:
    changes, versions = rules.changes, {each.name: each for each in rules.changes.versions}
    if wrong := [change for change in changes.menu if not _is_change(change, versions)]:
        yield f"{wrong[0][:40]!r} isn't a change of the rules."
    if len(versions) < len(changes.versions):
        yield "Two versions of the points have the same name."
    now = versions.get(rules.version)
    if versions and (now is None or (now.points, now.off) != (rules.points, rules.off)):
        yield "List the version that the table begins with among the versions, with the same points and off cards."
    if changes.menu and not rules.auction.contract:
        yield "Only rules of games with a contract can change while they are played."
    odds = () if changes.randomizer is None else (changes.randomizer.when, changes.randomizer.end or (0, 1))
    if any(not 0 <= a <= b <= MOST_ODDS or not b for a, b in odds):
        yield f"Odds are a times in b turns: a is 0 to b, and b is 1 to {MOST_ODDS}."
    if changes.randomizer is not None and changes.randomizer.end is not None and rules.ending is not Ending.SESSION:
        yield "The randomizer can end only a session. Set the ending to session, or the randomizer's end to null."


def _is_change(change: str, versions: Iterable[str]) -> bool:
    what, _, to = change.partition(":")
    known: Mapping[str, Iterable[str]] = {
        "points": versions,
        "partners": (*ORIENTATIONS, Partners.CALL),
        "dirty": ("on", "off"),
        "reverse": ("on", "off"),
    }
    return to in known.get(what, ())


def _has_two_sides(rules: Rules) -> bool:
    """Return whether there are two sides for the whole game, whatever the number of players."""
    fixed = all(partners in FIXED_PARTNERS for partners in _every_partners(rules))
    return fixed and all(len(rules.sides(players)) == 2 for players in rules.seats)


def _every_partners(rules: Rules) -> tuple[Partners, ...]:
    """Return the partners that there are at first and that the table can change to."""
    menu = [change.partition(":")[2] for change in rules.changes.menu if change.startswith("partners:")]
    return tuple(dict.fromkeys((rules.partners, *(Partners(each) for each in menu if each in tuple(Partners)))))


def _every_version(rules: Rules) -> tuple[_Points, ...]:
    """Return the points at first, and those that the table can change to."""
    others = (_Points(each.name, each.points, each.off) for each in rules.changes.versions)
    return (_Points("", rules.points, rules.off), *others)


def _of(version: _Points) -> str:
    return f" of version {version.name}" if version.name else ""


def _is_rising(numbers: tuple[int, ...]) -> bool:
    return all(low < high for low, high in pairwise(numbers))


FAULTS: Mapping[str, Callable[[Rules], Iterator[str]]] = {
    "sizes": _sizes,
    "age": _age,
    "deck": _deck,
    "ranks": _ranks,
    "misdeals": _misdeals,
    "points": _points,
    "auction": _auction,
    "bids": _bids,
    "trump": _trump,
    "fill": _fill,
    "partners": _partners,
    "tally": _tally,
    "ending": _ending,
    "moon": _moon,
    "changes": _changes,
}
"""The checks, in order, by the key of their subject."""
