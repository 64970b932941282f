"""Facts beside the play: changes of the rules, delay of game, consent, leaving and the end."""

from domain.events.dealing import Seats
from domain.events.disputes import Ruled
from domain.rules.model import Rules, RulesSummary
from domain.struct import Value


class RulesChanged(Value, frozen=True):
    """From here on the table plays by `rules`; `pick` of `of` indexes what of the menu was not in force (R-C44)."""

    rules: Rules
    summary: RulesSummary
    cause: str
    n: int | None
    label: str | None
    pick: int | None
    of: int | None
    next: Seats


class RulesChangeDeferred(Value, frozen=True):
    """A change that waits for the end of the hand, because delay of game was called (C30, R-C41)."""

    rules: Rules
    summary: RulesSummary
    cause: str
    n: int | None
    label: str | None
    pick: int | None
    of: int | None


class BidScaled(Value, frozen=True):
    """Fewer points are offered, so a bid is worth as much less (C17, R-C24)."""

    seat: int
    before: int
    after: int


class PartnersChanged(Value, frozen=True):
    """The pitcher plays with somebody else (C12, R-C65)."""

    bidder: int | None
    partner: int | None
    sides: tuple[Seats, ...]


class DelayCalled(Value, frozen=True):
    """A seat says that another takes unreasonably long to play (C28); that is its vote for guilty."""

    seat: int
    accused: int
    waited_ms: int


class DelayVoted(Value, frozen=True):
    """A vote on the open delay call."""

    seat: int
    guilty: bool


class DelayJudged(Value, frozen=True):
    """The verdict on the open delay call; `scores` are those after it (C29)."""

    accused: int
    guilty: bool
    scores: tuple[int, ...]


class UndoAsked(Value, frozen=True):
    """A seat asks to take back its last move, which would restore the play as of `to_version`."""

    seat: int
    to_version: int


class UndoAnswered(Value, frozen=True):
    """A seat's answer to the open undo."""

    seat: int
    accept: bool


class MovesTakenBack(Value, frozen=True):
    """Everybody agreed: the play stands again as it did at `to_version`."""

    seat: int
    to_version: int
    next: Seats


class DrawProposed(Value, frozen=True):
    """A seat proposes to end the game without a winner."""

    seat: int


class DrawAnswered(Value, frozen=True):
    """A seat's answer to the open draw."""

    seat: int
    accept: bool


class SeatResigned(Value, frozen=True):
    """A seat left: the table plays for it from here on, and it cannot win (R-P9)."""

    seat: int


class SeatForfeited(Value, frozen=True):
    """A seat was awaited too long and is treated as one that resigned (R-P10); `reason` is time."""

    seat: int
    reason: str


class TurnReminded(Value, frozen=True):
    """A seat has been awaited for so long that its player was reminded (R-P10)."""

    seat: int


class GameEnded(Value, frozen=True):
    """The game is over as played; `n` and `label` name the draw that ended it, where one did.

    `ruled` is what it comes to with the rulings in force, where they move a score.
    """

    reason: str
    winners: Seats
    scores: tuple[int, ...]
    n: int | None = None
    label: str | None = None
    ruled: Ruled | None = None
