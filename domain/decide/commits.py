"""A commit: the facts that follow by themselves, the seats that act next, and the author and audience of each fact.

docs/design.md says what follows what, and docs/events.md who writes and sees each fact.
"""

from collections.abc import Sequence
from typing import Any

from domain.cards import Card
from domain.engine.auction import next_bidder
from domain.engine.discards import has_surplus, stock_taker
from domain.engine.legal_moves import can_lead_any_card, playable_cards
from domain.engine.scoring import score_hand
from domain.engine.sides import sides_with_partner
from domain.engine.tricks import TRUMPS_ONLY, kept_plays, taker
from domain.events import (
    CardPlayed,
    CardsBuried,
    CardsDealt,
    CardsTaken,
    Event,
    Fact,
    GameEnded,
    HandScored,
    HandThrownIn,
    MisdealDeclared,
    PartnerRevealed,
    Seats,
    StockTaken,
    TrickTaken,
)
from domain.events.declaring import DECLARATIONS, Audience, Author
from domain.evolve import evolve
from domain.rules.choices import KITTIES, Call, Fill, Phase, Sight
from domain.rules.model import Rules
from domain.state import (
    NAMED_TRUMP,
    SERVER,
    Hand,
    Seat,
    State,
    Trick,
    add_to_trick,
    clockwise,
    current_hand,
    is_call_in_effect,
    require,
)
from domain.struct import replace

_WAITS_FOR_MOVE = (Phase.AUCTION, Phase.NAMING, Phase.CALLING)
_DISCARDING, _ANNOUNCED = Phase.DISCARDING, Call.ANNOUNCED
_REST_IS_TAKEN = (Fill.DISCARD, Fill.PITCHER_TAKES, Fill.DEALER)
"""Read off the enums once, because every fact needs them and an enum lookup is slow."""


def with_consequences(state: State, *facts: Fact) -> tuple[Fact, ...]:
    """Return `facts` and everything that follows from them; the last fact with a `next` names who acts then."""
    all_facts = list(facts)
    for fact in facts:
        state = _after(state, fact)
    while following := _next_facts(state):
        all_facts += following
        if isinstance(following[-1], HandScored):
            return tuple(all_facts)
        for fact in following:
            state = _after(state, fact)
    return with_next_turn(all_facts, seats_to_act(state))


_PLACEHOLDER: Event[Any] = Event("", SERVER, "", None, "", "", "", None, 1, 0)
"""Placeholder envelope for folding a fact before it is recorded."""


def _after(state: State, fact: Fact) -> State:
    """Return the state after `fact`."""
    return evolve(state, replace(_PLACEHOLDER, data=fact, at=state.at, version=state.version + 1))


def with_next_turn(facts: list[Fact], seats: Seats) -> tuple[Fact, ...]:
    """Return `facts` with `seats` as the `next` of the last fact that has a `next`."""
    at = next(at for at in range(len(facts) - 1, -1, -1) if hasattr(facts[at], "next"))
    return (*facts[:at], replace(facts[at], next=seats), *facts[at + 1 :])


def seats_to_act(state: State) -> Seats:
    """Return who must act in the current hand."""
    hand = current_hand(state)
    match state.phase:
        case Phase.AUCTION:
            return (next_bidder(state.rules.auction, hand.eldest, len(state.seats), hand.auction_turns),)
        case Phase.DISCARDING:
            return (_next_to_discard(state.rules, hand),)
        case Phase.PLAY:
            seat = next_player(state.rules, hand)
        case _:
            seat = hand.pitcher
    return () if seat is None else (seat,)


def _next_to_discard(rules: Rules, hand: Hand) -> int:
    """Return who discards next: from the eldest hand on, the seat that takes the stock last (R-C2).

    If nobody draws, only a seat with a surplus discards.
    """
    order, last = clockwise(hand.eldest, len(hand.counts)), stock_taker(rules, hand)
    waiting = (seat for seat in order if seat not in hand.discarded)
    if rules.fill is Fill.KITTY:
        waiting = (seat for seat in order if has_surplus(rules, hand, seat))
    return min(waiting, key=lambda seat: seat == last)


def next_player(rules: Rules, hand: Hand) -> int | None:
    """Return who plays the next card, to the current trick or to lead; None if nobody can (R-C10, R-C53)."""
    if hand.trick is not None:
        return _next_after(rules, hand, hand.trick.leader, hand.trick.plays[-1].seat)
    can_lead = hand.counts[hand.lead] > 0 if _any_card(rules, hand) else playable_cards(rules, hand, hand.lead)
    return hand.lead if can_lead else _next_after(rules, hand, hand.lead, hand.lead)


def next_player_after(rules: Rules, hand: Hand, seat: int, card: Card) -> int | None:
    """Return who plays after `seat` plays `card` to the current trick or leads it; None if nobody can."""
    if rules.follow is TRUMPS_ONLY:
        return next_player(rules, replace(hand, trick=add_to_trick(hand, seat, card)))
    counts, leader = hand.counts, seat if hand.trick is None else hand.trick.leader
    while (seat := (seat + 1) % len(counts)) != leader:
        if counts[seat]:
            return seat
    return None


def _next_after(rules: Rules, hand: Hand, leader: int, last: int) -> int | None:
    """Return who plays after `last` to the trick that `leader` led; None if nobody left can (R-C53, R-C54)."""
    seats, any_card = len(hand.counts), _any_card(rules, hand)
    seat = (last + 1) % seats
    while seat != leader:
        if hand.counts[seat] and (any_card or playable_cards(rules, hand, seat)):
            return seat
        seat = (seat + 1) % seats
    return None


def _any_card(rules: Rules, hand: Hand) -> bool:
    """Return whether every seat with a card can play one: any card can be led or thrown off."""
    return rules.follow is not TRUMPS_ONLY and can_lead_any_card(rules, hand)


def _next_facts(state: State) -> tuple[Fact, ...]:
    """Return the facts that follow next automatically, () if a seat must act."""
    hand, phase = current_hand(state), state.phase
    if phase in _WAITS_FOR_MOVE:
        return ()
    if _is_rest_of_stock_due(state.rules, hand, phase):
        return _take_stock(hand, require(stock_taker(state.rules, hand)), hand.stock_left, ())
    if phase is _DISCARDING:
        return ()
    if revealed := _reveal_secret_partner(state.rules, hand):
        return revealed
    if next_player(state.rules, hand) is not None:
        return _announce_partner(state.rules, hand)
    if hand.trick is not None:
        return (_take_trick(state.rules, hand, hand.trick),)
    return _reveal_at_hand_end(state.rules, hand) or (score_hand(state),)


def _is_rest_of_stock_due(rules: Rules, hand: Hand, phase: Phase) -> bool:
    """Return whether the rest of the stock goes to the pitcher or the dealer now (R-C2)."""
    if not hand.stock_left or hand.trick is not None or rules.fill not in _REST_IS_TAKEN:
        return False
    return phase is not _DISCARDING or len(hand.discarded) == len(hand.counts) - 1


def kitty_facts(state: State, pitcher: int) -> tuple[Fact, ...]:
    """Return the kitty that a new pitcher takes before they name trump, if the table has one."""
    rules = state.rules
    if rules.fill not in KITTIES or not rules.kitty:
        return ()
    return _take_stock(current_hand(state), pitcher, rules.kitty, (pitcher,))


def _take_stock(hand: Hand, seat: int, count: int, next_seats: Seats) -> tuple[Fact, ...]:
    return StockTaken(seat, count, next_seats), CardsTaken(hand.n, seat, require(hand.stock)[:count])


def _take_trick(rules: Rules, hand: Hand, trick: Trick, *, leads: bool = False) -> TrickTaken:
    """Give the trick to its taker under the rules in force now (S37, R-C19, R-C54); they can lead the next."""
    seat, plays = taker(rules, trick.plays, hand.trump, hand.first_joker), trick.plays
    following = (seat,) if leads else ()
    return TrickTaken(hand.number, trick.number, seat, plays, kept_plays(rules, plays, hand.trump), following)


def trick_with_next_lead(rules: Rules, hand: Hand, seat: int, card: Card) -> TrickTaken | None:
    """Return a full trick whose taker leads the next one, if nothing can come in between (S47, R-S9, T14, B23).

    Return None in the cases that need more checks: the last card, play with trumps only, or a called partner.
    """
    if hand.counts[seat] < 2 or rules.follow is TRUMPS_ONLY or rules.trump is NAMED_TRUMP:
        return None
    return _take_trick(rules, hand, add_to_trick(hand, seat, card), leads=True)


def _announce_partner(rules: Rules, hand: Hand) -> tuple[Fact, ...]:
    """Announce the partner when a call takes effect, with the next trick (C11, R-C29)."""
    waits = hand.called is None or hand.call_settled or hand.trick is not None
    if waits or rules.call is Call.SECRET:
        return ()
    return (_partner_revealed(hand, _holder(hand)),)


def _reveal_secret_partner(rules: Rules, hand: Hand) -> tuple[Fact, ...]:
    """Reveal a secret partner who plays the called card."""
    trick = hand.trick
    if trick is None or rules.call is _ANNOUNCED or hand.call_settled or not is_call_in_effect(hand, trick.number):
        return ()
    return tuple(_partner_revealed(hand, play.seat) for play in trick.plays if play.card == hand.called)


def _reveal_at_hand_end(rules: Rules, hand: Hand) -> tuple[Fact, ...]:
    """Reveal a secret call at the end of the hand if it took effect; otherwise it is void (R-C61)."""
    if rules.call is Call.ANNOUNCED or hand.call_settled or not is_call_in_effect(hand, len(hand.gathered)):
        return ()
    return (_partner_revealed(hand, _holder(hand)),)


def _holder(hand: Hand) -> int | None:
    return next((seat for seat, held in enumerate(hand.cards) if held and hand.called in held), None)


def _partner_revealed(hand: Hand, holder: int | None) -> PartnerRevealed:
    pitcher, called = require(hand.pitcher), require(hand.called)
    partner = None if holder == pitcher else holder
    return PartnerRevealed(pitcher, partner, called, sides_with_partner(pitcher, partner, len(hand.counts)), ())


def fact_author(fact: Any, state: State, asker: str) -> str:
    """Return the id of the player that a fact is by, or "server"; `asker` is the player whose command caused it."""
    match DECLARATIONS[type(fact)].author:
        case Author.OPENER | Author.ARBITER | Author.BRINGER:
            return asker
        case Author.LENDER:
            lender: str = fact.to
            return lender
        case Author.PARTY:
            party: Seat = state.seats[fact.seat]
            return party.player
        case Author.SEAT if state.seats[fact.seat].state == "in" and not _is_automatic_play(fact, state):
            sitting: Seat = state.seats[fact.seat]
            return sitting.player
        case Author.CAUSE if fact.cause == "host":
            return asker
        case _:
            return SERVER


def _is_automatic_play(fact: Any, state: State) -> bool:
    if not isinstance(fact, CardPlayed) or state.hand is None:
        return False
    return state.rules.sight(state.hand.number) is Sight.OTHERS


def fact_audience(fact: Fact, state: State) -> Seats | None:
    """Return the seats that see a fact, None for everybody; each fact has one audience."""
    match DECLARATIONS[type(fact)].audience:
        case Audience.EVERYBODY:
            return None
        case Audience.SIGHT if isinstance(fact, CardsDealt | CardsBuried | CardsTaken):
            return _seats_in_sight(fact.seat, state)
        case _:
            return ()


def _seats_in_sight(seat: int, state: State) -> Seats:
    if state.rules.sight(current_hand(state).number) is Sight.OWN:
        return (seat,)
    return tuple(other for other in range(len(state.seats)) if other != seat)


TURN_ENDING_FACTS = (HandThrownIn, HandScored, MisdealDeclared, GameEnded)
"""Facts after which nobody moves in the hand that they end."""


def with_single_next(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts of a commit; `next` is empty if a later fact names it, or ends the hand or the game."""
    later, out = False, list[Any]()
    each: Any
    for each in reversed(facts):
        turns = getattr(each, "next", None)
        out.append(replace(each, next=()) if later and turns else each)
        later = later or turns is not None or isinstance(each, TURN_ENDING_FACTS)
    return tuple(reversed(out))
