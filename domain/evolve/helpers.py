"""What the folds of all facts share: what a fact of the play does to the turn, and what may be taken back."""

from typing import Any, TypeVar

from domain.cards import Card
from domain.events import Event
from domain.state import SERVER, Before, Hand, Past, State
from domain.struct import replace

T = TypeVar("T")


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """`values` with the one at `at` replaced."""
    new = list(values)
    new[at] = value
    return tuple(new)


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """`cards` without one of them."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def after(state: State, event: Event[Any], **fields: Any) -> State:
    """The state after `event`, with the fields its fact changes."""
    return replace(state, version=event.version, at=event.at, **fields)


def play(state: State, event: Event[Any], hand: Hand, before: Before | None = None) -> State:
    """What every fact of the play does: a new turn, and an end to proposals and to taking back the move before."""
    seats, version, at = event.data.next, event.version, event.at
    return replace(
        state,
        version=version,
        at=at,
        moved=version,
        hand=hand,
        turn=seats,
        awaited=seats or state.awaited,
        since=at,
        began=version,
        before=before,
        proposal=None,
    )


def move(state: State, event: Event[Any], hand: Hand) -> State:
    """The same for a seat's own move, which a person may ask to take back as long as nothing follows it."""
    return play(state, event, hand, before(state, event))


def aside(state: State, told: State) -> State:
    """`told`, which follows `state` while a seat thinks: its turn goes on, unless another seat is named (R-C63)."""
    if told.awaited != state.awaited:
        return told
    return replace(told, since=state.since, began=state.began)


def before(state: State, event: Event[Any]) -> Before | None:
    """What an undo of this move would restore, None where it is no person's."""
    seat = event.data.seat
    if state.hand is None or event.by == SERVER or state.seats[seat].kind != "human":
        return None
    return Before(seat, event.version - 1, state.hand, state.turn)


def past(state: State, hand: Hand, changes: tuple[int, ...] | None = None) -> tuple[Past, ...]:
    """The deals that are over, with `hand`, which is now; `changes` if it was scored."""
    return (*state.past, Past(hand.number, hand.promised, changes))
