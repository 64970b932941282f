"""The state of a game: what has been folded of its events (domain.evolve).

What a viewer has not been shown stays None; what is public, such as how many cards a seat holds, is counted and never
looked up.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from domain.cards import SUIT, Card, Suit
from domain.events import GameEnded, GameOpened, HandScored, Play, Seats, TrickTaken
from domain.rules import Phase, Rules

T = TypeVar("T")
SERVER = "server"
"""Who the table's own facts are by."""


def changed(value: T, **fields: Any) -> T:
    """`value` with `fields` replaced; several times faster than dataclasses.replace, which would call __init__."""
    copy = _new(type(value))
    _set(copy, "__dict__", value.__dict__ | fields)  # it is frozen, so not by a plain assignment
    return copy


_new, _set = object.__new__, object.__setattr__


@dataclass(frozen=True)
class Seat:
    """Who sits here; `state` is in, resigned or forfeited."""

    player: str
    kind: str
    bot: str | None
    state: str = "in"


@dataclass(frozen=True)
class Ceremony:
    """A shuffle whose seed is not public yet; `seed` is known to the table alone."""

    n: int
    subject: str
    commit: str
    seed: str | None = field(default=None, repr=False)
    dealt: bool = False


@dataclass(frozen=True)
class Trick:
    """The cards on the table, in the order played; `number` counts from 1."""

    number: int
    leader: int
    plays: tuple[Play, ...] = ()


@dataclass(frozen=True)
class Hand:
    """One deal's worth of play. Tuples go by seat.

    A seat's `cards` stand in canonical order; they are None where the viewer has not seen them.
    """

    number: int
    redeal: int
    n: int
    commit: str
    grade: str
    dealer: int
    eldest: int
    counts: tuple[int, ...]
    cards: tuple[tuple[Card, ...] | None, ...] = field(repr=False)
    bids: tuple[int | None, ...]
    taken: tuple[tuple[Card, ...], ...]
    tricks: tuple[int, ...]
    asked: int = 0
    pitcher: int | None = None
    bid: int | None = None
    sides: tuple[Seats, ...] | None = None
    trump: Suit | None = None
    marker: Card | None = None
    trick: Trick | None = None
    last_trick: TrickTaken | None = None
    over: bool = False


class Before(NamedTuple):
    """The play as it stood at `version`, before the last move of a person: what an undo restores."""

    seat: int
    version: int
    command: str
    hand: Hand
    turn: Seats


@dataclass(frozen=True)
class Proposal:
    """An open undo or draw; `accepted` are the seats that agreed so far, the asker first."""

    kind: str
    accepted: Seats
    to_version: int | None = None


@dataclass(frozen=True)
class State:
    """A game after `version` events.

    `moved` is the version of the last fact that changed who must do what; `still_in` are the seats that have not
    left, bots included.
    """

    game: str = ""
    version: int = 0
    at: str = ""
    moved: int = 0
    opened: GameOpened | None = None
    seats: tuple[Seat, ...] = ()
    still_in: Seats = ()
    scores: tuple[int, ...] = ()
    ceremonies: tuple[Ceremony, ...] = ()
    ceremony_count: int = 0
    hand: Hand | None = None
    turn: Seats = ()
    since: str = ""
    before: Before | None = None
    proposal: Proposal | None = None
    last_hand: HandScored | None = None
    result: GameEnded | None = None

    @property
    def rules(self) -> Rules:
        """The rules in force; asked before the game is open it raises LookupError."""
        if self.opened is None:
            raise LookupError("the game is not open yet")
        return self.opened.rules

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if self.result is not None:
            return Phase.OVER
        if self.hand is None or self.hand.over:
            return Phase.UNOPENED if self.opened is None else Phase.WAITING
        return Phase.AUCTION if self.hand.pitcher is None else Phase.PLAY

    @property
    def trick(self) -> Trick | None:
        """The trick on the table, also before its first card; None outside the play."""
        if self.phase is not Phase.PLAY or self.hand is None:
            return None
        return open_trick(self.hand, self.turn[0]) if self.turn else self.hand.trick

    @property
    def persons(self) -> Seats:
        """The people that have not left."""
        return tuple(seat for seat in self.still_in if self.seats[seat].kind == "human")

    def seat_of(self, player: str) -> int | None:
        """Where `player` sits, or None."""
        return next((seat for seat, sitting in enumerate(self.seats) if sitting.player == player), None)


NEW = State()
"""A game nothing has happened in yet."""


def dealt_hand(state: State) -> Hand:
    """The hand on the table; before the first deal it raises LookupError."""
    if state.hand is None:
        raise LookupError("no hand has been dealt yet")
    return state.hand


def open_trick(hand: Hand, seat: int) -> Trick:
    """The trick `seat` plays to: the one on the table, or the one it opens."""
    return hand.trick or Trick(sum(hand.tricks) + 1, seat)


def led(trick: Trick | None) -> Suit | None:
    """The suit led to `trick`, None before its first card."""
    return SUIT[trick.plays[0].card] if trick is not None and trick.plays else None
