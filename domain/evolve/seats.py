"""Fold functions for hand-overs of seats."""

from domain.events import Event, HandoverAnswered, HandoverAsked, SeatHandedOver, SeatReturned
from domain.events.declaring import add_to
from domain.evolve.helpers import HANDLERS, apply, set_at, stop_clock
from domain.state import Handover, Holder, Seat, State, require
from domain.struct import replace


@add_to(HANDLERS, HandoverAsked)
def on_handover_asked(state: State, event: Event[HandoverAsked]) -> State:
    """Open the question. It counts as a proposal of its seat in this hand."""
    asked = event.data
    question = Handover(asked.seat, asked.to, asked.kind, asked.bot, (asked.seat,))
    proposals = set_at(state.proposals, asked.seat, state.proposals[asked.seat] + 1)
    return apply(state, event, handover=question, proposals=proposals)


@add_to(HANDLERS, HandoverAnswered)
def on_handover_answered(state: State, event: Event[HandoverAnswered]) -> State:
    """Add a seat's consent, or close the question if the seat refuses."""
    if not event.data.accept:
        return apply(state, event, handover=None)
    asked = require(state.handover)
    return apply(state, event, handover=replace(asked, accepted=(*asked.accepted, event.data.seat)))


@add_to(HANDLERS, SeatHandedOver)
def on_seat_handed_over(state: State, event: Event[SeatHandedOver]) -> State:
    """Seat another player. The one who leaves can take the seat back later."""
    fact = event.data
    lenders = (*state.seats[fact.seat].lenders, fact.giver)
    asked = state.handover  # the clock asks nobody, and leaves a question about another seat open
    after = _seat_player(state, event, fact.to, fact.kind, fact.bot, lenders)
    return after if asked is None or asked.seat != fact.seat else replace(after, handover=None)


@add_to(HANDLERS, SeatReturned)
def on_seat_returned(state: State, event: Event[SeatReturned]) -> State:
    """Seat the player again who lent the seat. Its own question ends, and it is asked another one again."""
    seat, to, asked = event.data.seat, event.data.to, state.handover
    lenders = state.seats[seat].lenders
    after = _seat_player(state, event, to, "human", None, lenders[: lenders.index(to)])
    if asked is None or asked.seat == seat:
        return replace(after, handover=None)
    return replace(after, handover=replace(asked, accepted=tuple(each for each in asked.accepted if each != seat)))


def _seat_player(
    state: State,
    event: Event[SeatHandedOver] | Event[SeatReturned],
    player: str,
    kind: str,
    bot: str | None,
    lenders: tuple[str, ...],
) -> State:
    """Return the state with another player at the seat: proposals lapse, and so do undos and the seat's seal."""
    seat, before = event.data.seat, state.seats[event.data.seat]
    back_at = event.at if before.kind == "bot" and kind == "human" else before.back_at
    past = Holder(before.player, before.kind, before.since, event.version - 1)
    sitting = Seat(player, kind, bot, before.state, event.version, (*before.earlier, past), lenders, back_at)
    seats, seals = set_at(state.seats, seat, sitting), set_at(state.next_seals, seat, None)
    if state.clock is not None and state.clock.seat == seat and kind == "bot":
        state = stop_clock(state, event.at)
    return apply(state, event, seats=seats, next_seals=seals, undo_point=None, proposal=None, moved=event.version)
