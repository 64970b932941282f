"""Facts of the opening, of the ceremonies and of the deals."""

from typing import Any

from domain.cards import Card, Suit
from domain.events.declaring import Audience, Author, Data, Older, fact, gains
from domain.rules.model import Rules
from domain.struct import Value, redacted_repr

Seats = tuple[int, ...]


class Player(Value, frozen=True):
    """An invited player: an opaque player id, `kind` human or bot, and the bot's strategy."""

    player: str
    kind: str
    bot: str | None = None


class TurnPace(Value, frozen=True):
    """A clock in seconds, of the kind `live`, `daily` or `bank` (R-P15).

    A seat has `base_s` seconds at first. Each turn adds `move_s` or `increment_s`, in an auction `auction_s` if the
    table has it. Unused time is kept, up to `cap_s`; a `daily` clock keeps none.
    """

    kind: str
    base_s: int | None = None
    move_s: int | None = None
    increment_s: int | None = None
    auction_s: int | None = None
    cap_s: int | None = None


class Timing(Value, frozen=True):
    """Days without a move until a reminder and until the seat is forfeited, and days for the whole game (R-P10).

    A game with a `pace` has no `forfeit_days`.
    """

    nag_days: int | None = 7
    forfeit_days: int | None = 21
    total_days: int | None = None
    ends_at: str | None = None
    pace: TurnPace | None = None


class Fairness(Value, frozen=True):
    """Whether players cut, how many seconds they have for it, and the chain of the beacon that is mixed in, if any."""

    cuts: str = "none"
    window_s: int | None = None
    beacon: str | None = None


class GameLimits(Value, frozen=True):
    """How long the log of a game may grow, and how many proposals a seat may make in a hand.

    Once the log has `events` events, the game ends instead of another deal.
    """

    events: int
    proposals: int


class Rating(Value, frozen=True):
    """Whether a game counts for ratings, and the code of the reason."""

    counts: bool
    reason: str


class Watch(Value, frozen=True):
    """Whether anybody may watch a game, and by how many facts they see it late."""

    public: bool = True
    delay: int = 0


def _without_limits(data: Data) -> Data:
    """Before version 2 no game had limits, a rating or a clock, everybody could watch, and an undo needed consent."""
    watch = {"public": True, "delay": 0}
    return data | {
        "timing": data["timing"] | {"pace": None},
        "limits": None,
        "rated": None,
        "watch": watch,
        "undo": "consent",
        "autopilot": "forfeit",
    }


def _without_beacon(data: Data) -> Data:
    """Before version 3 no table asked for a beacon."""
    return data | {"fairness": data["fairness"] | {"beacon": None}}


@fact(
    Author.OPENER,
    Audience.EVERYBODY,
    Older(("limits", "rated", "watch", "undo", "autopilot", "timing.pace"), _without_limits),
    Older(("fairness.beacon",), _without_beacon),
)
class GameOpened(Value, frozen=True):
    """A game starts, with all of its rules, and the players in the order given.

    `limits` and `rated` are null for a game without limits and without a rating. `undo` says how a move is taken back:
    by `consent`, as in `practice`, or `none`. `autopilot` says what becomes of a seat that is out of time.
    """

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
    limits: GameLimits | None = None
    rated: Rating | None = None
    watch: Watch = Watch()
    undo: str = "consent"
    autopilot: str = "forfeit"


@fact(Author.TABLE, Audience.EVERYBODY)
class SeatsDrawn(Value, frozen=True):
    """The players are seated: `order[i]` is the index of the player at seat i (R-B1)."""

    n: int
    order: Seats


@fact(Author.TABLE, Audience.EVERYBODY)
class DealerDrawn(Value, frozen=True):
    """The seat that deals hand 1 is drawn (R-T1, R-C8)."""

    n: int
    seat: int


@fact(Author.TABLE, Audience.EVERYBODY, gains(beacon=None))
class CeremonyOpened(Value, frozen=True):
    """The table commits itself to a secret seed (fairdeal/1). `seals` are the players' sealed cuts.

    `beacon` names the round of a public beacon whose signature is mixed in, or is null.
    """

    n: int
    subject: str
    commit: str
    seals: dict[str, str]
    beacon: str | None = None


@fact(Author.TABLE, Audience.NOBODY)
class SeedKept(Value, frozen=True):
    """The seed behind a commitment. Nobody sees it until the reveal."""

    n: int
    seed: str

    __repr__ = redacted_repr("seed")


@fact(Author.SEAT, Audience.EVERYBODY)
class CutOpened(Value, frozen=True):
    """A player's cut after the commitment, 32 bytes in hex. `next_seal` seals their cut for the next deal."""

    n: int
    seat: int
    cut: str
    next_seal: str | None


@fact(Author.BRINGER, Audience.EVERYBODY)
class BeaconRecorded(Value, frozen=True):
    """The signature of the round that the promise named, in hex, and the cut that it makes: its SHA-256 hash."""

    n: int
    source: str
    signature: str
    cut: str


@fact(Author.TABLE, Audience.EVERYBODY)
class HandDealt(Value, frozen=True):
    """A hand begins: how many cards each seat has, and the ceremony that the deal rests on.

    `cuts` are those that count, by source: seats ascending, then the beacon. `missing` are the seats that sealed a cut
    and withheld it. If the promise named a round and `cuts` lacks it, the deal went on without the beacon.
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


@fact(Author.TABLE, Audience.SIGHT)
class CardsDealt(Value, frozen=True):
    """One seat's cards, in the order dealt. Only that seat sees them."""

    n: int
    seat: int
    cards: tuple[Card, ...]

    __repr__ = redacted_repr("cards")


@fact(Author.TABLE, Audience.NOBODY)
class StockLaid(Value, frozen=True):
    """The undealt cards, in order. Nobody sees them until the reveal."""

    n: int
    cards: tuple[Card, ...]

    __repr__ = redacted_repr("cards")


@fact(Author.TABLE, Audience.EVERYBODY)
class MisdealDeclared(Value, frozen=True):
    """Seats hold no honor, so the same dealer deals the hand again (C4, R-C4)."""

    hand: int
    redeal: int
    seats: Seats


@fact(Author.TABLE, Audience.EVERYBODY)
class TrumpTurnedUp(Value, frozen=True):
    """The first card of the stock makes its suit trump and stays out of play (B10, R-B6)."""

    hand: int
    card: Card
    suit: Suit


@fact(Author.TABLE, Audience.EVERYBODY)
class CeremonyRevealed(Value, frozen=True):
    """The seed of a deal becomes public. From here on everybody sees its cards."""

    n: int
    seed: str


@fact(Author.TABLE, Audience.EVERYBODY)
class CeremonyVoided(Value, frozen=True):
    """A ceremony ends without a deal: the game ended before it, or an arbiter voided it."""

    n: int
    reason: str
    by: str
    seed: str


@fact(Author.TABLE, Audience.EVERYBODY)
class CoinFlipped(Value, frozen=True):
    """A draw decides between the seats that are still tied (B26)."""

    n: int
    seats: Seats
    winner: int
