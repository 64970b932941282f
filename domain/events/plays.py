"""Facts of the auction, of the cards and of the score."""

from dataclasses import dataclass, field
from functools import cache

from domain.cards import Card, Suit
from domain.events.deals import Seats


@dataclass(frozen=True)
class Play:
    """A card on the table and the seat that played it."""

    seat: int
    card: Card


@cache
def play(seat: int, card: Card) -> Play:
    """The same value each time: there are no more of them than seats times cards."""
    return Play(seat, card)


@dataclass(frozen=True)
class Peg:
    """One point somebody won; `credited` is false for a set pitcher's and after the game is decided (R-S15)."""

    point: str
    worth: int
    seat: int
    card: Card | None
    credited: bool


@dataclass(frozen=True)
class BidMade:
    """A seat bid."""

    seat: int
    bid: int
    next: Seats


@dataclass(frozen=True)
class BidPassed:
    """A seat passed."""

    seat: int
    next: Seats


@dataclass(frozen=True)
class HandThrownIn:
    """Everybody passed: no play, no score (S16)."""

    hand: int


@dataclass(frozen=True)
class AuctionWon:
    """The pitcher; `max` when the bid was all there was to bid; the pitcher's side stands first."""

    seat: int
    bid: int
    forced: bool
    max: bool
    sides: tuple[Seats, ...]
    next: Seats


@dataclass(frozen=True)
class TrumpNamed:
    """The pitcher names trump (R-C2)."""

    seat: int
    suit: Suit
    next: Seats


@dataclass(frozen=True)
class PartnerCalled:
    """The pitcher calls a card; who holds it becomes his partner (C13, R-C28)."""

    seat: int
    card: Card
    next: Seats


@dataclass(frozen=True)
class PartnerRevealed:
    """The call takes effect; `seat` is None where nobody, or the pitcher himself, has the card (C14)."""

    bidder: int
    seat: int | None
    card: Card
    sides: tuple[Seats, ...]
    next: Seats


@dataclass(frozen=True)
class CardsDiscarded:
    """A seat threw so many cards away, of which `shown` lie open (R-C3, R-C48)."""

    seat: int
    count: int
    shown: tuple[Card, ...]
    next: Seats


@dataclass(frozen=True)
class CardsBuried:
    """The discards that were not shown; seen by that seat."""

    n: int
    seat: int
    cards: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True)
class CardsDrawn:
    """A seat fills up from the front of the stock."""

    seat: int
    count: int


@dataclass(frozen=True)
class StockTaken:
    """The pitcher takes the rest of the stock."""

    seat: int
    count: int
    next: Seats


@dataclass(frozen=True)
class CardsTaken:
    """The cards a seat got from the stock; seen by that seat."""

    n: int
    seat: int
    cards: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True)
class TrumpPitched:
    """The pitcher's first lead makes its suit trump (S33); stands just before that card."""

    seat: int
    suit: Suit
    card: Card


@dataclass(frozen=True)
class CardPlayed:
    """A seat played a card."""

    seat: int
    card: Card
    next: Seats


@dataclass(frozen=True)
class TrickTaken:
    """A trick is gathered by `seat`; `kept` are cards that stay with who played them."""

    hand: int
    trick: int
    seat: int
    plays: tuple[Play, ...]
    kept: tuple[Play, ...]
    next: Seats


@dataclass(frozen=True)
class HandScored:
    """The hand's points in pegging order, each seat's game count, and scores = old scores + changes."""

    hand: int
    pegs: tuple[Peg, ...]
    counts: tuple[int, ...]
    made: bool | None
    changes: tuple[int, ...]
    scores: tuple[int, ...]
    tricks: tuple[int, ...]
    bids: tuple[int | None, ...]
