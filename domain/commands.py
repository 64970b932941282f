"""Commands to a game: by a player, by an arbiter, or by the table itself.

A player's command names their seat, 0..n-1. Random and timed values arrive in the table's commands, already drawn.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.cards import Card, Suit
from domain.events import Evidence, Fairness, GameLimits, Player, Timing, Watch
from domain.rules.model import Rules


@dataclass(frozen=True)
class OpenGame:
    """Start a game at once (S1, R-P1), with the options as sent and the players in the order given.

    `limits` are those of the server; None for a game without limits. `watch` says who may watch, and how late. `guests`
    says whether a player is a guest, so that the game doesn't count for ratings. `rules` are those of a rulebook if the
    variant is `house`, and the option `rulebook` is its address then.
    """

    game: str
    board: int
    variant: str
    options: Mapping[str, Any]
    players: tuple[Player, ...]
    timing: Timing = field(default_factory=Timing)
    fairness: Fairness = field(default_factory=Fairness)
    reveal: str = "hand"
    limits: GameLimits | None = None
    watch: Watch = field(default_factory=Watch)
    undo: str = "consent"
    autopilot: str = "forfeit"
    guests: bool = False
    rules: Rules | None = None


@dataclass(frozen=True)
class MakeBid:
    """Bid; smudge is a bid of 5 (S12)."""

    seat: int
    bid: int


@dataclass(frozen=True)
class PassBid:
    """Pass; also a bid of 0 if the variant counts it as a pass."""

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
    """Call a card, as the pitcher; its holder becomes the partner (C13)."""

    seat: int
    card: Card


@dataclass(frozen=True)
class Discard:
    """Discard these cards (R-C3, R-C48)."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class AskUndo:
    """Ask to take back one's own last move (R-P7)."""

    seat: int


@dataclass(frozen=True)
class ProposeDraw:
    """Propose to end the game without a winner (R-P8)."""

    seat: int


@dataclass(frozen=True)
class AnswerProposal:
    """Accept or reject another seat's proposal."""

    seat: int
    accept: bool


@dataclass(frozen=True)
class Resign:
    """Leave; the table plays the seat from then on (R-P9)."""

    seat: int


@dataclass(frozen=True)
class CallDelay:
    """Claim that `accused` takes unreasonably long to play a card; `at` is the current time in UTC (C28)."""

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
    """Cut for the deal that ceremony `n` promised as `commit`; `next_seal` promises the next cut (fairdeal/1).

    A refused cut stays its player's secret.
    """

    seat: int
    n: int
    commit: str
    cut: str = field(repr=False)
    next_seal: str | None = None


@dataclass(frozen=True)
class RecordBeacon:
    """Bring the signature of the round that ceremony `n` named as `source`; `at` is the current time in UTC.

    The server brings it, too, in the name of any seat: the signature says all.
    """

    seat: int
    n: int
    source: str
    signature: str
    at: str = ""


@dataclass(frozen=True)
class ChangeRules:
    """Change one rule, as the host; `change` is a word of the menu, such as "points:7"."""

    seat: int
    change: str


@dataclass(frozen=True)
class AskHandover:
    """Ask to hand the seat over to `to`: a person who has agreed, or a bot with the strategy `bot`."""

    seat: int
    to: str
    kind: str
    bot: str | None = None


@dataclass(frozen=True)
class AnswerHandover:
    """Accept or refuse the hand-over that another seat asks for."""

    seat: int
    accept: bool


@dataclass(frozen=True)
class ReturnSeat:
    """Take back the seat that one handed over; `to` is the player id of the author."""

    seat: int
    to: str = ""


@dataclass(frozen=True)
class ClaimTime:
    """Claim that the awaited seat is out of time at `at`; `held_ms` of its turn don't count (R-P17)."""

    seat: int
    at: str = ""
    held_ms: int = 0


@dataclass(frozen=True)
class HandOver:
    """The table hands a seat over once every other person has agreed."""

    seat: int


@dataclass(frozen=True)
class OpenDispute:
    """Contest what happened in `hand` by version `at_version`; `note` is the hash of a text outside the log.

    `most` is how many disputes the server lets a seat open in a game; None for any number.
    """

    seat: int
    hand: int
    at_version: int
    kind: str
    note: str
    most: int | None = None


@dataclass(frozen=True)
class WithdrawDispute:
    """Take back a dispute that the seat's player opened, before an arbiter rules."""

    seat: int
    dispute: int


@dataclass(frozen=True)
class GiveRuling:
    """Decide a dispute as the arbiter `arbiter` (a player id), based on the log named by `evidence`.

    `drops_call` is for a ruling of version 1 that is judged again (RulingGiven). `at` is the time of the ruling; "" is
    for one of version 2 or earlier, against which appeals stay open.
    """

    arbiter: str
    dispute: int
    decision: str
    changes: tuple[int, ...]
    basis: str | None
    standard: str
    evidence: Evidence
    note: str
    drops_call: bool = False
    at: str = ""


@dataclass(frozen=True)
class AppealRuling:
    """Ask another arbiter to review a ruling, at the time `at`."""

    seat: int
    dispute: int
    at: str = ""


@dataclass(frozen=True)
class DecideAppeal:
    """Uphold or reverse an appealed ruling, as the arbiter `arbiter`."""

    arbiter: str
    dispute: int
    decision: str


@dataclass(frozen=True)
class OpenCeremony:
    """The table commits to `seed`, 64 hex digits, for `subject`, at the time `at` in UTC (fairdeal/1)."""

    n: int
    subject: str
    seed: str = field(repr=False)
    at: str = ""


@dataclass(frozen=True)
class DealHand:
    """The table deals `deck`, the shuffled cards of ceremony `n`."""

    n: int
    deck: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True)
class DrawSeats:
    """The table seats the players in the order that ceremony `n` drew (R-B1)."""

    n: int
    order: tuple[int, ...]


@dataclass(frozen=True)
class DrawDealer:
    """The seat that ceremony `n` drew deals first (R-T1, R-C8)."""

    n: int
    dealer: int


@dataclass(frozen=True)
class FlipCoin:
    """Ceremony `n` decides a tie: entry `pick` of the tied seats, ascending (B26)."""

    n: int
    pick: int


@dataclass(frozen=True)
class DrawChange:
    """The randomizer of the hand drew entry `pick` of the `of` available changes on the menu (R-C44)."""

    n: int
    label: str
    pick: int
    of: int


@dataclass(frozen=True)
class BringChange:
    """A deferred change of the rules comes into force (R-C64)."""


@dataclass(frozen=True)
class EndSession:
    """The randomizer drew the end of the session, under `label` of ceremony `n` (C6, R-C46)."""

    n: int
    label: str


@dataclass(frozen=True)
class Tick:
    """The clock reports `at`, in UTC; if nothing is due by then, there are no facts.

    `held_ms` is how long the clock was held, or the server down, since the turn began.
    """

    at: str = ""
    held_ms: int = 0


@dataclass(frozen=True)
class TimeTurn:
    """The table starts the clock of the turn, or sets it again after the clock was held for `held_ms` in this turn.

    `closed` are times from and until, in UTC, in which the awaited player's clock doesn't run.
    """

    closed: tuple[tuple[str, str], ...] = ()
    held_ms: int = 0


@dataclass(frozen=True)
class RevealCeremony:
    """The table reveals the seed of ceremony `n`."""

    n: int


@dataclass(frozen=True)
class VoidCeremony:
    """The table reveals the seed of ceremony `n`, which won't deal anything."""

    n: int


@dataclass(frozen=True)
class EndGame:
    """The table declares the game over, as the facts require."""


SeatCommand = (
    MakeBid | PassBid | NameTrump | CallPartner | Discard | PlayCard | AskUndo | ProposeDraw | AnswerProposal | Resign
    | CallDelay | VoteDelay | ChangeRules | CutDeck | RecordBeacon | AnswerHandover | ReturnSeat | ClaimTime
)  # fmt: skip
"""A command by the player of a seat, or by the player who lent it (ReturnSeat)."""
TableCommand = (
    OpenCeremony | DrawSeats | DrawDealer | DealHand | DrawChange | BringChange | RevealCeremony | VoidCeremony
    | FlipCoin | EndSession | EndGame | Tick | HandOver | TimeTurn
)  # fmt: skip
"""A command by the table itself, when it's due."""
DisputeCommand = OpenDispute | WithdrawDispute | GiveRuling | AppealRuling | DecideAppeal
Command = OpenGame | SeatCommand | AskHandover | DisputeCommand | TableCommand


def require_every_command(commands: Iterable[type[Any]], table: Collection[type[Any]], place: str) -> None:
    """Raise TypeError if `table` lacks one of `commands`. The module `place` calls it when it's imported."""
    if missing := [command.__name__ for command in commands if command not in table]:
        raise TypeError(f"{place} has no entry for {', '.join(missing)}")
