"""The state of a game: what has been folded of its events (domain.evolve).

What a viewer has not been shown stays None; what is public, such as how many cards a seat holds, is counted and never
looked up.
"""

from typing import NamedTuple, TypeVar

from domain.cards import Card, Suit
from domain.events import (
    GameEnded,
    GameOpened,
    HandScored,
    Play,
    Ruled,
    RulesChangeDeferred,
    RulingGiven,
    Seats,
    TrickTaken,
)
from domain.rules.choices import Fill, Partners, Phase, Trump
from domain.rules.model import Rules
from domain.struct import Value, redacted_repr

T = TypeVar("T")
PLAYING, NAMED = Phase.PLAY, Trump.NAMED
"""For where they are asked at every card: reading a member off its class takes as long as a call."""
SERVER = "server"
"""Who the table's own facts are by."""


class Seat(Value, frozen=True):
    """Who sits here; `state` is in, resigned or forfeited."""

    player: str
    kind: str
    bot: str | None
    state: str = "in"


class Ceremony(Value, frozen=True):
    """A shuffle whose seed is not public yet; `seed` is known to the table alone.

    It was opened at `at`, as version `version`, with the `seals` of seats that promised a cut; `cuts` are those made
    since, as they came.
    """

    n: int
    subject: str
    commit: str
    seed: str | None = None
    dealt: bool = False
    at: str = ""
    seals: tuple[tuple[int, str], ...] = ()
    cuts: tuple[tuple[int, str], ...] = ()
    version: int = 0

    __repr__ = redacted_repr("seed")


class Trick(Value, frozen=True):
    """The cards on the table, in the order played; `number` counts from 1."""

    number: int
    leader: int
    plays: tuple[Play, ...] = ()


class Gathered(Value, frozen=True):
    """A trick and what was in force when it was gathered: whether low cards stayed with their players, the version."""

    trick: TrickTaken
    clean: bool
    version: str


class Hand(Value, frozen=True, kw_only=True):
    """One deal's worth of play, what changes with every card first, which is found soonest. Tuples go by seat.

    A seat's `cards` stand in canonical order; they are None where the viewer has not seen them, as `stock` is.
    `first_bids` is each bid as it was made and the version it was made under; `high` is the seat that bid last, in an
    auction that rises the highest; `lead` has the right to lead. `turns` counts the turns taken and standing, `drawn`
    is the turn of the last drawn change. `called` is the card the pitcher called, which counts from trick
    `counts_from` on, `settled` whether it has taken effect; `mid_hand` is a call that came up after trump was named.
    `held` holds changes back, and `deferred` are those that wait. The ceremony it was dealt with opened as `promised`.
    """

    counts: tuple[int, ...]
    cards: tuple[tuple[Card, ...] | None, ...]
    trick: Trick | None = None
    turns: int = 0
    first_joker: Card | None = None
    lead: int
    taken: tuple[tuple[Card, ...], ...]
    tricks: tuple[int, ...]
    last_trick: TrickTaken | None = None
    gathered: tuple[Gathered, ...] = ()
    bids: tuple[int | None, ...]
    first_bids: tuple[tuple[int, str] | None, ...]
    number: int
    redeal: int
    n: int
    commit: str
    grade: str
    dealer: int
    eldest: int
    stock_left: int
    promised: int
    stock: tuple[Card, ...] | None = None
    asked: int = 0
    high: int | None = None
    pitcher: int | None = None
    bid: int | None = None
    max: bool = False
    sides: tuple[Seats, ...] | None = None
    trump: Suit | None = None
    marker: Card | None = None
    upcard: Card | None = None
    called: Card | None = None
    counts_from: int | None = None
    settled: bool = False
    mid_hand: bool = False
    discarded: Seats = ()
    drawn: int | None = None
    held: bool = False
    acquitted: bool = False
    deferred: tuple[RulesChangeDeferred, ...] = ()
    over: bool = False
    misdealt: bool = False

    __repr__ = redacted_repr("cards", "stock")


class Past(NamedTuple):
    """A deal that is over: its hand, the version its ceremony opened as, and its changes if it was scored."""

    hand: int
    promised: int
    changes: tuple[int, ...] | None


class Before(Value, frozen=True):
    """The play as it stood at `version`, before the last move of a person: what an undo restores."""

    seat: int
    version: int
    hand: Hand
    turn: Seats


class Proposal(Value, frozen=True):
    """An open undo or draw; `accepted` are the seats that agreed so far, the asker first."""

    kind: str
    accepted: Seats
    to_version: int | None = None


class DelayCall(Value, frozen=True):
    """An open delay call and the votes so far, the caller's own first."""

    seat: int
    accused: int
    waited_ms: int
    votes: tuple[tuple[int, bool], ...]


class Dispute(Value, frozen=True):
    """What a seat contests, `ruling` by the player `ruled_by`, and what became of the appeal of a seat.

    `decision` is upheld or reversed.
    """

    number: int
    seat: int
    hand: int
    at_version: int
    kind: str
    at: str
    ruling: RulingGiven | None = None
    ruled_by: str | None = None
    appealed_by: int | None = None
    decision: str | None = None
    decided_by: str | None = None

    @property
    def in_force(self) -> RulingGiven | None:
        """The ruling, unless it was reversed."""
        return None if self.decision == "reversed" else self.ruling


class State(Value, frozen=True):
    """A game after `version` events, what changes with every one of them first, which is found soonest.

    `moved` is the version of the last fact that changed who must do what; `still_in` are the seats that have not
    left, bots included, and `left` the others, as they went; `host` is the player who opened it; `dealer` and `seated`
    are what ceremony 0 has drawn; `exact` counts each seat's hands with as many tricks as bid; `coin` is the seat a tie
    went to. `since` is when the turn of the seats last `awaited` began, `began` with which version, and `delayed` the
    same of the turn in which delay of game was last called; `reminded` is the turn of the last reminder. `opened_at` is
    when the game was opened.
    `sealed` are the seals for the next deal by seat, `barred` the seats whose cuts are ignored (fairdeal/1). `past` are
    the deals that are over. `ruled` is what the game stood at with the rulings in force when last one was given, where
    they move a score.
    """

    version: int = 0
    at: str = ""
    moved: int = 0
    hand: Hand | None = None
    turn: Seats = ()
    awaited: Seats = ()
    since: str = ""
    began: int = 0
    before: Before | None = None
    proposal: Proposal | None = None
    game: str = ""
    opened: GameOpened | None = None
    in_force: Rules | None = None
    host: str = ""
    seats: tuple[Seat, ...] = ()
    still_in: Seats = ()
    left: Seats = ()
    scores: tuple[int, ...] = ()
    exact: tuple[int, ...] = ()
    ceremonies: tuple[Ceremony, ...] = ()
    ceremony_count: int = 0
    seated: bool = False
    dealer: int | None = None
    coin: int | None = None
    delayed: int | None = None
    delay: DelayCall | None = None
    last_hand: HandScored | None = None
    result: GameEnded | None = None
    opened_at: str = ""
    reminded: int | None = None
    sealed: tuple[str | None, ...] = ()
    barred: Seats = ()
    past: tuple[Past, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    ruled: Ruled | None = None

    @property
    def rules(self) -> Rules:
        """The rules in force; asked before the game is open it raises LookupError."""
        if self.in_force is None:
            raise LookupError("the game is not open yet")
        return self.in_force

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if self.result is not None:
            return Phase.OVER
        hand = self.hand
        if hand is None or hand.over:
            return Phase.UNOPENED if self.opened is None else Phase.WAITING
        if hand.trick is not None:
            return PLAYING
        rules = self.rules
        if hand.asked < len(self.seats) or (hand.pitcher is None and rules.auction.contract):
            return Phase.AUCTION
        return _before_the_play(rules, hand) if rules.trump is NAMED else PLAYING

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


def call_due(rules: Rules, hand: Hand) -> bool:
    """Whether the pitcher has a partner to call (C13)."""
    return rules.partners is Partners.CALL and hand.called is None and hand.trump is not None and not hand.over


def call_counts(hand: Hand, trick: int) -> bool:
    """Whether the card that was called, if any, makes a partner of its holder in trick `trick` (C11, R-C61)."""
    return hand.counts_from is not None and trick >= hand.counts_from


def _before_the_play(rules: Rules, hand: Hand) -> Phase:
    """What is left to do after the auction where the pitcher names trump (R-C2, R-C28, R-C61)."""
    if hand.trump is None:
        return Phase.NAMING
    if call_due(rules, hand) and not hand.mid_hand:
        return Phase.CALLING
    if rules.fill is Fill.DISCARD and len(hand.discarded) < len(hand.counts):
        return Phase.DISCARDING
    return Phase.WAITING if call_due(rules, hand) else Phase.PLAY


NEW = State()
"""A game nothing has happened in yet."""


def clockwise(first: int, seats: int) -> Seats:
    """Every seat once, from `first` on in the order of play."""
    return tuple((first + turn) % seats for turn in range(seats))


def in_hand(state: State) -> bool:
    """Whether a hand is being played."""
    return state.hand is not None and not state.hand.over


def dealt_hand(state: State) -> Hand:
    """The hand on the table; before the first deal it raises LookupError."""
    if state.hand is None:
        raise LookupError("no hand has been dealt yet")
    return state.hand


def require(value: T | None) -> T:
    """`value`, which the game has come to by now; LookupError where it has not, or where it has not been shown."""
    if value is None:
        raise LookupError("the game has not come to that")
    return value


def open_trick(hand: Hand, seat: int) -> Trick:
    """The trick `seat` plays to: the one on the table, or the one it opens."""
    return hand.trick or Trick(len(hand.gathered) + 1, seat)


def joined(hand: Hand, seat: int, card: Card) -> Trick:
    """The same with a card of that seat."""
    trick = hand.trick
    if trick is None:
        return Trick(len(hand.gathered) + 1, seat, (Play(seat, card),))
    return Trick(trick.number, trick.leader, (*trick.plays, Play(seat, card)))
