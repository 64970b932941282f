"""Which cards a seat can discard before the play (R-C3, R-C48)."""

from typing import NamedTuple

from domain.cards import JOKERS, SUITS, Card, Suit, sort_cards
from domain.engine.tricks import suit_by_card
from domain.memo import memoize_by_identity
from domain.rules.choices import Award, Fill, Quirk, Throw
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


def stock_taker(rules: Rules, hand: Hand) -> int | None:
    """Return the seat that takes stock without a discard for it, and discards last: the pitcher, or the dealer."""
    return hand.dealer if rules.fill is Fill.DEALER else hand.pitcher


def has_surplus(rules: Rules, hand: Hand, seat: int) -> bool:
    """Return whether `seat` holds more cards than it keeps."""
    return hand.counts[seat] > rules.kept_cards


def cards_to_draw(rules: Rules, hand: Hand, seat: int, thrown: int) -> int:
    """Return how many cards `seat` wants to draw after it discards `thrown`; the stock may have fewer.

    The seat that takes the stock draws none, and nobody does if only the kitty is taken.
    """
    if seat == stock_taker(rules, hand) or rules.fill is Fill.KITTY:
        return 0
    return max(0, rules.kept_cards - (hand.counts[seat] - thrown))


def discard_options(rules: Rules, hand: Hand, seat: int) -> DiscardOptions | None:
    """Return what `seat` can discard; None before trump is named, or if its cards are unknown.

    The seat that takes the stock comes down to exactly `kept_cards`, and so does every seat if nobody draws. The others
    discard at least their surplus, and can discard more, up to `most_thrown`. Cards that stay are thrown only by a seat
    that holds more of them than it can keep; then it comes down to exactly `kept_cards` (R-C3, R-C48, H3).
    """
    held = hand.cards[seat]
    if held is None or hand.trump is None:
        return None
    least, tiers = max(0, len(held) - rules.kept_cards), _tiers(rules, hand, hand.trump, seat)
    at = next(at for at in range(len(tiers)) if sum(map(len, tiers[: at + 1])) >= least)
    required = sort_cards([card for tier in tiers[:at] for card in tier])
    most = least
    if not at and seat != stock_taker(rules, hand) and rules.fill is not Fill.KITTY:
        most = len(tiers[0]) if rules.most_thrown is None else min(len(tiers[0]), max(least, rules.most_thrown))
    return DiscardOptions(tiers[at], required, least, most)


def _tiers(rules: Rules, hand: Hand, trump: Suit, seat: int) -> tuple[tuple[Card, ...], ...]:
    """Return the cards that a seat can throw, those first that it throws before all others.

    The partner's called card isn't among them.
    """
    held = hand.cards[seat] or ()
    points, suits, safe = point_cards(rules, trump), suit_by_card(rules.off, trump), None
    if seat != hand.pitcher and Quirk.CALLED_CARD_THROWN not in rules.quirks:
        safe = hand.called
    counting = tuple([card for card in held if card in points and card != safe])
    others = tuple([card for card in held if card not in points and card != safe])
    if rules.throw is Throw.POINTS_STAY:
        return others, counting
    plain = tuple([card for card in held if suits[card] != trump and card != safe])
    trumps = tuple([card for card in others if suits[card] == trump])
    return plain, trumps, tuple([card for card in counting if suits[card] == trump])
