"""What may be thrown away before the play (R-C3, R-C48)."""

from typing import NamedTuple

from domain.cards import JOKERS, Card, Suit
from domain.rules.choices import Award
from domain.rules.model import Rules
from domain.state import Hand


class DiscardOptions(NamedTuple):
    """What a seat may throw: all of `must` and others out of `of`, `least` to `most` cards in all."""

    optional: tuple[Card, ...]
    required: tuple[Card, ...]
    minimum: int
    maximum: int

    def allows(self, cards: tuple[Card, ...]) -> bool:
        """Whether these cards may be thrown."""
        thrown = set(cards)
        return (
            len(thrown) == len(cards)
            and self.minimum <= len(cards) <= self.maximum
            and thrown.issuperset(self.required)
            and thrown.issubset((*self.optional, *self.required))
        )


def point_cards(rules: Rules, trump: Suit) -> frozenset[Card]:
    """The cards that score by name in the version in force; high, low and game name none (R-C48)."""
    named = {point.card(trump) for point in rules.points if point.award is Award.CARD}
    jokers = any(point.award in (Award.JOKERS, Award.FIRST_JOKER) for point in rules.points)
    return frozenset(named | set(JOKERS)) if jokers else frozenset(named)


def cards_to_draw(rules: Rules, hand: Hand, seat: int, thrown: int) -> int:
    """How many cards `seat` draws for `thrown` of them: up to as many as are kept, but the pitcher takes the rest."""
    return 0 if seat == hand.pitcher else max(0, rules.kept_cards - (hand.counts[seat] - thrown))


def discard_options(rules: Rules, hand: Hand, seat: int) -> DiscardOptions | None:
    """What `seat` may throw; None before trump is named, and where its cards are not known.

    Who did not bid throws at least what he holds too many, and may throw more; the pitcher comes down to as many as are
    kept. Point cards are kept, as many as may be.
    """
    held = hand.cards[seat]
    if held is None or hand.trump is None:
        return None
    points = point_cards(rules, hand.trump)
    counting = tuple(card for card in held if card in points)
    others = tuple(card for card in held if card not in points)
    least = max(0, len(held) - rules.kept_cards)
    if len(counting) > rules.kept_cards:
        return DiscardOptions(counting, others, least, least)
    return DiscardOptions(others, (), least, least if seat == hand.pitcher else len(others))
