"""Playing to a trick: what may be played and who takes it."""

from collections.abc import Sequence
from functools import lru_cache

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


@lru_cache(maxsize=256)
def strengths(ranks: tuple[Rank, ...], trump: Suit | None, led: Suit | None) -> dict[Card, int]:
    """Each card's strength in a trick: trumps over the suit led over the rest; only comparisons mean anything."""
    place = {rank: at for at, rank in enumerate(ranks)}
    above = {trump: 2 * len(ranks)} if trump == led else {trump: 2 * len(ranks), led: len(ranks)}
    return {card: above.get(SUIT[card], 0) + place[RANK[card]] for card in SUIT if RANK[card] in place}


def taker(ranks: tuple[Rank, ...], plays: Sequence[Play], trump: Suit | None) -> int:
    """The seat that takes the trick: highest trump, else highest of the suit led (S37)."""
    strength = strengths(ranks, trump, SUIT[plays[0].card])
    return max(plays, key=lambda play: strength[play.card]).seat
