"""Folding disputes and rulings; scores are as played, whatever is ruled."""

from typing import Any

from domain.events import DisputeOpened, Event, RulingAppealed, RulingDecided, RulingGiven
from domain.evolve.helpers import after, past
from domain.state import Dispute, State
from domain.struct import replace


def opened(state: State, event: Event[DisputeOpened]) -> State:
    """A dispute waits for an arbiter."""
    told = event.data
    dispute = Dispute(told.dispute, told.seat, told.hand, told.at_version, told.kind, event.at)
    return after(state, event, disputes=(*state.disputes, dispute))


def ruled(state: State, event: Event[RulingGiven]) -> State:
    """A ruling is in force; the live hand it voids is over like one misdealt, and what was held back in it is gone."""
    ruling = event.data
    disputes = _with(state, ruling.dispute, ruling=ruling, ruled_by=event.by)
    given = after(state, event, disputes=disputes, ruled=ruling.ruled)
    if state.hand is None or state.hand.n != ruling.voids:
        return given
    hand = replace(state.hand, over=True, misdealt=True, deferred=())
    over = replace(given, hand=hand, past=past(state, hand), turn=(), moved=event.version)
    return replace(over, before=None, proposal=None, delay=None)


def appealed(state: State, event: Event[RulingAppealed]) -> State:
    """A ruling waits for another arbiter, and is in force meanwhile."""
    return after(state, event, disputes=_with(state, event.data.dispute, appealed_by=event.data.seat))


def decided(state: State, event: Event[RulingDecided]) -> State:
    """The last word."""
    told = event.data
    disputes = _with(state, told.dispute, decision=told.decision, decided_by=event.by)
    return after(state, event, disputes=disputes, ruled=told.ruled)


def _with(state: State, dispute: int, **fields: Any) -> tuple[Dispute, ...]:
    return tuple(replace(each, **fields) if each.number == dispute else each for each in state.disputes)
