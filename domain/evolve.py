"""`evolve` folds events into the state of a game; it copies what the facts say and holds no rule.

The same fold serves the table, which sees every event, and a viewer, who lacks some.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from domain.cards import Card, in_order
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
    SeedKept,
    StockLaid,
    TrickTaken,
    TrumpPitched,
    UndoAnswered,
    UndoAsked,
)
from domain.state import (
    SERVER,
    Before,
    Ceremony,
    Hand,
    Proposal,
    Seat,
    State,
    changed,
    dealt_hand,
    open_trick,
)

T = TypeVar("T")
_new, _set = object.__new__, object.__setattr__


def _put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


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
    return _play(state, event, changed(dealt_hand(state), pitcher=won.seat, bid=won.bid, sides=won.sides))


def _trump_pitched(state: State, event: Event[TrumpPitched]) -> dict[str, Any]:
    hand = changed(dealt_hand(state), trump=event.data.suit, marker=event.data.card)
    return {"hand": hand, "before": _before(state, event), "proposal": None, "moved": event.version}


def _card_played(state: State, event: Event[CardPlayed]) -> dict[str, Any]:
    hand, seat, card = dealt_hand(state), event.data.seat, event.data.card
    trick, held = open_trick(hand, seat), hand.cards[seat]
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
        trick=None,
        last_trick=trick,
    )
    return _play(state, event, gathered)


def _scored(state: State, event: Event[HandScored]) -> dict[str, Any]:
    return _hand_over(state, event) | {"scores": event.data.scores, "last_hand": event.data}


def _undo_asked(state: State, event: Event[UndoAsked]) -> dict[str, Any]:
    return {"proposal": Proposal("undo", (event.data.seat,), event.data.to_version), "moved": event.version}


def _draw_proposed(state: State, event: Event[DrawProposed]) -> dict[str, Any]:
    return {"proposal": Proposal("draw", (event.data.seat,)), "moved": event.version}


def _answered(state: State, event: Event[UndoAnswered | DrawAnswered]) -> dict[str, Any]:
    if state.proposal is None or not event.data.accept:
        return {"proposal": None, "moved": event.version}
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
