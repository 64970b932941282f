"""Whether a fact can be about this table at all: seats that exist, a number for each seat, cards of this deck.

A history may have been written by anybody, so this is asked of each fact before anything is worked out from it.
"""

from collections.abc import Collection, Iterator
from typing import Any

from domain.cards import PLACE
from domain.choices import Bids, Tally
from domain.events import GameOpened, HandScored
from domain.rules import Rules

ONE_SEAT = ("seat", "dealer", "eldest", "winner", "accused", "bidder", "partner")
SEATS = ("next", "missing", "winners", "seats")
EACH_SEAT = ("counts", "changes", "scores", "tricks", "bids")
CARDS = ("cards", "shown")
PARTS = ("plays", "kept", "pegs")
PART = ("ruled",)
HEX = {"seed": 64, "commit": 64, "cut": 64, "next_seal": 64, "note": 64}
MOST = 1000
"""More than any hand has cards, or any point is worth."""


def misshapen(fact: Any, seats: int, deck: Collection[str]) -> str | None:
    """Why `fact` cannot belong to a table of `seats` seats that plays with `deck`; None when it can."""
    return next(_faults(fact, seats, deck), None)


def _faults(fact: Any, seats: int, deck: Collection[str]) -> Iterator[str]:
    for name, value in vars(fact).items():
        if name in PARTS:
            for part in value:
                yield from _faults(part, seats, deck)
        elif name in PART and value is not None:
            yield from _faults(value, seats, deck)
        elif value is not None and not (name == "counts" and value == () and isinstance(fact, HandScored)):
            yield from _field(name, value, seats, deck)


def _field(name: str, value: Any, seats: int, deck: Collection[str]) -> Iterator[str]:
    if name in ONE_SEAT and not 0 <= value < seats:
        yield f"{name} {value} is no seat of this table"
    elif name in SEATS and not all(0 <= seat < seats for seat in value):
        yield f"{name} {list(value)} names no seats of this table"
    elif name in EACH_SEAT and len(value) != seats:
        yield f"{name} has {len(value)} entries for {seats} seats"
    elif name == "card" and value not in deck:
        yield f"{value!r} is no card of this deck"
    elif name in CARDS and not all(card in deck for card in value):
        yield f"{next(card for card in value if card not in deck)!r} is no card of this deck"
    elif name in HEX and not is_hex(value, HEX[name]):
        yield f"its {name} is not {HEX[name]} hex digits"
    elif name == "order" and sorted(value) != list(range(seats)):
        yield f"order {list(value)} does not seat each player once"
    elif name == "rules" and (lacks := lacking(value)):
        yield lacks
    elif name == "sides" and sorted(seat for side in value for seat in side) != list(range(seats)):
        yield f"sides {[list(side) for side in value]} do not hold each seat once"


def is_hex(text: str, digits: int) -> bool:
    """Whether `text` is that many lower-case hex digits."""
    return len(text) == digits and all(each in "0123456789abcdef" for each in text)


def unplayable(opened: GameOpened) -> str | None:
    """Why no game can be read on from this opening; None when one can."""
    rules, players = opened.rules, opened.players
    if not players or len({player.player for player in players}) < len(players):
        return "its players are none, or one sits twice"
    if not opened.deck or len(set(opened.deck)) < len(opened.deck) or not all(card in PLACE for card in opened.deck):
        return "its deck is no deck of cards"
    if lacks := lacking(rules):
        return lacks
    return misshapen(opened, len(players), opened.deck)


def lacking(rules: Rules) -> str | None:
    """Why no hand can be read by these rules; None when one can."""
    bids = rules.auction.bids or rules.auction.of is not Bids.LISTED
    if not (rules.hand_sizes and rules.sights and bids and (rules.points or rules.tally is not Tally.POINTS)):
        return "its rules leave out hand sizes, sights, bids or points"
    points = [*rules.points, *(point for version in rules.changes.versions for point in version.points)]
    numbers = [*rules.hand_sizes, *(point.worth for point in points), rules.auction.least]
    return None if all(0 <= number <= MOST for number in numbers) else "its rules hold numbers that no game has"
