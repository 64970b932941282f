"""The seat whose turn it is, or every seat that is possible if that depends on hidden cards."""

from typing import NamedTuple

from domain.events import Seats
from domain.rules.choices import BiddingDirection, Fill, Follow, OpeningLead, Trump
from domain.rules.model import Rules
from replay.audit.play.checking import memoize_on_position
from replay.audit.play.trumps import trump_cards
from replay.fold import HandRead, Position

NO_TURN: frozenset[Seats] = frozenset({()})
"""The only possible `next` of a fact after which no seat moves, or of one that leaves the turn to a later fact."""
_TRUMPS_ONLY, _NAMED, _LEAD_TRUMP = Follow.TRUMPS_ONLY, Trump.NAMED, OpeningLead.TRUMP


class NextPlayers(NamedTuple):
    """The seats that may be next to play a card, in order, and whether it's possible that no seat can."""

    seats: Seats
    nobody: bool


def acceptable_turns(position: Position) -> frozenset[Seats]:
    """Return every `next` that can be right now; () if the hand is over or no seat can play."""
    hand = position.hand
    if hand is None or hand.over:
        return NO_TURN
    match position.phase:
        case "auction":
            return frozenset({next_bidder(position, hand)})
        case "discarding":
            return frozenset({(_next_to_discard(position, hand),)})
        case "play" | "waiting" as phase:
            players = next_players(position)
            caller = hand.won if phase == "waiting" else None
            turns = {(caller.seat if caller else seat,) for seat in players.seats}
            return NO_TURN.union(turns) if players.nobody else frozenset(turns)
        case _:
            return frozenset({(hand.won.seat,) if hand.won else ()})


def next_bidder(position: Position, hand: HandRead) -> Seats:
    """Return the seat to bid, in order from the eldest hand; () if every seat has bid or passed."""
    step = 1 if position.rules.auction.around is BiddingDirection.LEFT else -1
    done = len(hand.calls)
    return () if done >= position.seats else ((hand.dealt.eldest + step * done) % position.seats,)


def stock_taker(position: Position, hand: HandRead) -> int:
    """Return the seat that takes the stock, or its kitty: the pitcher, or the dealer if the rules say so (R-C2).

    Without a pitcher it's -1.
    """
    if position.rules.fill is Fill.DEALER:
        return hand.dealt.dealer
    return hand.won.seat if hand.won else -1


def _next_to_discard(position: Position, hand: HandRead) -> int:
    """Return the next seat to discard: the eldest hand is first, the seat that takes the stock last (R-C2).

    After a kitty, a seat without a surplus doesn't discard.
    """
    seats, last = position.seats, stock_taker(position, hand)
    order = [(hand.dealt.eldest + turn) % seats for turn in range(seats)]
    left = [seat for seat in order if seat not in hand.discarded]
    if position.rules.fill is Fill.KITTY:
        left = [seat for seat in left if hand.counts[seat] > position.rules.kept_cards]
    return next((seat for seat in left if seat != last), last)


@memoize_on_position
def next_players(position: Position) -> NextPlayers:
    """Return the possible next players, in order from the last card or from the seat to lead (R-C10, R-C53)."""
    hand, seats, candidates = position.live, position.seats, list[int]()
    if position.blind:
        return NextPlayers((), True)
    start = hand.table[-1].seat + 1 if hand.table else (hand.leader or 0)
    count = (hand.table[0].seat - start) % seats if hand.table else seats
    for turn in range(count):
        seat = (start + turn) % seats
        can = can_play(position, hand, seat)
        if can is not False:
            candidates.append(seat)
        if can:
            return NextPlayers(tuple(candidates), False)
    return NextPlayers(tuple(candidates), True)


def can_play(position: Position, hand: HandRead, seat: int) -> bool | None:
    """Tell whether a seat can play a card now; None if that depends on hidden cards."""
    if not hand.counts[seat]:
        return False
    rules = position.rules
    if rules.follow is not _TRUMPS_ONLY and not (rules.opening_lead is _LEAD_TRUMP and is_opening_lead(rules, hand)):
        return True
    held = hand.cards.get(seat)
    if held is None or (hand.untaken and stock_taker(position, hand) == seat):  # the next fact names the cards
        return None
    return hand.trump is not None and not trump_cards(rules.off, hand.trump).isdisjoint(held)


def is_opening_lead(rules: Rules, hand: HandRead) -> bool:
    """Tell whether the next card is the first of a hand in which trump was named, so that a rule says what may lead."""
    return rules.trump is _NAMED and not hand.table and not hand.takers


def next_blind_seat(position: Position, hand: HandRead) -> int:
    """Return the seat whose card comes next in a blind hand, in order from the leader."""
    return ((hand.leader or 0) + len(hand.table)) % position.seats


def is_blind(position: Position) -> bool:
    """Tell whether the hand is blind, so that the cards are played without a choice (B18, B19)."""
    return position.blind
