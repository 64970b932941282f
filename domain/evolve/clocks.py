"""Fold functions for the clock of each turn."""

from domain.events import Event, TimeClaimed, TurnTimed
from domain.events.declaring import add_to
from domain.evolve.helpers import HANDLERS, apply
from domain.state import State, TurnClock


@add_to(HANDLERS, TurnTimed)
def on_turn_timed(state: State, event: Event[TurnTimed]) -> State:
    """Set the clock of the turn. It counts from the turn's beginning, or from when a bot gave the seat back."""
    timed, sitting = event.data, state.seats[event.data.seat]
    since = max(state.turn_since, sitting.back_at)
    closed = timed.closed
    clock = TurnClock(timed.seat, state.turn_version, since, timed.left_ms, closed, timed.held_ms, timed.deadline)
    return apply(state, event, clock=clock)


@add_to(HANDLERS, TimeClaimed)
def on_time_claimed(state: State, event: Event[TimeClaimed]) -> State:
    """Change nothing yet: the forfeit follows."""
    return apply(state, event)
