"""The facts: their names and fields are the storage format (contract.md section 2).

Seats are 0..n-1 in the order of play. A field called `next` names the seats that must move now; it is empty where a
later fact of the same commit says so or ends the hand. Secret fields stay out of every `repr`.
"""

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from domain.cards import Card, Suit
from domain.rules import Rules

Seats = tuple[int, ...]


@dataclass(frozen=True)
class Player:
    """Who was invited: an opaque player id, `kind` human or bot, and the bot's strategy."""

    player: str
    kind: str
    bot: str | None = None


@dataclass(frozen=True)
class Play:
    """A card on the table and the seat that played it."""

    seat: int
    card: Card


@dataclass(frozen=True)
class Peg:
    """One point somebody won; `credited` is false for a set pitcher's and after the game is decided (R-S15)."""

    point: str
    worth: int
    seat: int
    card: Card | None
    credited: bool


@dataclass(frozen=True)
class Timing:
    """Days without a move until a reminder, until the seat is forfeit, and for the whole game (R-P10)."""

    nag_days: int | None = 7
    forfeit_days: int | None = 21
    total_days: int | None = None
    ends_at: str | None = None


@dataclass(frozen=True)
class Fairness:
    """Whether players cut, and the window for it in seconds."""

    cuts: str = "none"
    window_s: int | None = None


@dataclass(frozen=True)
class GameOpened:
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


@dataclass(frozen=True)
class CeremonyOpened:
    """The table has committed itself to a secret seed (fairdeal/1); `seals` are the players' sealed cuts."""

    n: int
    subject: str
    commit: str
    seals: dict[str, str]


@dataclass(frozen=True)
class SeedKept:
    """The seed behind a commitment; seen by nobody until the reveal."""

    n: int
    seed: str = field(repr=False)


@dataclass(frozen=True)
class HandDealt:
    """A hand begins: who has how many cards, and on what ceremony the deal rests."""

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


@dataclass(frozen=True)
class CardsDealt:
    """One seat's cards, in the order dealt; seen by that seat."""

    n: int
    seat: int
    cards: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True)
class StockLaid:
    """The undealt cards in order; seen by nobody until the reveal."""

    n: int
    cards: tuple[Card, ...] = field(repr=False)


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


@dataclass(frozen=True)
class CeremonyRevealed:
    """The seed of a deal is public: from here on everybody sees its cards."""

    n: int
    seed: str


@dataclass(frozen=True)
class CeremonyVoided:
    """A ceremony that came to nothing, because the game ended before its deal."""

    n: int
    reason: str
    by: str
    seed: str


@dataclass(frozen=True)
class UndoAsked:
    """A seat asks to take back its last move, which would restore the play as of `to_version`."""

    seat: int
    to_version: int


@dataclass(frozen=True)
class UndoAnswered:
    """A seat's answer to the open undo."""

    seat: int
    accept: bool


@dataclass(frozen=True)
class MovesTakenBack:
    """Everybody agreed: the play stands again as it did at `to_version`."""

    seat: int
    to_version: int
    next: Seats


@dataclass(frozen=True)
class DrawProposed:
    """A seat proposes to end the game without a winner."""

    seat: int


@dataclass(frozen=True)
class DrawAnswered:
    """A seat's answer to the open draw."""

    seat: int
    accept: bool


@dataclass(frozen=True)
class SeatResigned:
    """A seat left: the table plays for it from here on, and it cannot win (R-P9)."""

    seat: int


@dataclass(frozen=True)
class GameEnded:
    """The game is over; `n` and `label` name the draw that ended it, where one did."""

    reason: str
    winners: Seats
    scores: tuple[int, ...]
    n: int | None = None
    label: str | None = None


Fact = (
    GameOpened
    | CeremonyOpened
    | SeedKept
    | HandDealt
    | CardsDealt
    | StockLaid
    | BidMade
    | BidPassed
    | HandThrownIn
    | AuctionWon
    | TrumpPitched
    | CardPlayed
    | TrickTaken
    | HandScored
    | CeremonyRevealed
    | CeremonyVoided
    | UndoAsked
    | UndoAnswered
    | MovesTakenBack
    | DrawProposed
    | DrawAnswered
    | SeatResigned
    | GameEnded
)

F_co = TypeVar("F_co", covariant=True)


@dataclass(frozen=True)
class Event(Generic[F_co]):
    """A fact in its envelope, field for field as it is stored (contract.md section 1).

    `at` is UTC with six decimals; `by` a player id or "server"; `seen_by` the seats that see it, None for everybody.
    """

    at: str
    by: str
    command: str
    data: F_co
    fact: str
    game: str
    salt: str = field(repr=False)
    seen_by: Seats | None
    v: int
    version: int


FACTS: dict[str, type[Any]] = {fact.__name__: fact for fact in Fact.__args__}
"""Each fact by its stored name."""
FACT_VERSIONS: dict[str, int] = dict.fromkeys(FACTS, 1)
"""The version of each fact's fields that is written today; older ones are read through upcasts."""
