"""Where a game stands: what the second reading keeps of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, wraps
from typing import Any, Generic, NamedTuple, TypeVar

from domain.cards import Card, Suit
from domain.events import (
    AuctionWon,
    DisputeOpened,
    GameEnded,
    GameOpened,
    HandDealt,
    Play,
    Player,
    RulesChangeDeferred,
    RulingGiven,
    Seats,
)
from domain.rules.choices import Fill, Partners, Sight, Trump
from domain.rules.model import Rules
from replay.fold.fast_dataclass import built

Change = dict[str, Any]
"""The fields of a position that a fact changes."""


S = TypeVar("S")
T = TypeVar("T")


class _Once(Generic[S, T]):
    """functools.cached_property without its lock."""

    def __init__(self, work: Callable[[S], T]) -> None:
        self._work, self._name, self.__doc__ = work, work.__name__, work.__doc__

    def __get__(self, value: S, _kind: type[S] | None = None) -> T:
        found = value.__dict__[self._name] = self._work(value)
        return found


def once(work: Callable[[S], T]) -> _Once[S, T]:
    """A property that is worked out when it is first asked for, and kept in the value."""
    return _Once(work)


def remade(value: T, **fields: Any) -> T:
    """`value`, a frozen one, with `fields` replaced; several times faster than dataclasses.replace."""
    return built(type(value), value.__dict__ | fields)


class MisplacedFact(Exception):
    """A fact that cannot stand where it stands; the sentence says why."""


@dataclass(frozen=True)
class Promise:
    """A ceremony: what was promised, the cuts made by seat, its seed where it is known, and what became of it.

    It was opened with the event `version`.
    """

    subject: str
    commit: str
    seals: Mapping[str, str]
    seed: str | None = field(default=None, repr=False)
    dealt: bool = False
    closed: bool = False
    cuts: Mapping[int, str] = field(default_factory=dict)
    version: int = 0


class TrickRead(NamedTuple):
    """A trick that has been taken, what of it stayed with who played it, and the rules in force then."""

    seat: int
    plays: tuple[Play, ...]
    kept: tuple[Play, ...]
    rules: Rules


@dataclass(frozen=True)
class HandRead:
    """A hand: `cards` by seat where they are known, `said` and `takers` in the order they came, `table` the trick.

    `totals` are the points there were when each word of `said` was spoken, `scaled` the bids that have changed since.
    `unburied` and `untaken` are cards thrown or drawn that no fact has named yet; `out` are the discards known.
    `called_from` is the trick, from 1, from which the called card counts; `settled` says that it has taken effect.
    `turns` counts the turns taken and standing; `drawn` is the turn of the last change the randomizer drew.
    """

    dealt: HandDealt
    counts: tuple[int, ...]
    stock_left: int = 0
    cards: Mapping[int, tuple[Card, ...]] = field(default_factory=dict, repr=False)
    stock: tuple[Card, ...] | None = field(default=None, repr=False)
    said: tuple[tuple[int, int | None], ...] = ()
    totals: tuple[int, ...] = ()
    scaled: Mapping[int, int] = field(default_factory=dict)
    won: AuctionWon | None = None
    sides: tuple[Seats, ...] | None = None
    trump: Suit | None = None
    marker: Card | None = None
    upcard: Card | None = None
    called: Card | None = None
    called_from: int = 0
    settled: bool = False
    mid_hand: bool = False
    discarded: Seats = ()
    thrown: int = 0
    out: tuple[Card, ...] = field(default=(), repr=False)
    unburied: int = 0
    untaken: int = 0
    table: tuple[Play, ...] = ()
    taken: tuple[tuple[Card, ...], ...] = ()
    takers: Seats = ()
    gathered: tuple[TrickRead, ...] = ()
    turns: int = 0
    drawn: int | None = None
    held: bool = False
    acquitted: bool = False
    deferred: tuple[RulesChangeDeferred, ...] = ()
    misdealt: bool = False
    over: bool = False

    @property
    def bids(self) -> tuple[int | None, ...]:
        """Each seat's bid as it stands, None for a pass or not yet."""
        said = dict(self.said)
        standing = {seat: self.scaled.get(seat, bid) for seat, bid in said.items() if bid is not None}
        return tuple(standing.get(seat) for seat in range(len(self.counts)))

    @property
    def bid(self) -> int:
        """What the pitcher has to make, as it stands; 0 without one."""
        return self.scaled.get(self.won.seat, self.won.bid) if self.won else 0

    @property
    def tricks(self) -> tuple[int, ...]:
        """How many tricks each seat took."""
        return tuple(self.takers.count(seat) for seat in range(len(self.counts)))

    @property
    def leader(self) -> int | None:
        """Who led, or has the right to lead, the trick: without an auction won, the eldest hand once all have bid."""
        if self.table:
            return self.table[0].seat
        if self.takers:
            return self.takers[-1]
        if self.won:
            return self.won.seat
        return self.dealt.eldest if len(self.said) == len(self.counts) else None

    @property
    def played(self) -> tuple[Play, ...]:
        """Every card of the hand that has been put on the table, in order."""
        return (*(play for trick in self.gathered for play in trick.plays), *self.table)


@dataclass(frozen=True)
class ProposalRead:
    """An open proposal, an undo to `to_version` or a draw, and who agrees so far, the asker first."""

    agreed: Seats
    to_version: int | None = None


@dataclass(frozen=True)
class DelayCallRead:
    """An open delay call: who is accused, and the votes so far, the caller's own first."""

    seat: int
    votes: tuple[tuple[int, bool], ...]


class DealRead(NamedTuple):
    """A deal that is over: its hand, the version its ceremony opened as, and its changes if it was scored."""

    hand: int
    promised: int
    changes: tuple[int, ...] | None


@dataclass(frozen=True)
class DisputeRead:
    """A dispute, the ruling on it, the seat that appealed, and the decision on that."""

    opened: DisputeOpened
    ruling: RulingGiven | None = None
    appealed_by: int | None = None
    decision: str | None = None

    @property
    def in_force(self) -> RulingGiven | None:
        """The ruling, as long as it is not reversed."""
        return self.ruling if self.decision != "reversed" else None


@dataclass(frozen=True)
class Position:
    """A game after `version` events; `past` is the position before, as far back as the hand goes.

    `players` sit in the order of their seats; `since` is when the turn of the seats last `awaited` began, `began` with
    which version, `delayed` the same of the turn in which delay of game was last called; `exact` counts each seat's
    hands with as many tricks as bid; `forfeited` are those of the seats that `left` whose time was up, and `reminded`
    those that were in this turn. The last ceremony was `promised_at`; `sealed` are the seals for the next deal, and
    `barred` the seats that kept a sealed cut back. `deals` are over; `arbiters` ruled on the `disputes`, by number.
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
    opened_at: str = ""
    scores: tuple[int, ...] = ()
    exact: tuple[int, ...] = ()
    promises: Mapping[int, Promise] = field(default_factory=dict)
    promised_at: str = ""
    sealed: Mapping[int, str | None] = field(default_factory=dict)
    barred: Seats = ()
    hand: HandRead | None = None
    turn: Seats = ()
    awaited: Seats = ()
    since: str = ""
    began: int = 0
    delayed: int | None = None
    asked: ProposalRead | None = None
    accused: DelayCallRead | None = None
    made: bool | None = None
    coin: int | None = None
    deals: tuple[DealRead, ...] = ()
    disputes: tuple[DisputeRead, ...] = ()
    arbiters: Mapping[int, str] = field(default_factory=dict)
    ended: GameEnded | None = None
    past: "Position | None" = field(default=None, repr=False, compare=False)

    @once
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.scores)

    @once
    def still_in(self) -> Seats:
        """The seats that have not left."""
        return tuple([seat for seat in range(self.seats) if seat not in self.left])

    @once
    def persons(self) -> Seats:
        """The people that have not left."""
        return tuple([seat for seat in self.still_in if self.players[seat].kind == "human"])

    @once
    def opening(self) -> GameOpened:
        """How the game was opened; Misplaced before that."""
        if self.opened is None:
            raise MisplacedFact("the game is not open yet")
        return self.opened

    @once
    def rules(self) -> Rules:
        """The rules in force; Misplaced before the opening."""
        if self.in_force is None:
            raise MisplacedFact("the game is not open yet")
        return self.in_force

    @once
    def live(self) -> HandRead:
        """The hand in play; Misplaced when there is none."""
        if self.hand is None or self.hand.over:
            raise MisplacedFact("no hand is in play")
        return self.hand

    @once
    def phase(self) -> str:
        """unopened, waiting, auction, naming, calling, discarding, play or over."""
        if self.ended or not self.opened:
            return "over" if self.ended else "unopened"
        if self.hand is None or self.hand.over:
            return "waiting"
        if len(self.hand.said) < self.seats or (self.rules.auction.contract and not self.hand.won):
            return "auction"
        return self._after_the_auction(self.hand) if not self.hand.table else "play"

    def _after_the_auction(self, hand: HandRead) -> str:
        if self.rules.trump is Trump.NAMED and hand.trump is None:
            return "naming"
        if self.call_due and not hand.mid_hand:
            return "calling"
        if self.rules.fill is Fill.DISCARD and len(hand.discarded) < self.seats:
            return "discarding"
        return "waiting" if self.call_due else "play"

    @once
    def call_due(self) -> bool:
        """Whether the pitcher has yet to call a partner (C13, R-C31)."""
        hand = self.hand
        calls = self.rules.partners is Partners.CALL
        return bool(hand and calls and not hand.over and hand.won and hand.trump and hand.called is None)

    @once
    def deal_due(self) -> tuple[int, Promise] | None:
        """The first ceremony for a deal that has neither dealt nor been closed, with its number."""
        open_ones = ((n, each) for n, each in self.promises.items() if not each.dealt and not each.closed)
        return next((one for one in open_ones if one[1].subject.startswith("deal ")), None)

    @once
    def blind(self) -> bool:
        """Whether the seats do not see their own cards, so that these play themselves (B18, B19)."""
        return self.hand is not None and self.rules.sight(max(1, self.hand.dealt.hand)) is Sight.OTHERS


_TOLD_BY: dict[str, tuple[str, ...]] = {
    "opened": ("opening", "phase"),
    "in_force": ("rules", "phase", "call_due", "blind"),
    "scores": ("seats", "still_in", "persons", "phase"),
    "left": ("still_in", "persons"),
    "players": ("persons",),
    "hand": ("live", "phase", "call_due", "blind"),
    "ended": ("phase",),
    "promises": ("deal_due",),
}
"""What has to be worked out anew when a field changes."""


def memoize_on_position(work: Callable[[Position], T]) -> Callable[[Position], T]:
    """`work`, a function of a position, asked once for each position and kept with it."""

    @wraps(work)
    def noted(position: Position) -> T:
        known: dict[object, Any] | None = position.__dict__.get(_NOTED)
        if known is None:
            known = position.__dict__[_NOTED] = {}
        if noted not in known:
            known[noted] = work(position)
        found: T = known[noted]
        return found

    return noted


_NOTED = "_noted"
"""Where a position keeps what is told of it alone."""


def advance(position: Position, change: Change) -> Position:
    """`position` with the fields of `change`; what was worked out from others is kept."""
    fields = position.__dict__ | change
    for told in _outdated(tuple(change)):
        fields.pop(told, None)
    return built(Position, fields)


@cache
def _outdated(changed: tuple[str, ...]) -> tuple[str, ...]:
    """What has to be worked out anew when these fields change."""
    return tuple({_NOTED, *(told for name in changed for told in _TOLD_BY.get(name, ()))})


START = Position()
"""Before anything has happened."""


def earlier_position(position: Position, version: int) -> Position | None:
    """The position of the same hand at an earlier version, None when that is not one of this hand."""
    while position.version > version and position.past is not None:
        position = position.past
    return position if position.version == version else None
