"""Folding disputes and rulings; scores are as played, whatever is ruled."""

from typing import Any

from domain.events import DisputeOpened, Event, RulingAppealed, RulingDecided, RulingGiven
from domain.evolve.common import Fields, past
from domain.state import Dispute, State, changed


def opened(state: State, event: Event[DisputeOpened]) -> Fields:
    """A dispute waits for an arbiter."""
    told = event.data
    dispute = Dispute(told.dispute, told.seat, told.hand, told.at_version, told.kind, event.at)
    return {"disputes": (*state.disputes, dispute)}


def ruled(state: State, event: Event[RulingGiven]) -> Fields:
    """A ruling is in force; the live hand it voids is over like one misdealt, and what was held back in it is gone."""
    ruling = event.data
    fields = _with(state, ruling.dispute, ruling=ruling, ruled_by=event.by) | {"ruled": ruling.ruled}
    if state.hand is None or state.hand.n != ruling.voids:
        return fields
    hand = changed(state.hand, over=True, misdealt=True, deferred=())
    ends = {"turn": (), "before": None, "proposal": None, "delay": None, "moved": event.version}
    return fields | {"hand": hand, "past": past(state, hand)} | ends


def appealed(state: State, event: Event[RulingAppealed]) -> Fields:
    """A ruling waits for another arbiter, and is in force meanwhile."""
    return _with(state, event.data.dispute, appealed_by=event.data.seat)


def decided(state: State, event: Event[RulingDecided]) -> Fields:
    """The last word."""
    told = event.data
    return _with(state, told.dispute, decision=told.decision, decided_by=event.by) | {"ruled": told.ruled}


def _with(state: State, dispute: int, **fields: Any) -> Fields:
    disputes = (changed(each, **fields) if each.number == dispute else each for each in state.disputes)
    return {"disputes": tuple(disputes)}
