"""Checks that a fact can belong to this table: its seats exist, lists per seat are complete, its cards are in the deck.

A history can come from anybody, so the fold checks each fact before it computes anything from it.
"""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from domain.cards import DECK_INDEX
from domain.events import GameOpened, HandScored
from domain.memo import memoize_by_identity
from domain.rules.choices import Bids, Tally
from domain.rules.model import Rules

SEAT_FIELDS = ("seat", "dealer", "eldest", "winner", "accused", "bidder", "partner", "late")
SEAT_LIST_FIELDS = ("next", "missing", "winners", "seats")
PER_SEAT_FIELDS = ("counts", "changes", "scores", "tricks", "bids")
CARD_LIST_FIELDS = ("cards", "shown")
PART_LIST_FIELDS = ("plays", "kept", "pegs")
PART_FIELDS = ("ruled",)
HEX_DIGITS = {"seed": 64, "commit": 64, "cut": 64, "next_seal": 64, "note": 64, "signature": 96}
Check = Callable[[str, Any, int, Collection[str]], str | None]
MAX_NUMBER = 1000
"""An upper limit for the cards of a hand and the worth of a point."""


def shape_fault(fact: Any, seats: int, deck: Collection[str]) -> str | None:
    """Return why `fact` can't belong to a table of `seats` seats that plays with `deck`, or None.

    A set as `deck` is fastest.
    """
    for name, check in _checks_of(fact.__class__):
        value = getattr(fact, name)
        if value is None or (name == "counts" and value == () and isinstance(fact, HandScored)):
            continue
        if fault := check(name, value, seats, deck):
            return fault
    return None


@cache
def _checks_of(kind: type[Any]) -> tuple[tuple[str, Check], ...]:
    """Return the checks for the fields of a fact of this kind, in the order they are stored."""
    return tuple((name, _CHECKS[name]) for name in sorted(kind.__annotations__) if name in _CHECKS)


def _check_parts(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return next(filter(None, [shape_fault(part, seats, deck) for part in value]), None)


def _check_part(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return shape_fault(value, seats, deck)


def _check_seat(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return None if 0 <= value < seats else f"{name} {value} is not a seat of this table"


def _check_seats(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    for seat in value:
        if not 0 <= seat < seats:
            return f"{name} {list(value)} names a seat that this table doesn't have"
    return None


def _check_length(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return None if len(value) == seats else f"{name} has {len(value)} entries for {seats} seats"


def _check_card(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return None if value in deck else f"{value!r} is not a card of this deck"


def _check_cards(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return next((f"{card!r} is not a card of this deck" for card in value if card not in deck), None)


def _check_hex(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return None if is_lower_hex(value, HEX_DIGITS[name]) else f"its {name} is not {HEX_DIGITS[name]} hex digits"


def _check_order(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    if sorted(value) == list(range(seats)):
        return None
    return f"order {list(value)} does not seat each player once"


def _check_rules(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    return rules_fault(value)


def _check_sides(name: str, value: Any, seats: int, deck: Collection[str]) -> str | None:
    if sorted([seat for side in value for seat in side]) == list(range(seats)):
        return None
    return f"sides {[list(side) for side in value]} do not hold each seat once"


_CHECKS: dict[str, Check] = {
    **dict.fromkeys(SEAT_FIELDS, _check_seat),
    **dict.fromkeys(SEAT_LIST_FIELDS, _check_seats),
    **dict.fromkeys(PER_SEAT_FIELDS, _check_length),
    **dict.fromkeys(CARD_LIST_FIELDS, _check_cards),
    **dict.fromkeys(PART_LIST_FIELDS, _check_parts),
    **dict.fromkeys(PART_FIELDS, _check_part),
    **dict.fromkeys(HEX_DIGITS, _check_hex),
    "card": _check_card,
    "order": _check_order,
    "rules": _check_rules,
    "sides": _check_sides,
}
"""The check for a field, by its name."""


def is_lower_hex(text: str, digits: int) -> bool:
    """Return whether `text` is exactly `digits` lower-case hex digits."""
    return len(text) == digits and not text.strip("0123456789abcdef")


def opening_fault(opened: GameOpened) -> str | None:
    """Return why no game can follow this opening, or None."""
    rules, players = opened.rules, opened.players
    if not players or len({player.player for player in players}) < len(players):
        return "it has no players, or one player sits twice"
    if (
        not opened.deck
        or len(set(opened.deck)) < len(opened.deck)
        or not all(card in DECK_INDEX for card in opened.deck)
    ):
        return "its deck is not a deck of cards"
    if lacks := rules_fault(rules):
        return lacks
    return shape_fault(opened, len(players), opened.deck)


@memoize_by_identity
def rules_fault(rules: Rules) -> str | None:
    """Return why no hand can be played by these rules, or None."""
    bids = rules.auction.bids or rules.auction.of is not Bids.LISTED
    if not (rules.hand_sizes and rules.sights and bids and (rules.points or rules.tally is Tally.EXACT)):
        return "its rules are missing hand sizes, sights, bids or points"
    points = [*rules.points, *(point for version in rules.changes.versions for point in version.points)]
    numbers = [*rules.hand_sizes, *(point.worth for point in points), rules.auction.least, rules.kitty]
    in_range = all(0 <= number <= MAX_NUMBER for number in numbers)
    return None if in_range else "its rules hold numbers that are out of range"
