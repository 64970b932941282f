"""Facts of the auction, the cards and the score."""

from domain.cards import Card, Suit
from domain.events.dealing import Seats
from domain.events.declaring import Audience, Author, fact, gains
from domain.struct import Value, redacted_repr


class Play(Value, frozen=True):
    """A card on the table and the seat that played it."""

    seat: int
    card: Card


class Peg(Value, frozen=True):
    """One point won. `credited` is false for a set pitcher, and once the game is decided (R-S15)."""

    point: str
    worth: int
    seat: int
    card: Card | None
    credited: bool


@fact(Author.SEAT, Audience.EVERYBODY)
class BidMade(Value, frozen=True):
    """A seat bid."""

    seat: int
    bid: int
    next: Seats


@fact(Author.SEAT, Audience.EVERYBODY)
class BidPassed(Value, frozen=True):
    """A seat passed."""

    seat: int
    next: Seats


@fact(Author.TABLE, Audience.EVERYBODY)
class HandThrownIn(Value, frozen=True):
    """Everybody passed: the hand has no play and no score (S16)."""

    hand: int


@fact(Author.TABLE, Audience.EVERYBODY)
class AuctionWon(Value, frozen=True):
    """A seat becomes the pitcher. `max` means that it bid every point. The pitcher's side comes first in `sides`."""

    seat: int
    bid: int
    forced: bool
    max: bool
    sides: tuple[Seats, ...]
    next: Seats


@fact(Author.SEAT, Audience.EVERYBODY)
class TrumpNamed(Value, frozen=True):
    """The pitcher names trump (R-C2)."""

    seat: int
    suit: Suit
    next: Seats


@fact(Author.SEAT, Audience.EVERYBODY, gains(begins_turn=False))
class PartnerCalled(Value, frozen=True):
    """The pitcher calls a card. Its holder becomes the pitcher's partner (C13, R-C28).

    `begins_turn` says that the table waited for this call, so that the pitcher's turn ends with it. After any other
    call, and after one of version 1, the turn goes on unless other seats must move.
    """

    seat: int
    card: Card
    next: Seats
    begins_turn: bool = True


@fact(Author.TABLE, Audience.EVERYBODY)
class PartnerRevealed(Value, frozen=True):
    """The call takes effect. `seat` is null if nobody holds the card, or the pitcher does (C14)."""

    bidder: int
    seat: int | None
    card: Card
    sides: tuple[Seats, ...]
    next: Seats


@fact(Author.SEAT, Audience.EVERYBODY)
class CardsDiscarded(Value, frozen=True):
    """A seat discards `count` cards, with those in `shown` face up (R-C3, R-C48)."""

    seat: int
    count: int
    shown: tuple[Card, ...]
    next: Seats


@fact(Author.SEAT, Audience.SIGHT)
class CardsBuried(Value, frozen=True):
    """The face-down discards. Only that seat sees them."""

    n: int
    seat: int
    cards: tuple[Card, ...]

    __repr__ = redacted_repr("cards")


@fact(Author.SEAT, Audience.EVERYBODY)
class CardsDrawn(Value, frozen=True):
    """A seat draws from the front of the stock."""

    seat: int
    count: int


@fact(Author.SEAT, Audience.EVERYBODY)
class StockTaken(Value, frozen=True):
    """The pitcher takes the rest of the stock."""

    seat: int
    count: int
    next: Seats


@fact(Author.SEAT, Audience.SIGHT)
class CardsTaken(Value, frozen=True):
    """The cards that a seat got from the stock. Only that seat sees them."""

    n: int
    seat: int
    cards: tuple[Card, ...]

    __repr__ = redacted_repr("cards")


@fact(Author.SEAT, Audience.EVERYBODY)
class TrumpPitched(Value, frozen=True):
    """The pitcher's first lead makes its suit trump (S33). Recorded just before that card."""

    seat: int
    suit: Suit
    card: Card


@fact(Author.SEAT, Audience.EVERYBODY)
class CardPlayed(Value, frozen=True):
    """A seat played a card."""

    seat: int
    card: Card
    next: Seats


@fact(Author.TABLE, Audience.EVERYBODY)
class TrickTaken(Value, frozen=True):
    """A seat takes a trick. The cards in `kept` stay with the seats that played them."""

    hand: int
    trick: int
    seat: int
    plays: tuple[Play, ...]
    kept: tuple[Play, ...]
    next: Seats


@fact(Author.TABLE, Audience.EVERYBODY)
class HandScored(Value, frozen=True):
    """The hand's points in pegging order, each seat's game count, and the scores: the old scores plus `changes`."""

    hand: int
    pegs: tuple[Peg, ...]
    counts: tuple[int, ...]
    made: bool | None
    changes: tuple[int, ...]
    scores: tuple[int, ...]
    tricks: tuple[int, ...]
    bids: tuple[int | None, ...]
