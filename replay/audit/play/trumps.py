"""Which cards are trumps and how high they stand, worked out anew from the rules in force (R-C11 to R-C17, R-C52)."""

from collections.abc import Sequence

from domain.cards import OFF_SUIT, RANK, SUIT, Card, Suit
from domain.rules.choices import Jokers
from domain.rules.model import Point, Rules


def is_trump(rules: Rules, trump: Suit | None, card: Card) -> bool:
    """A card of the trump suit, a joker, or a card of the other suit of its colour whose rank counts as a trump."""
    if trump is None:
        return False
    if SUIT[card] in (None, trump):
        return True
    return SUIT[card] == OFF_SUIT[trump] and RANK[card] in rules.off


def trump_height(rules: Rules, trump: Suit | None, card: Card, jokers: Sequence[Card]) -> tuple[int, int]:
    """How high a trump stands; `jokers` in the order they were put on the table."""
    place = rules.ranks.index(RANK[card]) if RANK[card] in rules.ranks else 0
    up = -place if rules.reverse else place
    if SUIT[card] is None:
        later_is_higher = rules.reverse and rules.joker_order is Jokers.FIRST_LOW
        later = jokers.index(card) if card in jokers else len(jokers)
        return up, later if later_is_higher else -later
    return up, 0 if SUIT[card] == trump else -1


def scoring_card(point: Point, trump: Suit) -> Card:
    """The card of the trump suit, or of the other of its colour, that a point names."""
    return Card(f"{point.rank}{OFF_SUIT[trump] if point.off else trump}")


def jokers_of(cards: Sequence[Card]) -> list[Card]:
    """The jokers among `cards`, in their order."""
    return [card for card in cards if SUIT[card] is None]
