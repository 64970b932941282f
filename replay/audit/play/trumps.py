"""Trumps and their order, recomputed from the rules in force (R-C11 to R-C17, R-C52)."""

from collections.abc import Sequence

from domain.cards import OFF_SUIT, RANK, SUIT, Card, Suit
from domain.rules.choices import Jokers
from domain.rules.model import Point, Rules


def is_trump(rules: Rules, trump: Suit | None, card: Card) -> bool:
    """Tell whether a card is of the trump suit, a joker, or an off card: same color, and a rank in `rules.off`."""
    if trump is None:
        return False
    if SUIT[card] in (None, trump):
        return True
    return SUIT[card] == OFF_SUIT[trump] and RANK[card] in rules.off


def trump_height(rules: Rules, trump: Suit | None, card: Card, jokers: Sequence[Card]) -> tuple[int, int]:
    """Return a key that sorts trumps from the lowest; `jokers` are in the order in which they were played."""
    place = rules.ranks.index(RANK[card]) if RANK[card] in rules.ranks else 0
    height = -place if rules.reverse else place
    if SUIT[card] is None:
        later_is_higher = rules.reverse and rules.joker_order is Jokers.FIRST_LOW
        order = jokers.index(card) if card in jokers else len(jokers)
        return height, order if later_is_higher else -order
    return height, 0 if SUIT[card] == trump else -1


def scoring_card(point: Point, trump: Suit) -> Card:
    """Return the card that a point names: of the trump suit, or of the other suit of its color."""
    return Card(f"{point.rank}{OFF_SUIT[trump] if point.off else trump}")


def jokers_of(cards: Sequence[Card]) -> list[Card]:
    """Return the jokers among `cards`, in their order."""
    return [card for card in cards if SUIT[card] is None]
