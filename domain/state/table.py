"""The parts of a state beside the hand: seats, ceremonies, past deals, undos, proposals, delay calls and disputes."""

from typing import NamedTuple

from domain.events import RulingGiven, Seats
from domain.events.table_talk import Intervals
from domain.state.hand import Hand
from domain.struct import Value, redacted_repr


class Holder(NamedTuple):
    """An earlier player of a seat, and the versions of their own time, both included."""

    player: str
    """The player id."""
    kind: str
    """`human` or `bot`."""
    from_version: int
    to_version: int


class Seat(Value, frozen=True):
    """The player at a seat."""

    player: str
    """The player id."""
    kind: str
    """`human` or `bot`."""
    bot: str | None
    """The bot's strategy, or None for a person."""
    state: str = "in"
    """`in`, `resigned` or `forfeited`."""
    since: int = 1
    """The version at which the player got the seat."""
    earlier: tuple[Holder, ...] = ()
    """The players before this one, oldest first. Somebody who came back is there too."""
    lenders: tuple[str, ...] = ()
    """The player ids of those who can take the seat back, the first to lend it first."""
    back_at: str = ""
    """When a bot last gave the seat back to a person, or empty."""


class Handover(Value, frozen=True):
    """An open question about a seat: may it be handed over?"""

    seat: int
    """The seat to hand over."""
    to: str
    """The player id of the one who gets the seat."""
    kind: str
    """`human` or `bot`."""
    bot: str | None
    """The bot's strategy, or None for a person."""
    accepted: Seats
    """The seats that have agreed, the asking one first."""


class Ceremony(Value, frozen=True):
    """A draw or shuffle whose seed isn't public yet."""

    n: int
    """The ceremony's number, from 0 within the game."""
    subject: str
    """The subject of the ceremony."""
    commit: str
    """The table's commitment to the seed, in hex."""
    seed: str | None = None
    """The seed in hex. Only the table knows it."""
    dealt: bool = False
    """Whether the seed has been used, by a deal or a coin."""
    at: str = ""
    """When the ceremony was opened."""
    seals: tuple[tuple[int, str], ...] = ()
    """The seats that promised a cut, each with its seal."""
    cuts: tuple[tuple[int, str], ...] = ()
    """The cuts made since, as (seat, cut), in the order they arrived."""
    beacon: str | None = None
    """The round of a beacon that the ceremony named, or None."""
    beacon_cut: str | None = None
    """The cut that the signature of that round makes, once it's recorded."""
    version: int = 0
    """The version of the event that opened the ceremony."""

    __repr__ = redacted_repr("seed")


class PastDeal(NamedTuple):
    """A deal that is over."""

    hand: int
    """The number of the hand."""
    ceremony_version: int
    """The version of the event that opened its ceremony."""
    changes: tuple[int, ...] | None
    """How the scores changed, by seat. None if the hand wasn't scored."""


class TurnClock(Value, frozen=True):
    """The clock of a turn, as `TurnTimed` says, and when the turn ended."""

    seat: int
    """The awaited seat."""
    turn: int
    """The `turn_version` of the turn."""
    since: str
    """When the clock began to run."""
    left_ms: int
    """The seat's time then."""
    closed: Intervals
    """Times in which the clock doesn't run."""
    held_ms: int
    """How long the clock was held in this turn."""
    deadline: str
    """When the seat is out of time."""
    stopped_at: str | None = None
    """When the turn ended. None while it lasts."""


class UndoPoint(Value, frozen=True):
    """The play before the last move of a person: what an undo restores."""

    seat: int
    """The seat that moved."""
    version: int
    """The version before the move."""
    hand: Hand
    """The hand before the move."""
    turn: Seats
    """The seats that had to move."""
    earlier: "UndoPoint | None" = None
    """The play before this person's move before that one, if it can be taken back next; only in practice."""
    clocks: "tuple[TurnClock | None, ...]" = ()
    """The last clock of each seat when the seat moved. Empty at a table without such clocks."""


class Proposal(Value, frozen=True):
    """An open proposal to undo a move or to end in a draw."""

    kind: str
    """`undo` or `draw`."""
    accepted: Seats
    """The seats that have agreed, the proposer first."""
    to_version: int | None = None
    """The version that an undo restores."""


class DelayCall(Value, frozen=True):
    """An open call of delay of game."""

    seat: int
    """The seat that called."""
    accused: int
    """The seat whose delay is called."""
    waited_ms: int
    """How long the accused seat had been awaited, in milliseconds."""
    votes: tuple[tuple[int, bool], ...]
    """The votes so far, as (seat, guilty), the caller's first."""
    n: int = 0
    """The number of the ceremony that dealt the hand in which the call was made."""


class Dispute(Value, frozen=True):
    """A dispute of a hand, its ruling and the appeal."""

    number: int
    """The number of the dispute, from 1 within the game."""
    seat: int
    """The seat that opened the dispute."""
    hand: int
    """The number of the disputed hand."""
    at_version: int
    """The version up to which the hand is disputed."""
    kind: str
    """A value of `domain.events.disputes.DisputeKind`."""
    at: str
    """When the dispute was opened."""
    opened_by: str
    """The player id of who opened the dispute."""
    withdrawn: bool = False
    """Whether that player has taken it back."""
    ruling: RulingGiven | None = None
    """The ruling, also if it was reversed."""
    ruled_by: str | None = None
    """The player id of the arbiter who gave the ruling."""
    appealed_by: int | None = None
    """The seat that appealed."""
    decision: str | None = None
    """The decision on the appeal: `upheld` or `reversed`."""
    decided_by: str | None = None
    """The player id of the arbiter who decided the appeal."""

    @property
    def in_force(self) -> RulingGiven | None:
        """The ruling, or None if it was reversed."""
        return None if self.decision == "reversed" else self.ruling
