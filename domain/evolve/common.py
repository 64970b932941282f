"""What the folds of all facts share: what a fact of the play does to the turn, and what may be taken back."""

from typing import Any, TypeVar

from domain.cards import Card
from domain.events import Event
from domain.state import SERVER, Before, Hand, Past, State, dealt_hand

T = TypeVar("T")
Fields = dict[str, Any]
"""The fields of a state that a fact changes."""


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """`values` with the one at `at` replaced."""
    return (*values[:at], value, *values[at + 1 :])


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """`cards` without one of them."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def play(state: State, event: Event[Any], hand: Hand, before: Before | None = None) -> Fields:
    """What every fact of the play does: a new turn, and an end to proposals and to taking back the move before."""
    seats = event.data.next
    return {
        "hand": hand,
        "turn": seats,
        "awaited": seats or state.awaited,
        "since": event.at,
        "began": event.version,
        "moved": event.version,
        "before": before,
        "proposal": None,
    }


def move(state: State, event: Event[Any], hand: Hand) -> Fields:
    """The same for a seat's own move, which a person may ask to take back as long as nothing follows it."""
    return play(state, event, hand, before(state, event))


def aside(state: State, event: Event[Any], fields: Fields) -> Fields:
    """`fields` of what happens while a seat thinks: its turn goes on, unless another seat is named (R-C63)."""
    if fields["awaited"] == state.awaited:
        fields["since"], fields["began"] = state.since, state.began
    return fields


def before(state: State, event: Event[Any]) -> Before | None:
    """What an undo of this move would restore, None where it is no person's."""
    if event.by == SERVER or state.seats[event.data.seat].kind != "human":
        return None
    return Before(event.data.seat, event.version - 1, dealt_hand(state), state.turn)


def past(state: State, hand: Hand, changes: tuple[int, ...] | None = None) -> tuple[Past, ...]:
    """The deals that are over, with `hand`, which is now; `changes` if it was scored."""
    return (*state.past, Past(hand.number, hand.promised, changes))
