"""Cards, written as rank and suit letter, such as "AD" or "10C"; jokers are "X1" and "X2" (S19, R-S18, R-C14)."""

from collections.abc import Iterable
from typing import Literal, NewType, get_args

Suit = Literal["C", "D", "H", "S"]
Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "X"]
Card = NewType("Card", str)
"""A card in its only spelling; get one from a parser or from a deck, never build it by hand."""

SUITS: tuple[Suit, ...] = get_args(Suit)
RANKS: tuple[Rank, ...] = get_args(Rank)[:-1]
JOKERS = (Card("X1"), Card("X2"))

SUIT: dict[Card, Suit | None] = {Card(rank + suit): suit for suit in SUITS for rank in RANKS} | dict.fromkeys(JOKERS)
"""Each card's suit; a joker has none."""
RANK: dict[Card, Rank] = {Card(rank + suit): rank for suit in SUITS for rank in RANKS} | dict.fromkeys(JOKERS, "X")

SUIT_NAMES: dict[Suit, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
OFF_SUIT: dict[Suit, Suit] = {"C": "S", "S": "C", "D": "H", "H": "D"}
"""The other suit of the same color."""

DECK_52: tuple[Card, ...] = tuple(card for card in SUIT if card not in JOKERS)
DECK_54: tuple[Card, ...] = DECK_52 + JOKERS
DECK_INDEX: dict[Card, int] = {card: place for place, card in enumerate(DECK_54)}
"""Each card's index in the canonical deck: suits C D H S, ranks 2 to A, then X1 X2 (fairdeal/1)."""


class NotACard(ValueError):
    """The text doesn't name a card."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} isn't a card. Write the rank and then the suit, such as AD, 10C, KH, or 2S.")


def parse_exact_card(text: str) -> Card:
    """Return the card with this exact spelling ("10C", "X1"), or raise NotACard."""
    card = Card(text)
    if card not in DECK_INDEX:
        raise NotACard(text)
    return card


SUIT_SYMBOLS = str.maketrans("♣♧♦♢♥♡♠♤", "CCDDHHSS", "\ufe0e\ufe0f")
"""The symbols of suits by letter; browsers add a variation selector to some."""


def parse_card(text: str) -> Card:
    """Return a card as people type it, in either case, with `T` for ten (R-S18) and ♦ for D, or raise NotACard."""
    plain = text.translate(SUIT_SYMBOLS)
    spelled = plain.upper() if plain.isascii() else plain
    if len(spelled) == 2 and spelled[0] == "T":
        spelled = "10" + spelled[1]
    if Card(spelled) not in DECK_INDEX:
        raise NotACard(text)
    return Card(spelled)


def suit_of(card: Card) -> Suit:
    """Return the suit of a card; raise ValueError for a joker."""
    suit = SUIT[card]
    if suit is None:
        raise ValueError(f"{card} has no suit")
    return suit


def sort_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return `cards` in canonical deck order."""
    return tuple(sorted(cards, key=DECK_INDEX.__getitem__))
