"""Facts of the opening, of the ceremonies and of the deals."""

from typing import Any

from domain.cards import Card, Suit
from domain.rules.model import Rules
from domain.struct import Value, redacted_repr

Seats = tuple[int, ...]


class Player(Value, frozen=True):
    """Who was invited: an opaque player id, `kind` human or bot, and the bot's strategy."""

    player: str
    kind: str
    bot: str | None = None


class Timing(Value, frozen=True):
    """Days without a move until a reminder, until the seat is forfeit, and for the whole game (R-P10)."""

    nag_days: int | None = 7
    forfeit_days: int | None = 21
    total_days: int | None = None
    ends_at: str | None = None


class Fairness(Value, frozen=True):
    """Whether players cut, and the window for it in seconds."""

    cuts: str = "none"
    window_s: int | None = None


class GameOpened(Value, frozen=True):
    """A game starts: the rules whole, and the players in the order given."""

    board: int
    variant: str
    rules: Rules
    options: dict[str, Any]
    sides: tuple[Seats, ...]
    players: tuple[Player, ...]
    deck: tuple[Card, ...]
    timing: Timing
    fairness: Fairness
    reveal: str


class SeatsDrawn(Value, frozen=True):
    """Who sits where: `order[i]` is the index into the players of who sits at seat i (R-B1)."""

    n: int
    order: Seats


class DealerDrawn(Value, frozen=True):
    """The seat that deals hand 1 (R-T1, R-C8)."""

    n: int
    seat: int


class CeremonyOpened(Value, frozen=True):
    """The table has committed itself to a secret seed (fairdeal/1); `seals` are the players' sealed cuts."""

    n: int
    subject: str
    commit: str
    seals: dict[str, str]


class SeedKept(Value, frozen=True):
    """The seed behind a commitment; seen by nobody until the reveal."""

    n: int
    seed: str

    __repr__ = redacted_repr("seed")


class CutOpened(Value, frozen=True):
    """A player's cut after the commitment, 32 bytes in hex; `next_seal` promises the one for the next deal."""

    n: int
    seat: int
    cut: str
    next_seal: str | None


class HandDealt(Value, frozen=True):
    """A hand begins: who has how many cards, and on what ceremony the deal rests.

    `cuts` are those that count, by source, ascending; `missing` are the seats that had sealed one and kept it back.
    """

    hand: int
    redeal: int
    n: int
    dealer: int
    eldest: int
    counts: tuple[int, ...]
    stock: int
    cuts: tuple[tuple[str, str], ...]
    missing: Seats
    grade: str
    next: Seats


class CardsDealt(Value, frozen=True):
    """One seat's cards, in the order dealt; seen by that seat."""

    n: int
    seat: int
    cards: tuple[Card, ...]

    __repr__ = redacted_repr("cards")


class StockLaid(Value, frozen=True):
    """The undealt cards in order; seen by nobody until the reveal."""

    n: int
    cards: tuple[Card, ...]

    __repr__ = redacted_repr("cards")


class MisdealDeclared(Value, frozen=True):
    """Seats without an honour: the same dealer deals the hand again (C4, R-C4)."""

    hand: int
    redeal: int
    seats: Seats


class TrumpTurnedUp(Value, frozen=True):
    """The first card of the stock makes its suit trump, and stays out of play (B10, R-B6)."""

    hand: int
    card: Card
    suit: Suit


class CeremonyRevealed(Value, frozen=True):
    """The seed of a deal is public: from here on everybody sees its cards."""

    n: int
    seed: str


class CeremonyVoided(Value, frozen=True):
    """A ceremony that came to nothing: the game ended before its deal, or an arbiter voided it."""

    n: int
    reason: str
    by: str
    seed: str


class CoinFlipped(Value, frozen=True):
    """A draw between the seats that are still tied (B26)."""

    n: int
    seats: Seats
    winner: int
