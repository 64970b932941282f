"""The course of a hand: what comes of itself before a seat must act again, and which seat that is."""

from dataclasses import replace
from typing import Any

from domain.auction import bidding_order
from domain.choices import Call, Fill, Follow, Phase
from domain.events import (
    CardsTaken,
    Event,
    Fact,
    PartnerRevealed,
    Seats,
    StockTaken,
    TrickTaken,
)
from domain.evolve import evolve
from domain.legal import opens_with_trump, playable
from domain.rules import Rules
from domain.scoring import score
from domain.sides import bidders_sides
from domain.state import SERVER, Hand, State, call_due, dealt_hand
from domain.tricks import kept, taker


def carried(state: State, *facts: Fact) -> tuple[Fact, ...]:
    """`facts` and all that comes of them by itself; the last one with a `next` names the seat that must act then."""
    course = list(facts)
    for fact in facts:
        state = _after(state, fact)
    while following := _following(state):
        course += following
        for fact in following:
            state = _after(state, fact)
    return tuple(course) if dealt_hand(state).over else passed_on(course, turn(state))


def _after(state: State, fact: Fact) -> State:
    """The state `fact` would leave."""
    event: Event[Any] = Event(state.at, SERVER, "", fact, "", state.game, "", None, 1, state.version + 1)
    return evolve(state, event)


def passed_on(facts: list[Fact], seats: Seats) -> tuple[Fact, ...]:
    """`facts` with the turn going to `seats`, as the last of them that has a `next` says."""
    last = max(at for at, fact in enumerate(facts) if hasattr(fact, "next"))
    turned: Any = facts[last]
    return (*facts[:last], replace(turned, next=seats), *facts[last + 1 :])


def turn(state: State) -> Seats:
    """Who must act in the hand on the table."""
    hand = dealt_hand(state)
    match state.phase:
        case Phase.AUCTION:
            return (bidding_order(state.rules.auction, hand.eldest, len(state.seats))[hand.asked],)
        case Phase.DISCARDING:
            return (_next_to_discard(hand),)
        case Phase.PLAY:
            seat = next_player(state.rules, hand)
        case _:
            seat = hand.pitcher
    return () if seat is None else (seat,)


def _next_to_discard(hand: Hand) -> int:
    """The eldest hand first, the pitcher last (R-C2)."""
    seats = len(hand.counts)
    order = [(hand.eldest + turn) % seats for turn in range(seats)]
    return min((seat for seat in order if seat not in hand.discarded), key=lambda seat: seat == hand.pitcher)


def next_player(rules: Rules, hand: Hand) -> int | None:
    """Who plays the next card, None when nobody can: to the trick on the table, or to open one (R-C10, R-C53)."""
    if hand.trick is not None:
        return next_after(rules, hand, hand.trick.leader, hand.trick.plays[-1].seat)
    seats = len(hand.counts)
    return _first_that_can(rules, hand, [(hand.lead + turn) % seats for turn in range(seats)])


def next_after(rules: Rules, hand: Hand, leader: int, last: int) -> int | None:
    """Who plays after `last` to the trick that `leader` opened, None when nobody left can (R-C53, R-C54)."""
    seats = len(hand.counts)
    left = (leader - last - 1) % seats
    return _first_that_can(rules, hand, [(last + turn) % seats for turn in range(1, left + 1)])


def _first_that_can(rules: Rules, hand: Hand, order: list[int]) -> int | None:
    if rules.follow is Follow.TRUMPS_ONLY or opens_with_trump(rules, hand):
        return next((seat for seat in order if playable(rules, hand, seat)), None)
    return next((seat for seat in order if hand.counts[seat]), None)


def _following(state: State) -> tuple[Fact, ...]:
    """The facts that come next of themselves, () where a seat must act."""
    hand, phase = dealt_hand(state), state.phase
    if hand.over or phase in (Phase.AUCTION, Phase.NAMING, Phase.CALLING):
        return ()
    if _pitcher_takes(state.rules, hand, phase):
        return _rest_of_stock(hand)
    if phase is Phase.DISCARDING:
        return ()
    if fell := _secret_told(state.rules, hand):
        return fell
    if next_player(state.rules, hand) is not None:
        return _partner(state.rules, hand)
    if hand.trick is not None:
        return (_gathered(state.rules, hand),)
    return _lapsed(state.rules, hand) or (score(state),)


def _pitcher_takes(rules: Rules, hand: Hand, phase: Phase) -> bool:
    """Whether the rest of the stock goes to the pitcher now (R-C2)."""
    if rules.fill is Fill.NOTHING or not hand.stock_left or hand.trick is not None:
        return False
    return phase is not Phase.DISCARDING or len(hand.discarded) == len(hand.counts) - 1


def _rest_of_stock(hand: Hand) -> tuple[Fact, ...]:
    if hand.pitcher is None or hand.stock is None:
        raise LookupError("only the table knows the stock")
    return StockTaken(hand.pitcher, hand.stock_left, ()), CardsTaken(hand.n, hand.pitcher, hand.stock)


def _gathered(rules: Rules, hand: Hand) -> TrickTaken:
    """The trick goes to its taker, under the rules in force now (S37, R-C19, R-C54)."""
    if hand.trick is None:
        raise LookupError("there is no trick on the table")
    plays = hand.trick.plays
    seat = taker(rules, plays, hand.trump, hand.first_joker)
    return TrickTaken(hand.number, hand.trick.number, seat, plays, kept(rules, plays, hand.trump), ())


def _partner(rules: Rules, hand: Hand) -> tuple[Fact, ...]:
    """A call takes effect with the next trick, and is announced (C11, R-C29)."""
    waits = hand.called is None or hand.settled or hand.trick is not None
    if waits or rules.call is Call.SECRET or call_due(rules, hand):
        return ()
    return (_revealed(hand, _holder(hand)),)


def _secret_told(rules: Rules, hand: Hand) -> tuple[Fact, ...]:
    """A partner who was secret is known when he plays the called card."""
    trick = hand.trick
    if rules.call is Call.ANNOUNCED or hand.settled or trick is None or trick.number < hand.called_in:
        return ()
    return tuple(_revealed(hand, play.seat) for play in trick.plays if play.card == hand.called)


def _lapsed(rules: Rules, hand: Hand) -> tuple[Fact, ...]:
    """At the end of the hand a secret call that took effect is told; one that did not is void (R-C61)."""
    if rules.call is Call.ANNOUNCED or hand.settled or hand.called is None or len(hand.gathered) < hand.called_in:
        return ()
    return (_revealed(hand, _holder(hand)),)


def _holder(hand: Hand) -> int | None:
    return next((seat for seat, held in enumerate(hand.cards) if held and hand.called in held), None)


def _revealed(hand: Hand, holder: int | None) -> PartnerRevealed:
    if hand.pitcher is None or hand.called is None:
        raise LookupError("nobody has called a card")
    partner = None if holder == hand.pitcher else holder
    sides = bidders_sides(hand.pitcher, partner, len(hand.counts))
    return PartnerRevealed(hand.pitcher, partner, hand.called, sides, ())
