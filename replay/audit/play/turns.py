"""Whose turn it is, by bookkeeping; where that depends on cards that are not shown, every answer that can be right."""

from typing import NamedTuple

from domain.events import Seats
from domain.rules.choices import BiddingDirection, Follow, Trump
from replay.audit.play.trumps import is_trump
from replay.fold import HandRead, Position, memoize_on_position


class NextPlayers(NamedTuple):
    """Who may be next to play a card, in the order they are asked, and whether it may be that nobody can."""

    seats: Seats
    nobody: bool


def acceptable_turns(position: Position) -> frozenset[Seats]:
    """Every `next` that can be right now; () for a hand nobody can play on."""
    hand = position.hand
    if hand is None or hand.over:
        return frozenset({()})
    match position.phase:
        case "auction":
            return frozenset({next_bidder(position, hand)})
        case "discarding":
            return frozenset({(_thrower(hand, position.seats),)})
        case "play" | "waiting" as phase:
            players = next_players(position)
            nobody: list[Seats] = [()] if players.nobody else []
            calls = hand.won if phase == "waiting" else None
            return frozenset([*((calls.seat if calls else seat,) for seat in players.seats), *nobody])
        case _:
            return frozenset({(hand.won.seat,) if hand.won else ()})


def next_bidder(position: Position, hand: HandRead) -> Seats:
    """Round from the eldest hand; nobody once all have spoken."""
    step = 1 if position.rules.auction.around is BiddingDirection.LEFT else -1
    done = len(hand.said)
    return () if done >= position.seats else ((hand.dealt.eldest + step * done) % position.seats,)


def _thrower(hand: HandRead, seats: int) -> int:
    """The eldest first, the pitcher last (R-C2)."""
    pitcher = hand.won.seat if hand.won else -1
    order = [(hand.dealt.eldest + turn) % seats for turn in range(seats)]
    left = [seat for seat in order if seat not in hand.discarded]
    return next((seat for seat in left if seat != pitcher), pitcher)


@memoize_on_position
def next_players(position: Position) -> NextPlayers:
    """Who may be next: round from the last card up to the leader, or from who has the lead (R-C10, R-C53)."""
    hand, seats, found = position.live, position.seats, list[int]()
    if is_blind(position):
        return NextPlayers((), True)
    start = hand.table[-1].seat + 1 if hand.table else (hand.leader or 0)
    asked = (hand.table[0].seat - start) % seats if hand.table else seats
    for turn in range(asked):
        seat = (start + turn) % seats
        can = can_play(position, hand, seat)
        if can is not False:
            found.append(seat)
        if can:
            return NextPlayers(tuple(found), False)
    return NextPlayers(tuple(found), True)


def can_play(position: Position, hand: HandRead, seat: int) -> bool | None:
    """Whether a seat can play a card now; None where that hangs on cards that are not shown."""
    if not hand.counts[seat]:
        return False
    opens = position.rules.trump is Trump.NAMED and not hand.table and not hand.takers
    if position.rules.follow is not Follow.TRUMPS_ONLY and not opens:
        return True
    held = hand.cards.get(seat)
    takes = hand.untaken and hand.won and hand.won.seat == seat  # and what he takes is named next
    return None if held is None or takes else any(is_trump(position.rules, hand.trump, card) for card in held)


def is_blind(position: Position) -> bool:
    """Whether the seats do not see their own cards, so that these play themselves (B18, B19)."""
    return position.blind
