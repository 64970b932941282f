"""The records of the second fold: a position and its parts. The records of a hand are in `replay.fold.hand`."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from domain.events import (
    DisputeOpened,
    GameEnded,
    GameOpened,
    HandoverAsked,
    Player,
    RulingGiven,
    Seats,
)
from domain.rules.choices import Fill, Partners, Sight, Trump
from domain.rules.model import Rules
from domain.struct import Value, redacted_repr, replace
from replay.fold.clocks import ClockRead
from replay.fold.hand import HandRead

Change = dict[str, Any]
"""The fields of a position that a fact changes."""

S = TypeVar("S")
T = TypeVar("T")
_OTHERS = Sight.OTHERS
EVERYBODY_DISCARDS = (Fill.DISCARD, Fill.DEALER, Fill.KITTY_AND_DRAW)
"""The uses of the stock for which each seat discards in turn, and most seats draw."""


class _LazyProperty(Generic[S, T]):
    """functools.cached_property without its lock."""

    def __init__(self, compute: Callable[[S], T]) -> None:
        self._compute, self._name, self.__doc__ = compute, compute.__name__, compute.__doc__

    def __get__(self, instance: S, _owner: type[S] | None = None) -> T:
        value = instance.__dict__[self._name] = self._compute(instance)
        return value


def _lazy_property(compute: Callable[[S], T]) -> _LazyProperty[S, T]:
    """Make a property that is computed at its first use and stored in the instance."""
    return _LazyProperty(compute)


class MisplacedFact(Exception):
    """A fact that can't follow the facts before it; the message says why."""


class CeremonyRead(Value, frozen=True):
    """A ceremony: its commitment, the cuts by seat, its seed if known, and whether it has dealt or is closed.

    `beacon` is the round that it named, and `beacon_cut` the cut recorded for it. `version` is the version of the event
    that opened it.
    """

    subject: str
    commit: str
    seals: Mapping[str, str]
    seed: str | None = None
    dealt: bool = False
    closed: bool = False
    cuts: Mapping[int, str] = {}
    beacon: str | None = None
    beacon_cut: str | None = None
    version: int = 0

    __repr__ = redacted_repr("seed")


class ProposalRead(Value, frozen=True):
    """An open proposal: an undo to `to_version` or a draw; `agreed` are the seats that agree, the proposer first."""

    agreed: Seats
    to_version: int | None = None


class HandoverRead(Value, frozen=True):
    """An open question about a hand-over; `agreed` are the seats that agree, the asking one first."""

    asked: HandoverAsked
    agreed: Seats


class DelayCallRead(Value, frozen=True):
    """An open delay call: the accused seat, and the votes so far (seat, guilty), the caller's first.

    `n` is the ceremony of the hand in which the call was made.
    """

    seat: int
    votes: tuple[tuple[int, bool], ...]
    n: int = 0


class DealRead(NamedTuple):
    """A finished deal: its hand, the version that opened its ceremony, and its score changes, or None if unscored."""

    hand: int
    ceremony_version: int
    changes: tuple[int, ...] | None


class DisputeRead(Value, frozen=True):
    """A dispute, its ruling, the seat that appealed, and the decision on the appeal.

    `opened_by` is the player who opened it and, before a ruling, can withdraw it.
    """

    opened: DisputeOpened
    ruling: RulingGiven | None = None
    appealed_by: int | None = None
    decision: str | None = None
    opened_by: str = ""
    withdrawn: bool = False

    @property
    def in_force(self) -> RulingGiven | None:
        """The ruling, or None if it was reversed."""
        return self.ruling if self.decision != "reversed" else None


class Position(Value, frozen=True, eq=False, dict=True, gc=True):
    """A game after `version` events; `past` is the position before, back to the start of the hand.

    * `players` are in seat order. `left` are the seats that left, `forfeited` those of them whose time ran out.
    * `awaited` are the seats last to move; their turn began at time `since` with version `began`. `reminded` are the
      seats reminded in this turn; the reminders say for how long the clock was held in it, `held_ms`. `delayed` is the
      `began` of the turn of the last delay call.
    * `clock` is the clock of the turn, `banks` what each seat had left when its last clock stopped, in milliseconds.
      `undone` is the version of the last undo that began a turn; `short` says that it's of version 1, after which a
      turn can begin with less than ten seconds. `back` tells when a bot last gave a seat back.
      `claimed` is the seat whose time was claimed just before.
    * `proposed` counts each seat's proposals and changes of the rules since the hand was first dealt.
    * `question` is the open question about a hand-over. `sat` are all players who have or had a seat, `lent` those who
      can take a seat back, by seat.
    * `exact` counts each seat's hands with as many tricks as bid.
    * `ceremony_at` is the time of the last ceremony, `sealed` the seals for the next deal, `barred` the seats that
      withheld a sealed cut.
    * `deals` are the finished deals; `arbiters` are the players who ruled, by number of the dispute.
    """

    version: int = 0
    at: str = ""
    opened: GameOpened | None = None
    in_force: Rules | None = None
    host: str = ""
    players: tuple[Player, ...] = ()
    dealer: int | None = None
    left: Seats = ()
    forfeited: Seats = ()
    reminded: Seats = ()
    held_ms: int = 0
    opened_at: str = ""
    scores: tuple[int, ...] = ()
    exact: tuple[int, ...] = ()
    ceremonies: Mapping[int, CeremonyRead] = {}
    ceremony_at: str = ""
    sealed: Mapping[int, str | None] = {}
    barred: Seats = ()
    hand: HandRead | None = None
    turn: Seats = ()
    awaited: Seats = ()
    since: str = ""
    began: int = 0
    clock: ClockRead | None = None
    banks: Mapping[int, int] = {}
    undone: int = 0
    short: bool = False
    back: Mapping[int, str] = {}
    claimed: int | None = None
    delayed: int | None = None
    proposal: ProposalRead | None = None
    proposed: tuple[int, ...] = ()
    delay_call: DelayCallRead | None = None
    question: HandoverRead | None = None
    sat: frozenset[str] = frozenset()
    lent: Mapping[int, tuple[str, ...]] = {}
    made: bool | None = None
    coin: int | None = None
    deals: tuple[DealRead, ...] = ()
    disputes: tuple[DisputeRead, ...] = ()
    arbiters: Mapping[int, str] = {}
    ended: GameEnded | None = None
    past: "Position | None" = None

    __repr__ = redacted_repr("past")

    @_lazy_property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.scores)

    @_lazy_property
    def still_in(self) -> Seats:
        """The seats that haven't left."""
        return tuple([seat for seat in range(self.seats) if seat not in self.left])

    @_lazy_property
    def persons(self) -> Seats:
        """The seats of people that haven't left."""
        return tuple([seat for seat in self.still_in if self.players[seat].kind == "human"])

    @_lazy_property
    def opening(self) -> GameOpened:
        """The opening; raise MisplacedFact before it."""
        if self.opened is None:
            raise MisplacedFact("the game isn't open yet")
        return self.opened

    @_lazy_property
    def deck(self) -> frozenset[str]:
        """The cards of the game; raise MisplacedFact before the opening."""
        return frozenset(self.opening.deck)

    @_lazy_property
    def rules(self) -> Rules:
        """The rules in force; raise MisplacedFact before the opening."""
        if self.in_force is None:
            raise MisplacedFact("the game isn't open yet")
        return self.in_force

    @_lazy_property
    def live(self) -> HandRead:
        """The hand in play; raise MisplacedFact if there isn't one."""
        if self.hand is None or self.hand.over:
            raise MisplacedFact("no hand is in play")
        return self.hand

    @_lazy_property
    def phase(self) -> str:
        """unopened, waiting, auction, naming, calling, discarding, play or over."""
        if self.ended or not self.opened:
            return "over" if self.ended else "unopened"
        if self.hand is None or self.hand.over:
            return "waiting"
        if len(self.hand.calls) < self.seats or (self.rules.auction.contract and not self.hand.won):
            return "auction"
        return self._after_the_auction(self.hand) if not self.hand.table else "play"

    def _after_the_auction(self, hand: HandRead) -> str:
        if hand.trump is None and self.rules.trump is Trump.NAMED:
            return "naming"
        if self.call_due and not hand.mid_hand:
            return "calling"
        if self._discards_due(hand):
            return "discarding"
        return "waiting" if self.call_due else "play"

    def _discards_due(self, hand: HandRead) -> bool:
        """Tell whether a seat still has to discard before the play: every seat, or after a kitty one with a surplus."""
        rules = self.rules
        if rules.fill is Fill.KITTY:
            return 0 < rules.kept_cards < max(hand.counts)
        return rules.fill in EVERYBODY_DISCARDS and len(hand.discarded) < self.seats

    @_lazy_property
    def call_due(self) -> bool:
        """Whether the pitcher still has to call a partner (C13, R-C31)."""
        hand = self.hand
        if hand is None or hand.over or not (hand.won and hand.trump and hand.called is None):
            return False
        return self.rules.partners is Partners.CALL

    @_lazy_property
    def deal_due(self) -> tuple[int, CeremonyRead] | None:
        """The number and record of the first deal ceremony that has neither dealt nor closed."""
        open_ones = ((n, each) for n, each in self.ceremonies.items() if not each.dealt and not each.closed)
        return next((one for one in open_ones if one[1].subject.startswith("deal ")), None)

    @_lazy_property
    def blind(self) -> bool:
        """Whether seats don't see their own cards, so that the table plays them (B18, B19)."""
        return self.hand is not None and self.rules.sight(max(1, self.hand.dealt.hand)) is _OTHERS


_COMPUTED_FROM: dict[str, tuple[str, ...]] = {
    "opened": ("opening", "deck", "phase"),
    "in_force": ("rules", "phase", "call_due", "blind"),
    "scores": ("seats", "still_in", "persons", "phase"),
    "left": ("still_in", "persons"),
    "players": ("persons",),
    "hand": ("live", "phase", "call_due", "blind"),
    "ended": ("phase",),
    "ceremonies": ("deal_due",),
}
"""The lazy properties that are computed from each field."""


RESULTS = "_results"
"""The key in a position's `__dict__` of the results that are for this position alone."""


def advance(position: Position, change: Change) -> Position:
    """Return `position` with the fields of `change`; keep the lazy properties that don't depend on them."""
    after = replace(position, **change)
    computed = after.__dict__
    computed.update(position.__dict__)
    for name in _outdated(tuple(change)):
        computed.pop(name, None)
    return after


@cache
def _outdated(changed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stored names that aren't valid any more when these fields change."""
    return tuple({RESULTS, *(name for field in changed for name in _COMPUTED_FROM.get(field, ()))})


START = Position()
"""The position before the first event."""


def earlier_position(position: Position, version: int) -> Position | None:
    """Return the position of the same hand at an earlier version; None if the version isn't one of this hand."""
    while position.version > version and position.past is not None:
        position = position.past
    return position if position.version == version else None
