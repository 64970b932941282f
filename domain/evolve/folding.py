"""The fold, and what its functions share: recording a move, the turn after it, and what an undo restores."""

from collections.abc import Callable
from typing import Any, TypeVar

from domain.cards import Card
from domain.events import Event
from domain.rules.choices import Undo
from domain.state import SERVER, Hand, PastDeal, State, UndoPoint
from domain.struct import replace

T = TypeVar("T")
HANDLERS: dict[type[Any], Callable[[State, Any], State]] = {}
"""The function that folds each fact. `@add_to(HANDLERS, ...)` above a function enters it."""
_PRACTICE = Undo.PRACTICE
"""Read off the enum once, because every card needs it and an enum lookup is slow."""


def evolve(state: State, event: Event[Any]) -> State:
    """Return the state after `event`."""
    return HANDLERS[type(event.data)](state, event)


def set_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return `values` with the one at `index` replaced."""
    new = list(values)
    new[index] = value
    return tuple(new)


def remove_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return `cards` without one of them."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def apply(state: State, event: Event[Any], **fields: Any) -> State:
    """Return the state after `event`, with new values in `fields`."""
    return replace(state, version=event.version, at=event.at, **fields)


def apply_play(state: State, event: Event[Any], hand: Hand, undo: UndoPoint | None = None) -> State:
    """Return the state after a fact of the play: a new turn begins, proposals lapse, and an undo restores `undo`."""
    seats, version, at = event.data.next, event.version, event.at
    if state.clock is not None:
        state = stop_clock(state, at)
    return replace(
        state,
        version=version,
        at=at,
        moved=version,
        hand=hand,
        turn=seats,
        awaited=seats or state.awaited,
        turn_since=at,
        turn_version=version,
        undo_point=undo,
        proposal=None,
    )


def apply_move(state: State, event: Event[Any], hand: Hand) -> State:
    """Return the state after a seat's own move, which a person may ask to take back."""
    return apply_play(state, event, hand, undo_point(state, event))


def stop_clock(state: State, at: str) -> State:
    """Return the state after the clock of the turn has stopped at `at`."""
    clock = state.clock
    if clock is None:
        return state
    clocks = state.clocks or (None,) * len(state.seats)
    return replace(state, clock=None, clocks=set_at(clocks, clock.seat, replace(clock, stopped_at=at)))


def continue_turn(state: State, after: State) -> State:
    """Return `after`, in which the turn of `state` goes on unless other seats are awaited (R-C63).

    `after` is the state that follows `state` by a fact that came while a seat was thinking.
    """
    if after.awaited != state.awaited:
        return after
    turn = {"turn_since": state.turn_since, "turn_version": state.turn_version}
    return replace(after, **turn, clock=state.clock, clocks=state.clocks)


def undo_point(state: State, event: Event[Any]) -> UndoPoint | None:
    """Return what an undo restores after this move: the play before it if a person made it."""
    seat = event.data.seat
    if state.hand is None or event.by == SERVER or state.seats[seat].kind != "human":
        return standing_undo_point(state)
    clocks = state.clocks if state.clock is None else stop_clock(state, event.at).clocks
    return UndoPoint(seat, event.version - 1, state.hand, state.turn, standing_undo_point(state), clocks)


def standing_undo_point(state: State) -> UndoPoint | None:
    """Return what an undo still restores after a move, a trick or the end of the auction: nothing, except in practice.

    Other facts of the play end every undo, in practice too (R-P7).
    """
    opened = state.opened
    return None if opened is None or opened.undo != _PRACTICE else state.undo_point


def close_deal(state: State, hand: Hand, changes: tuple[int, ...] | None = None) -> tuple[PastDeal, ...]:
    """Return the deals that are over, now with `hand`; `changes` are those of the scores, if it was scored."""
    return (*state.past_deals, PastDeal(hand.number, hand.ceremony_version, changes))
