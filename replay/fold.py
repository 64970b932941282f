"""A second, independent reading of the facts: where a game stands after each of them.

    *_, last = positions(history.events)
    last.phase, last.hand.taken, last.scores, last.turn

Nothing here knows a rule or the server's own fold, so the two may disagree, and then one of them is wrong. Where the
server keeps numbers this keeps what they are counted from: who said what in order, who took which trick, and every
earlier position of the hand, to which a move taken back simply returns.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from domain.cards import Card, Suit
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    DrawAnswered,
    DrawProposed,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    HandScored,
    HandThrownIn,
    MovesTakenBack,
    Play,
    SeatResigned,
    Seats,
    SeedKept,
    StockLaid,
    TrickTaken,
    TrumpPitched,
    UndoAnswered,
    UndoAsked,
)
from replay.shape import misshapen, unplayable


class Misplaced(Exception):
    """A fact that cannot stand where it stands; the sentence says why."""


@dataclass(frozen=True)
class Promise:
    """A ceremony: what was promised, its seed where it is known, and what became of it."""

    subject: str
    commit: str
    seals: Mapping[str, str]
    seed: str | None = field(default=None, repr=False)
    dealt: bool = False
    closed: bool = False


@dataclass(frozen=True)
class HandRead:
    """A hand: `cards` by seat where they are known, `said` and `takers` in the order they came, `table` the trick."""

    dealt: HandDealt
    counts: tuple[int, ...]
    cards: Mapping[int, tuple[Card, ...]] = field(default_factory=dict, repr=False)
    stock: tuple[Card, ...] | None = field(default=None, repr=False)
    said: tuple[tuple[int, int | None], ...] = ()
    won: AuctionWon | None = None
    trump: Suit | None = None
    marker: Card | None = None
    table: tuple[Play, ...] = ()
    taken: tuple[tuple[Card, ...], ...] = ()
    takers: Seats = ()
    over: bool = False

    @property
    def bids(self) -> tuple[int | None, ...]:
        """Each seat's bid, None for a pass or not yet."""
        said = dict(self.said)
        return tuple(said.get(seat) for seat in range(len(self.counts)))

    @property
    def tricks(self) -> tuple[int, ...]:
        """How many tricks each seat took."""
        return tuple(self.takers.count(seat) for seat in range(len(self.counts)))

    @property
    def leader(self) -> int | None:
        """Who led, or leads, the trick."""
        if self.table:
            return self.table[0].seat
        if self.takers:
            return self.takers[-1]
        return self.won.seat if self.won else None


@dataclass(frozen=True)
class Asked:
    """An open proposal, an undo to `to_version` or a draw, and who agrees so far, the asker first."""

    agreed: Seats
    to_version: int | None = None


@dataclass(frozen=True)
class Position:
    """A game after `version` events; `past` is the position before, as far back as the hand goes."""

    version: int = 0
    at: str = ""
    opened: GameOpened | None = None
    left: Seats = ()
    scores: tuple[int, ...] = ()
    promises: Mapping[int, Promise] = field(default_factory=dict)
    hand: HandRead | None = None
    turn: Seats = ()
    asked: Asked | None = None
    ended: GameEnded | None = None
    past: "Position | None" = field(default=None, repr=False, compare=False)

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.scores)

    @property
    def still_in(self) -> Seats:
        """The seats that have not left."""
        return tuple(seat for seat in range(self.seats) if seat not in self.left)

    @property
    def persons(self) -> Seats:
        """The people that have not left."""
        kinds = [player.kind for player in self.opening.players]
        return tuple(seat for seat in self.still_in if kinds[seat] == "human")

    @property
    def opening(self) -> GameOpened:
        """How the game was opened; Misplaced before that."""
        if self.opened is None:
            raise Misplaced("the game is not open yet")
        return self.opened

    @property
    def live(self) -> HandRead:
        """The hand in play; Misplaced when there is none."""
        if self.hand is None or self.hand.over:
            raise Misplaced("no hand is in play")
        return self.hand

    @property
    def phase(self) -> str:
        """unopened, waiting, auction, play or over."""
        if self.ended or not self.opened:
            return "over" if self.ended else "unopened"
        if self.hand is None or self.hand.over:
            return "waiting"
        return "play" if self.hand.won else "auction"


START = Position()
"""Before anything has happened."""
Change = dict[str, Any]


def positions(events: Iterable[Event[Any]]) -> Iterator[Position]:
    """Where the game stands after each event, from the first one on; the first that cannot stand there is Misplaced."""
    position = START
    for event in events:
        position = follow(position, event)
        yield position


def follow(position: Position, event: Event[Any]) -> Position:
    """The position after `event`. A fact that cannot be about this table, or has nothing to be about, is Misplaced."""
    fact = event.data
    if isinstance(fact, GameOpened):
        fault = unplayable(fact) if position.opened is None else "the game is open already"
    else:
        fault = misshapen(fact, len(position.opening.players), position.opening.deck)
    if position.ended or fault:
        raise Misplaced(fault or "the game is over")
    change: Change = {"version": event.version, "at": event.at, "past": position} | _READ[type(fact)](position, fact)
    return replace(position, **change)


def pass_over(position: Position, version: int) -> Position:
    """The position after an event that is not shown."""
    return replace(position, version=version, past=position)


def _opened(position: Position, fact: GameOpened) -> Change:
    return {"opened": fact, "scores": (0,) * len(fact.players)}


def _promised(position: Position, fact: CeremonyOpened) -> Change:
    return {"promises": {**position.promises, fact.n: Promise(fact.subject, fact.commit, fact.seals)}}


def _promise(position: Position, n: int, **fields: Any) -> Change:
    if n not in position.promises:
        raise Misplaced(f"there is no ceremony {n}")
    return {"promises": {**position.promises, n: replace(position.promises[n], **fields)}}


def _seed(position: Position, fact: SeedKept) -> Change:
    return _promise(position, fact.n, seed=fact.seed)


def _closed(position: Position, fact: CeremonyRevealed | CeremonyVoided) -> Change:
    return _promise(position, fact.n, seed=fact.seed, closed=True)


def _dealt(position: Position, fact: HandDealt) -> Change:
    hand = HandRead(fact, fact.counts, taken=((),) * position.seats)
    return {"past": None, "asked": None, "hand": hand, "turn": fact.next, **_promise(position, fact.n, dealt=True)}


def _cards(position: Position, fact: CardsDealt) -> Change:
    return {"hand": replace(position.live, cards={**position.live.cards, fact.seat: fact.cards})}


def _stock(position: Position, fact: StockLaid) -> Change:
    return {"hand": replace(position.live, stock=fact.cards)}


def _said(position: Position, fact: BidMade | BidPassed) -> Change:
    bid = fact.bid if isinstance(fact, BidMade) else None
    hand = replace(position.live, said=(*position.live.said, (fact.seat, bid)))
    return {"hand": hand, "turn": fact.next, "asked": None}


def _won(position: Position, fact: AuctionWon) -> Change:
    return {"hand": replace(position.live, won=fact), "turn": fact.next, "asked": None}


def _pitched(position: Position, fact: TrumpPitched) -> Change:
    return {"hand": replace(position.live, trump=fact.suit, marker=fact.card), "asked": None}


def _played(position: Position, fact: CardPlayed) -> Change:
    hand = position.live
    counts = tuple(count - (seat == fact.seat) for seat, count in enumerate(hand.counts))
    cards = {seat: tuple(c for c in held if (seat, c) != (fact.seat, fact.card)) for seat, held in hand.cards.items()}
    table = (*hand.table, Play(fact.seat, fact.card))
    return {"hand": replace(hand, counts=counts, cards=cards, table=table), "turn": fact.next, "asked": None}


def _gathered(position: Position, fact: TrickTaken) -> Change:
    hand = position.live
    piles = [list(pile) for pile in hand.taken]
    for play in fact.plays:
        piles[play.seat if play in fact.kept else fact.seat].append(play.card)
    taken, takers = tuple(map(tuple, piles)), (*hand.takers, fact.seat)
    return {"hand": replace(hand, table=(), taken=taken, takers=takers), "turn": fact.next, "asked": None}


def _over(position: Position, fact: HandThrownIn) -> Change:
    return {"hand": replace(position.live, over=True), "turn": ()}


def _scored(position: Position, fact: HandScored) -> Change:
    return {"hand": replace(position.live, over=True), "turn": (), "scores": fact.scores}


def _asks(position: Position, fact: UndoAsked | DrawProposed) -> Change:
    return {"asked": Asked((fact.seat,), fact.to_version if isinstance(fact, UndoAsked) else None)}


def _answers(position: Position, fact: UndoAnswered | DrawAnswered) -> Change:
    if position.asked is None:
        raise Misplaced("nothing has been proposed")
    return {"asked": replace(position.asked, agreed=(*position.asked.agreed, fact.seat)) if fact.accept else None}


def _taken_back(position: Position, fact: MovesTakenBack) -> Change:
    then = at_version(position, fact.to_version)
    if then is None or position.live.over:
        raise Misplaced(f"the hand has no version {fact.to_version} to go back to")
    return {"hand": then.hand, "turn": fact.next, "asked": None}


def at_version(position: Position, version: int) -> Position | None:
    """The position of the same hand at an earlier version, None when that is not one of this hand."""
    while position.version > version and position.past is not None:
        position = position.past
    return position if position.version == version else None


def _left(position: Position, fact: SeatResigned) -> Change:
    return {"left": (*position.left, fact.seat), "asked": None}


def _ended(position: Position, fact: GameEnded) -> Change:
    return {"ended": fact, "turn": (), "asked": None}


_READ: dict[type[Any], Callable[[Position, Any], Change]] = {
    GameOpened: _opened,
    CeremonyOpened: _promised,
    SeedKept: _seed,
    HandDealt: _dealt,
    CardsDealt: _cards,
    StockLaid: _stock,
    BidMade: _said,
    BidPassed: _said,
    HandThrownIn: _over,
    AuctionWon: _won,
    TrumpPitched: _pitched,
    CardPlayed: _played,
    TrickTaken: _gathered,
    HandScored: _scored,
    CeremonyRevealed: _closed,
    CeremonyVoided: _closed,
    UndoAsked: _asks,
    UndoAnswered: _answers,
    MovesTakenBack: _taken_back,
    DrawProposed: _asks,
    DrawAnswered: _answers,
    SeatResigned: _left,
    GameEnded: _ended,
}
