"""Trumps and their order, recomputed from the rules in force (R-C11 to R-C17, R-C52)."""

from collections.abc import Sequence
from functools import lru_cache

from domain.cards import JOKERS, OFF_SUIT, RANK, SUIT, Card, Rank, Suit
from domain.memo import memoize_by_identity
from domain.rules.choices import Jokers
from domain.rules.model import Point, Rules


@lru_cache(maxsize=64)
def trump_cards(off: tuple[Rank, ...], trump: Suit) -> frozenset[Card]:
    """Return the cards of the trump suit, the jokers, and the off cards: same color, and a rank in `off`."""
    suited = [card for card, suit in SUIT.items() if suit in (None, trump)]
    return frozenset([*suited, *(Card(rank + OFF_SUIT[trump]) for rank in off)])


def is_trump(rules: Rules, trump: Suit | None, card: Card) -> bool:
    """Tell whether a card is of the trump suit, a joker, or an off card: same color, and a rank in `rules.off`."""
    return trump is not None and card in trump_cards(rules.off, trump)


def trump_height(rules: Rules, trump: Suit | None, card: Card, jokers: Sequence[Card]) -> tuple[int, int]:
    """Return a key that sorts trumps from the lowest; `jokers` are in the order in which they were played."""
    place = _place_by_rank(rules).get(RANK[card], 0)
    height = -place if rules.reverse else place
    if SUIT[card] is None:
        return height, _joker_height(rules, card, jokers)
    return height, 0 if SUIT[card] == trump else -1


def _joker_height(rules: Rules, card: Card, jokers: Sequence[Card]) -> int:
    """Return a key that sorts jokers from the lower: by their mark, or by the order in which they were played."""
    played = jokers.index(card) if card in jokers else len(jokers)
    match rules.joker_order:
        case Jokers.MARKED:
            return -JOKERS.index(card)
        case Jokers.SECOND_HIGH:
            return played
        case Jokers.FIRST_LOW if rules.reverse:
            return played
        case _:
            return -played


@memoize_by_identity
def _place_by_rank(rules: Rules) -> dict[Rank, int]:
    return {rank: rules.ranks.index(rank) for rank in rules.ranks}


def scoring_card(point: Point, trump: Suit) -> Card:
    """Return the card that a point names: of the trump suit, or of the other suit of its color."""
    return Card(f"{point.rank}{OFF_SUIT[trump] if point.off else trump}")


def jokers_of(cards: Sequence[Card]) -> list[Card]:
    """Return the jokers among `cards`, in their order."""
    return [card for card in cards if SUIT[card] is None]
