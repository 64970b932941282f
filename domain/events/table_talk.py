"""Facts beside the play: rule changes, delay of game, undos, draws, hand-overs, leaving, the clock, and the end."""

from domain.events.dealing import Seats
from domain.events.declaring import Audience, Author, fact, gains
from domain.events.disputes import Ruled
from domain.rules.model import Rules, RulesSummary
from domain.struct import Value


@fact(Author.CAUSE, Audience.EVERYBODY)
class RulesChanged(Value, frozen=True):
    """From here on the table plays by `rules`. `pick`, of `of`, indexes the menu without what was in force (R-C44)."""

    rules: Rules
    summary: RulesSummary
    cause: str
    n: int | None
    label: str | None
    pick: int | None
    of: int | None
    next: Seats


@fact(Author.CAUSE, Audience.EVERYBODY)
class RulesChangeDeferred(Value, frozen=True):
    """A rule change waits for the end of the hand, because delay of game was called (C30, R-C41)."""

    rules: Rules
    summary: RulesSummary
    cause: str
    n: int | None
    label: str | None
    pick: int | None
    of: int | None


@fact(Author.TABLE, Audience.EVERYBODY)
class BidScaled(Value, frozen=True):
    """Fewer points are offered, so a bid is scaled down (C17, R-C24)."""

    seat: int
    before: int
    after: int


@fact(Author.TABLE, Audience.EVERYBODY)
class PartnersChanged(Value, frozen=True):
    """The pitcher's partner changes (C12, R-C65)."""

    bidder: int | None
    partner: int | None
    sides: tuple[Seats, ...]


@fact(Author.SEAT, Audience.EVERYBODY)
class DelayCalled(Value, frozen=True):
    """A seat says that another takes unreasonably long to play (C28). This is its vote for guilty."""

    seat: int
    accused: int
    waited_ms: int


@fact(Author.SEAT, Audience.EVERYBODY)
class DelayVoted(Value, frozen=True):
    """A seat votes on the open delay call."""

    seat: int
    guilty: bool


@fact(Author.TABLE, Audience.EVERYBODY)
class DelayJudged(Value, frozen=True):
    """The verdict on the open delay call, and the scores after it (C29)."""

    accused: int
    guilty: bool
    scores: tuple[int, ...]


@fact(Author.TABLE, Audience.EVERYBODY)
class DelayDropped(Value, frozen=True):
    """The open delay call ends without a verdict: a ruling made the hand void in which it was called (R-C39).

    `seat` called it.
    """

    seat: int
    accused: int


@fact(Author.SEAT, Audience.EVERYBODY)
class UndoAsked(Value, frozen=True):
    """A seat asks to take back its last move, in practice with all that followed it.

    That would restore the play as of `to_version`.
    """

    seat: int
    to_version: int


@fact(Author.SEAT, Audience.EVERYBODY)
class UndoAnswered(Value, frozen=True):
    """A seat answers the open request to undo."""

    seat: int
    accept: bool


@fact(Author.TABLE, Audience.EVERYBODY, gains(begins_turn=False))
class MovesTakenBack(Value, frozen=True):
    """Every other person agreed to an undo, if there was any: the play is again as it was at `to_version`.

    `begins_turn` is false only for version 1: there the turn went on if the same seats had to move, and a clock could
    begin with less than ten seconds. Since version 2 a turn begins (R-P15).
    """

    seat: int
    to_version: int
    next: Seats
    begins_turn: bool = True


@fact(Author.SEAT, Audience.EVERYBODY)
class DrawProposed(Value, frozen=True):
    """A seat proposes to end the game without a winner."""

    seat: int


@fact(Author.SEAT, Audience.EVERYBODY)
class DrawAnswered(Value, frozen=True):
    """A seat answers the open proposal of a draw."""

    seat: int
    accept: bool


@fact(Author.SEAT, Audience.EVERYBODY)
class SeatResigned(Value, frozen=True):
    """A seat leaves. The table plays for it from here on, and it can't win (R-P9)."""

    seat: int


@fact(Author.TABLE, Audience.EVERYBODY, gains(held_ms=0))
class SeatForfeited(Value, frozen=True):
    """A seat is treated as if it had resigned. `reason` is `time`, if it was awaited too long (R-P10).

    It's `claimed` if another seat claimed that (R-P17), and `handover` if the last person hands the seat to
    a bot (R-P13).

    `held_ms` is how long the clock was held, or the server down, in this turn: that time doesn't count.
    """

    seat: int
    reason: str
    held_ms: int = 0


@fact(Author.TABLE, Audience.EVERYBODY, gains(held_ms=0))
class TurnReminded(Value, frozen=True):
    """The player of a seat that has been awaited for long is reminded (R-P10).

    `held_ms` is how long the clock was held, or the server down, in this turn: the seat's deadline is that much later.
    """

    seat: int
    held_ms: int = 0


@fact(Author.TABLE, Audience.EVERYBODY)
class GameEnded(Value, frozen=True):
    """The game is over, with the result as played. If a draw ended it, `n` and `label` name that draw.

    If rulings in force change a score, `ruled` holds the result with them.
    """

    reason: str
    winners: Seats
    scores: tuple[int, ...]
    n: int | None = None
    label: str | None = None
    ruled: Ruled | None = None


@fact(Author.SEAT, Audience.EVERYBODY)
class HandoverAsked(Value, frozen=True):
    """A seat asks to hand itself over to the player `to`, a person who agreed beside the log, or a bot.

    `bot` is the bot's strategy, null for a person.
    """

    seat: int
    to: str
    kind: str
    bot: str | None


@fact(Author.SEAT, Audience.EVERYBODY)
class HandoverAnswered(Value, frozen=True):
    """A seat answers the open question about a hand-over."""

    seat: int
    accept: bool


@fact(Author.TABLE, Audience.EVERYBODY)
class SeatHandedOver(Value, frozen=True, rename={"giver": "from"}):
    """From here on the player `to` plays the seat, instead of the player `from`."""

    seat: int
    giver: str
    to: str
    kind: str
    bot: str | None


@fact(Author.LENDER, Audience.EVERYBODY)
class SeatReturned(Value, frozen=True):
    """The player `to`, a person, takes back the seat that they handed over."""

    seat: int
    to: str


Intervals = tuple[tuple[str, str], ...]
"""Times from and until, in UTC with six decimals, ascending and apart from each other."""


@fact(Author.TABLE, Audience.EVERYBODY)
class TurnTimed(Value, frozen=True):
    """The clock of a turn: the seat has until `deadline`, or later if the clock is held again.

    `left_ms` is the seat's time when its turn began. It doesn't run in the times `closed`. `held_ms` is how long the
    clock was held, or the server down, in this turn: the seat gets that time back.
    """

    seat: int
    left_ms: int
    closed: Intervals
    held_ms: int
    deadline: str


@fact(Author.SEAT, Audience.EVERYBODY)
class TimeClaimed(Value, frozen=True):
    """A seat claims the game's time against the seat `late`, whose deadline has passed. That seat is forfeit then."""

    seat: int
    late: int
