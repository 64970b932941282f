"""Folding changes of the rules, delay of game, consent, leaving and the end."""

from domain.events import (
    BidScaled,
    DelayCalled,
    DelayJudged,
    DelayVoted,
    DrawAnswered,
    DrawProposed,
    Event,
    GameEnded,
    MovesTakenBack,
    PartnersChanged,
    RulesChanged,
    RulesChangeDeferred,
    SeatForfeited,
    SeatResigned,
    TurnReminded,
    UndoAnswered,
    UndoAsked,
)
from domain.evolve.helpers import after, aside, play, put
from domain.rules.choices import Partners
from domain.state import DelayCall, Hand, Proposal, State, dealt_hand, require
from domain.struct import replace


def rules_changed(state: State, event: Event[RulesChanged]) -> State:
    """Other rules are in force; a call belongs to the orientation it was made under (R-C62)."""
    change = event.data
    if state.hand is None:
        return after(state, event, in_force=change.rules, moved=event.version)
    hand = state.hand
    if change.cause == "deferred":
        hand = replace(hand, deferred=hand.deferred[1:])
    elif change.cause == "randomizer":
        hand = replace(hand, drawn=hand.turns)
    if change.rules.partners is not state.rules.partners:
        hand = _turned(hand, change.rules.partners)
    return replace(aside(state, play(state, event, hand)), in_force=change.rules)


def _turned(hand: Hand, partners: Partners) -> Hand:
    """The hand under another orientation."""
    mid_hand = partners is Partners.CALL and hand.trump is not None
    return replace(hand, called=None, counts_from=None, settled=False, mid_hand=mid_hand)


def deferred(state: State, event: Event[RulesChangeDeferred]) -> State:
    """A change waits for the end of the hand; like one that does not, it ends what was proposed."""
    hand = dealt_hand(state)
    drawn = hand.turns if event.data.cause == "randomizer" else hand.drawn
    waiting = replace(hand, deferred=(*hand.deferred, event.data), drawn=drawn)
    return after(state, event, hand=waiting, before=None, proposal=None, moved=event.version)


def bid_scaled(state: State, event: Event[BidScaled]) -> State:
    """A bid is worth less, or as much again."""
    hand, scaled = dealt_hand(state), event.data
    bid = scaled.after if scaled.seat == hand.pitcher else hand.bid
    bids = hand.bids if hand.bids[scaled.seat] is None else put(hand.bids, scaled.seat, scaled.after)
    return after(state, event, hand=replace(hand, bids=bids, bid=bid))


def partners_changed(state: State, event: Event[PartnersChanged]) -> State:
    """The pitcher's side is another."""
    return after(state, event, hand=replace(dealt_hand(state), sides=event.data.sides))


def delay_called(state: State, event: Event[DelayCalled]) -> State:
    """Changes of the rules wait from here on (R-C41)."""
    called, hand = event.data, dealt_hand(state)
    call = DelayCall(called.seat, called.accused, called.waited_ms, ((called.seat, True),))
    return after(state, event, delay=call, delayed=state.began, hand=replace(hand, held=True, acquitted=False))


def delay_voted(state: State, event: Event[DelayVoted]) -> State:
    """A vote on the open call."""
    call = require(state.delay)
    votes = (*call.votes, (event.data.seat, event.data.guilty))
    return after(state, event, delay=replace(call, votes=votes))


def delay_judged(state: State, event: Event[DelayJudged]) -> State:
    """The call is settled, and paid for."""
    hand = state.hand and replace(state.hand, acquitted=not event.data.guilty)
    return after(state, event, delay=None, scores=event.data.scores, hand=hand)


def undo_asked(state: State, event: Event[UndoAsked]) -> State:
    """A proposal is open."""
    proposal = Proposal("undo", (event.data.seat,), event.data.to_version)
    return after(state, event, proposal=proposal, moved=event.version)


def draw_proposed(state: State, event: Event[DrawProposed]) -> State:
    """A proposal is open."""
    return after(state, event, proposal=Proposal("draw", (event.data.seat,)), moved=event.version)


def answered(state: State, event: Event[UndoAnswered | DrawAnswered]) -> State:
    """One more agrees, or the proposal is dead."""
    if state.proposal is None or not event.data.accept:
        return after(state, event, proposal=None, moved=event.version)
    accepted = (*state.proposal.accepted, event.data.seat)
    return after(state, event, proposal=replace(state.proposal, accepted=accepted))


def taken_back(state: State, event: Event[MovesTakenBack]) -> State:
    """The play stands as it did; a delay call made since stands too."""
    if state.before is None:
        raise LookupError("there is no move to take back")
    now = dealt_hand(state)
    hand = replace(state.before.hand, held=now.held, acquitted=now.acquitted)
    return aside(state, play(state, event, hand))


def resigned(state: State, event: Event[SeatResigned]) -> State:
    """The table plays this seat from here on."""
    return _left(state, event, "resigned")


def forfeited(state: State, event: Event[SeatForfeited]) -> State:
    """The same, of a seat that was awaited too long."""
    return _left(state, event, "forfeited")


def reminded(state: State, event: Event[TurnReminded]) -> State:
    """Once a turn."""
    return after(state, event, reminded=state.began)


def _left(state: State, event: Event[SeatResigned] | Event[SeatForfeited], how: str) -> State:
    left = event.data.seat
    seats = put(state.seats, left, replace(state.seats[left], state=how))
    still_in = tuple(seat for seat in state.still_in if seat != left)
    gone = after(state, event, seats=seats, still_in=still_in, left=(*state.left, left), moved=event.version)
    return replace(gone, before=None, proposal=None)


def ended(state: State, event: Event[GameEnded]) -> State:
    """Nothing more is heard."""
    over = after(state, event, turn=(), before=None, proposal=None, delay=None, moved=event.version)
    return replace(over, result=event.data, ruled=event.data.ruled)
