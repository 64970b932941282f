"""Which cards a seat can discard before the play (R-C3, R-C48)."""

from typing import NamedTuple

from domain.cards import JOKERS, SUITS, Card, Suit
from domain.memo import memoize_by_identity
from domain.rules.choices import Award
from domain.rules.model import Rules
from domain.state import Hand


class DiscardOptions(NamedTuple):
    """A seat's options: all of `required` and others from `optional`, `minimum` to `maximum` cards in total."""

    optional: tuple[Card, ...]
    required: tuple[Card, ...]
    minimum: int
    maximum: int

    def allows(self, cards: tuple[Card, ...]) -> bool:
        """Return whether a seat can discard these cards."""
        thrown = set(cards)
        return (
            len(thrown) == len(cards)
            and self.minimum <= len(cards) <= self.maximum
            and thrown.issuperset(self.required)
            and thrown.issubset((*self.optional, *self.required))
        )


def point_cards(rules: Rules, trump: Suit) -> frozenset[Card]:
    """Return the cards that score by name in the version in force; high, low, and game name no card (R-C48)."""
    return _point_cards_by_trump(rules)[trump]


@memoize_by_identity
def _point_cards_by_trump(rules: Rules) -> dict[Suit, frozenset[Card]]:
    jokers = JOKERS if any(point.award in (Award.JOKERS, Award.FIRST_JOKER) for point in rules.points) else ()
    named = [point for point in rules.points if point.award is Award.CARD]
    return {trump: frozenset([*jokers, *(point.card(trump) for point in named)]) for trump in SUITS}


def cards_to_draw(rules: Rules, hand: Hand, seat: int, thrown: int) -> int:
    """Return how many cards `seat` draws after it discards `thrown`; none for the pitcher, who takes the rest."""
    return 0 if seat == hand.pitcher else max(0, rules.kept_cards - (hand.counts[seat] - thrown))


def discard_options(rules: Rules, hand: Hand, seat: int) -> DiscardOptions | None:
    """Return what `seat` can discard; None before trump is named, or if its cards are unknown.

    The pitcher comes down to exactly `kept_cards`. The others discard at least their surplus, and can discard more.
    A seat keeps as many point cards as possible.
    """
    held = hand.cards[seat]
    if held is None or hand.trump is None:
        return None
    points = point_cards(rules, hand.trump)
    counting = tuple([card for card in held if card in points])
    others = tuple([card for card in held if card not in points])
    least = max(0, len(held) - rules.kept_cards)
    if len(counting) > rules.kept_cards:
        return DiscardOptions(counting, others, least, least)
    return DiscardOptions(others, (), least, least if seat == hand.pitcher else len(others))
