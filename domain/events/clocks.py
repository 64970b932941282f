"""Facts of a clock that counts each turn, and of a time that is claimed."""

from domain.events.declaring import Audience, Author, fact
from domain.struct import Value

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
