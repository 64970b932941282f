"""The state of a game and `evolve`, which folds events into it and holds no rule.

The same fold serves the table, which sees every event, and a viewer, who lacks some: what a viewer has not been shown
stays None, and what is public (how many cards a seat holds) is counted and never looked up.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from domain.cards import SUIT, Card, Suit, in_order
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
    def persons(self) -> Seats:
        """The people that have not left."""
        return tuple(seat for seat in self.still_in if self.seats[seat].kind == "human")

    def seat_of(self, player: str) -> int | None:
        """Where `player` sits, or None."""
        return next((seat for seat, sitting in enumerate(self.seats) if sitting.player == player), None)


NEW = State()
"""A game nothing has happened in yet."""


def _put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def dealt_hand(state: State) -> Hand:
    """The hand on the table; before the first deal it raises LookupError."""
    if state.hand is None:
        raise LookupError("no hand has been dealt yet")
    return state.hand


def open_trick(hand: Hand) -> Trick:
    """The trick in play; outside the play it raises LookupError."""
    if hand.trick is None:
        raise LookupError("no trick is open")
    return hand.trick


def _opened(state: State, event: Event[GameOpened]) -> dict[str, Any]:
    players = event.data.players
    return {
        "game": event.game,
        "opened": event.data,
        "seats": tuple(Seat(player.player, player.kind, player.bot) for player in players),
        "still_in": tuple(range(len(players))),
        "scores": (0,) * len(players),
        "moved": event.version,
    }


def _ceremony_opened(state: State, event: Event[CeremonyOpened]) -> dict[str, Any]:
    ceremony = Ceremony(event.data.n, event.data.subject, event.data.commit)
    return {"ceremonies": (*state.ceremonies, ceremony), "ceremony_count": event.data.n}


def _seed_kept(state: State, event: Event[SeedKept]) -> dict[str, Any]:
    return {"ceremonies": _with_ceremony(state, event.data.n, seed=event.data.seed)}


def _with_ceremony(state: State, n: int, **fields: Any) -> tuple[Ceremony, ...]:
    return tuple(changed(each, **fields) if each.n == n else each for each in state.ceremonies)


def _closed(state: State, event: Event[CeremonyRevealed | CeremonyVoided]) -> dict[str, Any]:
    return {"ceremonies": tuple(each for each in state.ceremonies if each.n != event.data.n)}


def _dealt(state: State, event: Event[HandDealt]) -> dict[str, Any]:
    dealt, seats = event.data, len(state.seats)
    commit = next(each.commit for each in state.ceremonies if each.n == dealt.n)
    hand = Hand(
        number=dealt.hand,
        redeal=dealt.redeal,
        n=dealt.n,
        commit=commit,
        grade=dealt.grade,
        dealer=dealt.dealer,
        eldest=dealt.eldest,
        counts=dealt.counts,
        cards=(None,) * seats,
        bids=(None,) * seats,
        taken=((),) * seats,
        tricks=(0,) * seats,
    )
    return _play(state, event, hand) | {"ceremonies": _with_ceremony(state, dealt.n, dealt=True)}


def _play(state: State, event: Event[Any], hand: Hand, before: Before | None = None) -> dict[str, Any]:
    """What every fact of the play does: a new turn, and an end to proposals and to taking back the move before."""
    return {
        "hand": hand,
        "turn": event.data.next,
        "since": event.at,
        "moved": event.version,
        "before": before,
        "proposal": None,
    }


def _move(state: State, event: Event[Any], hand: Hand) -> dict[str, Any]:
    """The same for a seat's own move, which a person may ask to take back as long as nothing follows it."""
    return _play(state, event, hand, _before(state, event))


def _before(state: State, event: Event[Any]) -> Before | None:
    if event.by == SERVER or state.seats[event.data.seat].kind != "human":
        return None
    if state.before is not None and state.before.command == event.command:
        return state.before
    return Before(event.data.seat, event.version - 1, event.command, dealt_hand(state), state.turn)


def _cards_dealt(state: State, event: Event[CardsDealt]) -> dict[str, Any]:
    hand = dealt_hand(state)
    return {"hand": changed(hand, cards=_put(hand.cards, event.data.seat, in_order(event.data.cards)))}


def _nothing(state: State, event: Event[StockLaid]) -> dict[str, Any]:
    return {}


def _bid(state: State, event: Event[BidMade]) -> dict[str, Any]:
    hand = dealt_hand(state)
    bids = _put(hand.bids, event.data.seat, event.data.bid)
    return _move(state, event, changed(hand, bids=bids, asked=hand.asked + 1))


def _passed(state: State, event: Event[BidPassed]) -> dict[str, Any]:
    hand = dealt_hand(state)
    return _move(state, event, changed(hand, asked=hand.asked + 1))


def _hand_over(state: State, event: Event[HandThrownIn | HandScored]) -> dict[str, Any]:
    hand = changed(dealt_hand(state), over=True)
    return {"hand": hand, "turn": (), "before": None, "moved": event.version}


def _auction_won(state: State, event: Event[AuctionWon]) -> dict[str, Any]:
    won = event.data
    trick = Trick(1, won.seat)
    return _play(state, event, changed(dealt_hand(state), pitcher=won.seat, bid=won.bid, sides=won.sides, trick=trick))


def _trump_pitched(state: State, event: Event[TrumpPitched]) -> dict[str, Any]:
    hand = changed(dealt_hand(state), trump=event.data.suit, marker=event.data.card)
    return {"hand": hand, "before": _before(state, event), "proposal": None, "moved": event.version}


def _card_played(state: State, event: Event[CardPlayed]) -> dict[str, Any]:
    hand, seat, card = dealt_hand(state), event.data.seat, event.data.card
    trick, held = open_trick(hand), hand.cards[seat]
    played = changed(
        hand,
        counts=_put(hand.counts, seat, hand.counts[seat] - 1),
        cards=hand.cards if held is None else _put(hand.cards, seat, _without(held, card)),
        trick=changed(trick, plays=(*trick.plays, Play(seat, card))),
    )
    return _move(state, event, played)


def _trick_taken(state: State, event: Event[TrickTaken]) -> dict[str, Any]:
    hand, trick = dealt_hand(state), event.data
    taken = list(hand.taken)
    for play in trick.plays:
        if play not in trick.kept:
            taken[trick.seat] += (play.card,)
    for play in trick.kept:
        taken[play.seat] += (play.card,)
    gathered = changed(
        hand,
        taken=tuple(taken),
        tricks=_put(hand.tricks, trick.seat, hand.tricks[trick.seat] + 1),
        trick=Trick(trick.trick + 1, trick.next[0]) if trick.next else None,
        last_trick=trick,
    )
    return _play(state, event, gathered)


def _scored(state: State, event: Event[HandScored]) -> dict[str, Any]:
    return _hand_over(state, event) | {"scores": event.data.scores, "last_hand": event.data}


def _undo_asked(state: State, event: Event[UndoAsked]) -> dict[str, Any]:
    return {"proposal": Proposal("undo", (event.data.seat,), event.data.to_version)}


def _draw_proposed(state: State, event: Event[DrawProposed]) -> dict[str, Any]:
    return {"proposal": Proposal("draw", (event.data.seat,))}


def _answered(state: State, event: Event[UndoAnswered | DrawAnswered]) -> dict[str, Any]:
    if state.proposal is None or not event.data.accept:
        return {"proposal": None}
    return {"proposal": changed(state.proposal, accepted=(*state.proposal.accepted, event.data.seat))}


def _taken_back(state: State, event: Event[MovesTakenBack]) -> dict[str, Any]:
    if state.before is None:
        raise LookupError("there is no move to take back")
    return _play(state, event, state.before.hand)


def _resigned(state: State, event: Event[SeatResigned]) -> dict[str, Any]:
    left = event.data.seat
    seats = _put(state.seats, left, changed(state.seats[left], state="resigned"))
    still_in = tuple(seat for seat in state.still_in if seat != left)
    return {"seats": seats, "still_in": still_in, "before": None, "proposal": None, "moved": event.version}


def _ended(state: State, event: Event[GameEnded]) -> dict[str, Any]:
    return {"result": event.data, "turn": (), "before": None, "proposal": None, "moved": event.version}


_FOLD: dict[type[Any], Callable[[State, Any], dict[str, Any]]] = {
    GameOpened: _opened,
    CeremonyOpened: _ceremony_opened,
    SeedKept: _seed_kept,
    HandDealt: _dealt,
    CardsDealt: _cards_dealt,
    StockLaid: _nothing,
    BidMade: _bid,
    BidPassed: _passed,
    HandThrownIn: _hand_over,
    AuctionWon: _auction_won,
    TrumpPitched: _trump_pitched,
    CardPlayed: _card_played,
    TrickTaken: _trick_taken,
    HandScored: _scored,
    CeremonyRevealed: _closed,
    CeremonyVoided: _closed,
    UndoAsked: _undo_asked,
    UndoAnswered: _answered,
    MovesTakenBack: _taken_back,
    DrawProposed: _draw_proposed,
    DrawAnswered: _answered,
    SeatResigned: _resigned,
    GameEnded: _ended,
}


def evolve(state: State, event: Event[Any]) -> State:
    """The state after `event`: only what the fact says, no rule consulted."""
    fields = _FOLD[type(event.data)](state, event)
    fields["version"], fields["at"] = event.version, event.at
    after = _new(State)
    _set(after, "__dict__", state.__dict__ | fields)
    return after


def led(trick: Trick | None) -> Suit | None:
    """The suit led to `trick`, None before its first card."""
    return SUIT[trick.plays[0].card] if trick is not None and trick.plays else None
