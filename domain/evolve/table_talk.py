"""Fold functions beside the play: rule changes, delay of game, undos, draws, hand-overs, leaving, clock, and end."""

from domain.events import (
    BidScaled,
    DelayCalled,
    DelayDropped,
    DelayJudged,
    DelayVoted,
    DrawAnswered,
    DrawProposed,
    Event,
    GameEnded,
    HandoverAnswered,
    HandoverAsked,
    MovesTakenBack,
    PartnersChanged,
    RulesChanged,
    RulesChangeDeferred,
    SeatForfeited,
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    TimeClaimed,
    TurnReminded,
    TurnTimed,
    UndoAnswered,
    UndoAsked,
)
from domain.events.declaring import add_to
from domain.evolve.folding import HANDLERS, apply, apply_play, continue_turn, set_at, stop_clock
from domain.rules.choices import Partners
from domain.state import DelayCall, Hand, Handover, Holder, Proposal, Seat, State, TurnClock, current_hand, require
from domain.struct import replace


@add_to(HANDLERS, RulesChanged)
def on_rules_changed(state: State, event: Event[RulesChanged]) -> State:
    """Put other rules in force, and drop an open proposal. A call lapses if partners are found otherwise (R-C62)."""
    change, proposals = event.data, _count(state, _host_seat(state, event))
    if state.hand is None:
        return apply(state, event, in_force=change.rules, proposals=proposals, proposal=None, moved=event.version)
    hand = state.hand
    if change.cause == "deferred":
        hand = replace(hand, deferred=hand.deferred[1:])
    elif change.cause == "randomizer":
        hand = replace(hand, last_draw_turn=hand.turns)
    if change.rules.partners is not state.rules.partners:
        hand = _drop_call(hand, change.rules.partners)
    return replace(continue_turn(state, apply_play(state, event, hand)), in_force=change.rules, proposals=proposals)


def _host_seat(state: State, event: Event[RulesChanged] | Event[RulesChangeDeferred]) -> int | None:
    """Return the host's seat if the host made this change of the rules, else None."""
    return state.seat_of(event.by) if event.data.cause == "host" else None


def _drop_call(hand: Hand, partners: Partners) -> Hand:
    """Return the hand without its call, under other rules for partners."""
    mid_hand = partners is Partners.CALL and hand.trump is not None
    return replace(hand, called=None, counts_from=None, call_settled=False, mid_hand=mid_hand)


@add_to(HANDLERS, RulesChangeDeferred)
def on_rules_change_deferred(state: State, event: Event[RulesChangeDeferred]) -> State:
    """Hold a rule change back until the end of the hand. Like a change at once, it ends proposals."""
    hand = current_hand(state)
    last_draw = hand.turns if event.data.cause == "randomizer" else hand.last_draw_turn
    waiting = replace(hand, deferred=(*hand.deferred, event.data), last_draw_turn=last_draw)
    after = apply(state, event, hand=waiting, undo_point=None, proposal=None, moved=event.version)
    return replace(after, proposals=_count(state, _host_seat(state, event)))


@add_to(HANDLERS, BidScaled)
def on_bid_scaled(state: State, event: Event[BidScaled]) -> State:
    """Set what a bid is worth now."""
    hand, scaled = current_hand(state), event.data
    bid = scaled.after if scaled.seat == hand.pitcher else hand.bid
    bids = hand.bids if hand.bids[scaled.seat] is None else set_at(hand.bids, scaled.seat, scaled.after)
    return apply(state, event, hand=replace(hand, bids=bids, bid=bid))


@add_to(HANDLERS, PartnersChanged)
def on_partners_changed(state: State, event: Event[PartnersChanged]) -> State:
    """Set the new sides."""
    return apply(state, event, hand=replace(current_hand(state), sides=event.data.sides))


@add_to(HANDLERS, DelayCalled)
def on_delay_called(state: State, event: Event[DelayCalled]) -> State:
    """Open a delay call. From here on, rule changes wait (R-C41)."""
    called, hand = event.data, current_hand(state)
    call = DelayCall(called.seat, called.accused, called.waited_ms, ((called.seat, True),), hand.n)
    waiting = replace(hand, defers_changes=True, acquitted=False)
    return apply(state, event, delay=call, delay_turn=state.turn_version, hand=waiting)


@add_to(HANDLERS, DelayVoted)
def on_delay_voted(state: State, event: Event[DelayVoted]) -> State:
    """Add a vote to the open delay call."""
    call = require(state.delay)
    votes = (*call.votes, (event.data.seat, event.data.guilty))
    return apply(state, event, delay=replace(call, votes=votes))


@add_to(HANDLERS, DelayJudged)
def on_delay_judged(state: State, event: Event[DelayJudged]) -> State:
    """Close the delay call and set the scores after the verdict."""
    hand = state.hand and replace(state.hand, acquitted=not event.data.guilty)
    return apply(state, event, delay=None, scores=event.data.scores, hand=hand)


@add_to(HANDLERS, DelayDropped)
def on_delay_dropped(state: State, event: Event[DelayDropped]) -> State:
    """Close the delay call without a verdict."""
    return apply(state, event, delay=None)


@add_to(HANDLERS, UndoAsked)
def on_undo_asked(state: State, event: Event[UndoAsked]) -> State:
    """Open a proposal to undo a move."""
    proposal = Proposal("undo", (event.data.seat,), event.data.to_version)
    return apply(state, event, proposal=proposal, proposals=_count(state, event.data.seat), moved=event.version)


@add_to(HANDLERS, DrawProposed)
def on_draw_proposed(state: State, event: Event[DrawProposed]) -> State:
    """Open a proposal to end the game in a draw."""
    seat = event.data.seat
    return apply(state, event, proposal=Proposal("draw", (seat,)), proposals=_count(state, seat), moved=event.version)


def _count(state: State, seat: int | None) -> tuple[int, ...]:
    """Return how often each seat has proposed something or changed the rules in this hand, once more for `seat`."""
    return state.proposals if seat is None else set_at(state.proposals, seat, state.proposals[seat] + 1)


@add_to(HANDLERS, UndoAnswered, DrawAnswered)
def on_proposal_answered(state: State, event: Event[UndoAnswered | DrawAnswered]) -> State:
    """Add a seat's consent, or close the proposal if the seat refuses."""
    if state.proposal is None or not event.data.accept:
        return apply(state, event, proposal=None, moved=event.version)
    accepted = (*state.proposal.accepted, event.data.seat)
    return apply(state, event, proposal=replace(state.proposal, accepted=accepted))


@add_to(HANDLERS, MovesTakenBack)
def on_moves_taken_back(state: State, event: Event[MovesTakenBack]) -> State:
    """Restore the play before a person's last move. Changes by a delay call since then stay."""
    if state.undo_point is None:
        raise LookupError("there is no move to take back")
    now = current_hand(state)
    hand = replace(state.undo_point.hand, defers_changes=now.defers_changes, acquitted=now.acquitted)
    begins, after = event.data.begins_turn, apply_play(state, event, hand, state.undo_point.earlier)
    after = after if begins else continue_turn(state, after)
    if after.turn_version != event.version:
        return after
    return replace(after, clocks=state.undo_point.clocks, restored_turn=event.version, can_be_short=not begins)


@add_to(HANDLERS, SeatResigned)
def on_seat_resigned(state: State, event: Event[SeatResigned]) -> State:
    """Mark a seat as resigned."""
    return _remove_seat(state, event, "resigned")


@add_to(HANDLERS, SeatForfeited)
def on_seat_forfeited(state: State, event: Event[SeatForfeited]) -> State:
    """Mark a seat as forfeited."""
    return _remove_seat(state, event, "forfeited")


@add_to(HANDLERS, TurnReminded)
def on_turn_reminded(state: State, event: Event[TurnReminded]) -> State:
    """Note that a player was reminded in this turn, and how long the clock was held in it."""
    return apply(state, event, reminder_turn=state.turn_version, held_ms=event.data.held_ms)


def _remove_seat(state: State, event: Event[SeatResigned] | Event[SeatForfeited], status: str) -> State:
    left = event.data.seat
    seats = set_at(state.seats, left, replace(state.seats[left], state=status))
    still_in = tuple(seat for seat in state.still_in if seat != left)
    after = apply(state, event, seats=seats, still_in=still_in, left=(*state.left, left), moved=event.version)
    lapses = state.handover is not None and state.handover.seat == left
    return replace(after, undo_point=None, proposal=None, handover=None if lapses else state.handover)


@add_to(HANDLERS, GameEnded)
def on_game_ended(state: State, event: Event[GameEnded]) -> State:
    """End the game."""
    over = apply(state, event, turn=(), undo_point=None, proposal=None, delay=None, moved=event.version)
    return replace(over, result=event.data, ruled=event.data.ruled, handover=None)


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
