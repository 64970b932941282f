"""What may be asked of a game: by a player, or by the table itself.

A player's command names his seat, 0..n-1. What is random or timed arrives in the table's commands, worked out before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.cards import Card, Suit
from domain.events import Evidence, Fairness, Player, Timing


@dataclass(frozen=True)
class OpenGame:
    """Start a game at once (S1, R-P1): variant, options as asked, players in the order given."""

    game: str
    board: int
    variant: str
    options: Mapping[str, Any]
    players: tuple[Player, ...]
    timing: Timing = field(default_factory=Timing)
    fairness: Fairness = field(default_factory=Fairness)
    reveal: str = "hand"


@dataclass(frozen=True)
class MakeBid:
    """Bid; smudge is a bid of 5 (S12)."""

    seat: int
    bid: int


@dataclass(frozen=True)
class PassBid:
    """Pass; a bid of 0 where the variant counts it as a pass."""

    seat: int


@dataclass(frozen=True)
class PlayCard:
    """Play a card to the trick."""

    seat: int
    card: Card


@dataclass(frozen=True)
class NameTrump:
    """Name trump, as the pitcher (R-C2)."""

    seat: int
    suit: Suit


@dataclass(frozen=True)
class CallPartner:
    """Call a card, as the pitcher; who holds it becomes his partner (C13)."""

    seat: int
    card: Card


@dataclass(frozen=True)
class Discard:
    """Throw these cards away (R-C3, R-C48)."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class AskUndo:
    """Ask to take back the own last move (R-P7)."""

    seat: int


@dataclass(frozen=True)
class ProposeDraw:
    """Propose to end the game without a winner (R-P8)."""

    seat: int


@dataclass(frozen=True)
class AnswerProposal:
    """Accept or reject what another seat proposed."""

    seat: int
    accept: bool


@dataclass(frozen=True)
class Resign:
    """Leave; the table plays the seat from then on (R-P9)."""

    seat: int


@dataclass(frozen=True)
class CallDelay:
    """Say that `accused` takes unreasonably long to play a card; `at` is now, in UTC (C28)."""

    seat: int
    accused: int
    at: str = ""


@dataclass(frozen=True)
class VoteDelay:
    """Vote on the open delay call (C29)."""

    seat: int
    guilty: bool


@dataclass(frozen=True)
class CutDeck:
    """A cut for the deal that ceremony `n` promised as `commit`; `next_seal` promises the next one (fairdeal/1).

    A cut that is refused stays its player's secret.
    """

    seat: int
    n: int
    commit: str
    cut: str = field(repr=False)
    next_seal: str | None = None


@dataclass(frozen=True)
class ChangeRules:
    """Change one thing of the rules, as the host: a word of the menu, such as "points:7"."""

    seat: int
    change: str


@dataclass(frozen=True)
class OpenDispute:
    """Contest what happened in `hand` by version `at_version`; `note` is the hash of what is said beside the log."""

    seat: int
    hand: int
    at_version: int
    kind: str
    note: str


@dataclass(frozen=True)
class GiveRuling:
    """Decide a dispute, as the arbiter `arbiter` (a player id), on the log of `evidence`."""

    arbiter: str
    dispute: int
    decision: str
    changes: tuple[int, ...]
    basis: str | None
    standard: str
    evidence: Evidence
    note: str


@dataclass(frozen=True)
class AppealRuling:
    """Ask another arbiter to look at a ruling again."""

    seat: int
    dispute: int


@dataclass(frozen=True)
class DecideAppeal:
    """Uphold or reverse a ruling that was appealed, as the arbiter `arbiter`."""

    arbiter: str
    dispute: int
    decision: str


@dataclass(frozen=True)
class OpenCeremony:
    """The table commits itself to `seed`, 64 hex digits, for `subject` (fairdeal/1)."""

    n: int
    subject: str
    seed: str = field(repr=False)


@dataclass(frozen=True)
class DealHand:
    """The table deals `deck`, the shuffled cards of ceremony `n`."""

    n: int
    deck: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True)
class DrawSeats:
    """The table seats the players in the order ceremony `n` drew (R-B1)."""

    n: int
    order: tuple[int, ...]


@dataclass(frozen=True)
class DrawDealer:
    """The table lets the seat that ceremony `n` drew deal first (R-T1, R-C8)."""

    n: int
    dealer: int


@dataclass(frozen=True)
class FlipCoin:
    """The table lets ceremony `n` settle a tie: entry `pick` of the seats that are tied, ascending (B26)."""

    n: int
    pick: int


@dataclass(frozen=True)
class DrawChange:
    """The randomizer of the hand drew entry `pick` of `of` of what the menu would change (R-C44)."""

    n: int
    label: str
    pick: int
    of: int


@dataclass(frozen=True)
class BringChange:
    """A change of the rules that had to wait comes into force (R-C64)."""


@dataclass(frozen=True)
class EndSession:
    """The randomizer drew the end of the session, under `label` of ceremony `n` (C6, R-C46)."""

    n: int
    label: str


@dataclass(frozen=True)
class Tick:
    """The clock says `at`, in UTC; what is not due by then makes no facts."""

    at: str = ""


@dataclass(frozen=True)
class RevealCeremony:
    """The table opens the seed of ceremony `n`."""

    n: int


@dataclass(frozen=True)
class VoidCeremony:
    """The table opens the seed of ceremony `n`, which will deal nothing any more."""

    n: int


@dataclass(frozen=True)
class EndGame:
    """The table declares what the facts say: the game is over."""


SeatCommand = (
    MakeBid
    | PassBid
    | NameTrump
    | CallPartner
    | Discard
    | PlayCard
    | AskUndo
    | ProposeDraw
    | AnswerProposal
    | Resign
    | CallDelay
    | VoteDelay
    | ChangeRules
    | CutDeck
)
TableCommand = (
    OpenCeremony
    | DrawSeats
    | DrawDealer
    | DealHand
    | DrawChange
    | BringChange
    | RevealCeremony
    | VoidCeremony
    | FlipCoin
    | EndSession
    | EndGame
    | Tick
)
DisputeCommand = OpenDispute | GiveRuling | AppealRuling | DecideAppeal
Command = OpenGame | SeatCommand | DisputeCommand | TableCommand
