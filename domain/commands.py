"""What may be asked of a game: by a player, or by the table itself.

A player's command names his seat, 0..n-1. What is random or timed arrives in the table's commands, worked out before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.cards import Card
from domain.events import Fairness, Player, Timing


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


SeatCommand = MakeBid | PassBid | PlayCard | AskUndo | ProposeDraw | AnswerProposal | Resign
TableCommand = OpenCeremony | DealHand | RevealCeremony | VoidCeremony | EndGame
Command = OpenGame | SeatCommand | TableCommand
