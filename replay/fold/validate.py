"""Whether a fact can be about this table at all: seats that exist, a number for each seat, cards of this deck.

A history may have been written by anybody, so this is asked of each fact before anything is worked out from it.
"""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from domain.cards import PLACE
from domain.events import GameOpened, HandScored
from domain.rules.choices import Bids, Tally
from domain.rules.model import Rules

ONE_SEAT = ("seat", "dealer", "eldest", "winner", "accused", "bidder", "partner")
SEATS = ("next", "missing", "winners", "seats")
EACH_SEAT = ("counts", "changes", "scores", "tricks", "bids")
CARDS = ("cards", "shown")
PARTS = ("plays", "kept", "pegs")
PART = ("ruled",)
HEX = {"seed": 64, "commit": 64, "cut": 64, "next_seal": 64, "note": 64}
Check = Callable[[str, Any, int, Collection[str]], str | None]
MOST = 1000
"""More than any hand has cards, or any point is worth."""


def misshapen(fact: Any, seats: int, deck: Collection[str]) -> str | None:
    """Why `fact` cannot belong to a table of `seats` seats that plays with `deck`; None when it can."""
    for name, check in _asked_of(fact.__class__):
        value = getattr(fact, name)
        if value is None or (name == "counts" and value == () and isinstance(fact, HandScored)):
            continue
        if fault := check(name, value, seats, deck):
            return fault
    return None


@cache
def _asked_of(kind: type[Any]) -> tuple[tuple[str, Check], ...]:
    """What is asked of the fields of a fact of this kind, in the order they are stored in."""
    return tuple((name, _CHECKS[name]) for name in sorted(kind.__annotations__) if name in _CHECKS)


def _parts(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return next(filter(None, [misshapen(part, seats, deck) for part in value]), None)


def _part(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return misshapen(value, seats, deck)


def _one_seat(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return None if 0 <= value < seats else f"{name} {value} is no seat of this table"


def _seats(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    for seat in value:
        if not 0 <= seat < seats:
            return f"{name} {list(value)} names no seats of this table"
    return None


def _each_seat(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return None if len(value) == seats else f"{name} has {len(value)} entries for {seats} seats"


def _card(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return None if value in deck else f"{value!r} is no card of this deck"


def _cards(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return next((f"{card!r} is no card of this deck" for card in value if card not in deck), None)


def _hex(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return None if is_hex(value, HEX[name]) else f"its {name} is not {HEX[name]} hex digits"


def _order(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    if sorted(value) == list(range(seats)):
        return None
    return f"order {list(value)} does not seat each player once"


def _rules(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return lacking(value)


def _sides(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    if sorted([seat for side in value for seat in side]) == list(range(seats)):
        return None
    return f"sides {[list(side) for side in value]} do not hold each seat once"


_CHECKS: dict[str, Check] = {
    **dict.fromkeys(ONE_SEAT, _one_seat),
    **dict.fromkeys(SEATS, _seats),
    **dict.fromkeys(EACH_SEAT, _each_seat),
    **dict.fromkeys(CARDS, _cards),
    **dict.fromkeys(PARTS, _parts),
    **dict.fromkeys(PART, _part),
    **dict.fromkeys(HEX, _hex),
    "card": _card,
    "order": _order,
    "rules": _rules,
    "sides": _sides,
}
"""What is asked of a field, by its name."""


def is_hex(text: str, digits: int) -> bool:
    """Whether `text` is that many lower-case hex digits."""
    return len(text) == digits and not text.strip("0123456789abcdef")


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
