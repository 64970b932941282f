"""Fold functions for disputes and rulings. They leave `State.scores` as played."""

from typing import Any

from domain.events import DisputeOpened, DisputeWithdrawn, Event, RulingAppealed, RulingDecided, RulingGiven
from domain.events.declaring import add_to
from domain.evolve.folding import HANDLERS, apply, close_deal, stop_clock
from domain.state import Dispute, State
from domain.struct import replace


@add_to(HANDLERS, DisputeOpened)
def on_dispute_opened(state: State, event: Event[DisputeOpened]) -> State:
    """Add a dispute."""
    opened = event.data
    dispute = Dispute(opened.dispute, opened.seat, opened.hand, opened.at_version, opened.kind, event.at, event.by)
    return apply(state, event, disputes=(*state.disputes, dispute))


@add_to(HANDLERS, DisputeWithdrawn)
def on_dispute_withdrawn(state: State, event: Event[DisputeWithdrawn]) -> State:
    """Set that a dispute was withdrawn."""
    return apply(state, event, disputes=_change_dispute(state, event.data.dispute, withdrawn=True))


@add_to(HANDLERS, RulingGiven)
def on_ruling_given(state: State, event: Event[RulingGiven]) -> State:
    """Set a ruling. A live hand that it voids ends like a misdealt one, and its deferred changes are dropped.

    DelayDropped ends an open call about that hand; a ruling of version 1 ended any open call itself.
    """
    ruling = event.data
    disputes = _change_dispute(state, ruling.dispute, ruling=ruling, ruled_by=event.by)
    after = apply(state, event, disputes=disputes, ruled=ruling.ruled)
    if state.hand is None or state.hand.n != ruling.voids:
        return after
    after = stop_clock(after, event.at)
    hand = replace(state.hand, over=True, misdealt=True, deferred=())
    over = replace(after, hand=hand, past_deals=close_deal(state, hand), turn=(), moved=event.version)
    return replace(over, undo_point=None, proposal=None, delay=None if ruling.drops_call else state.delay)


@add_to(HANDLERS, RulingAppealed)
def on_ruling_appealed(state: State, event: Event[RulingAppealed]) -> State:
    """Set the seat that appealed. The ruling stays in force meanwhile."""
    return apply(state, event, disputes=_change_dispute(state, event.data.dispute, appealed_by=event.data.seat))


@add_to(HANDLERS, RulingDecided)
def on_ruling_decided(state: State, event: Event[RulingDecided]) -> State:
    """Set the decision on an appeal."""
    decided = event.data
    disputes = _change_dispute(state, decided.dispute, decision=decided.decision, decided_by=event.by)
    return apply(state, event, disputes=disputes, ruled=decided.ruled)


def _change_dispute(state: State, dispute: int, **fields: Any) -> tuple[Dispute, ...]:
    return tuple(replace(each, **fields) if each.number == dispute else each for each in state.disputes)
