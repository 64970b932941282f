"""Playing to a trick: what may be played and who takes it."""

from collections.abc import Sequence

from domain.cards import RANK, SUIT, Card, Rank, Suit
from domain.events import Play
from domain.rules import Follow


def legal_cards(follow: Follow, cards: Sequence[Card], trump: Suit | None, led: Suit | None) -> tuple[Card, ...]:
    """What of `cards` may be played: anything to lead (R-S7, R-S9), else the suit led, or a trump where rules let.

    Trump led must be followed if possible (S34, R-S8); with a plain suit led one may trump even when able to follow
    (S35); who cannot follow plays anything (S36).
    """
    suits = [SUIT[card] for card in cards]
    if led is None or led not in suits:
        return tuple(cards)
    ruff = trump if follow is Follow.SUIT_OR_TRUMP else led
    return tuple([card for card, suit in zip(cards, suits, strict=True) if suit in (led, ruff)])


def strength(ranks: Sequence[Rank], card: Card, trump: Suit | None, led: Suit | None) -> int:
    """How `card` ranks in a trick: trumps over the suit led over the rest; only comparisons mean anything."""
    place = ranks.index(RANK[card])
    suit = SUIT[card]
    if suit == trump:
        return 2 * len(ranks) + place
    return len(ranks) + place if suit == led else place - len(ranks)


def taker(ranks: Sequence[Rank], plays: Sequence[Play], trump: Suit | None) -> int:
    """The seat that takes the trick: highest trump, else highest of the suit led (S37)."""
    led = SUIT[plays[0].card]
    return max(plays, key=lambda play: strength(ranks, play.card, trump, led)).seat
