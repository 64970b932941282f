"""Which move an undo takes back in practice: found by going back through the positions of the hand (R-P7)."""

from collections.abc import Iterator
from typing import NamedTuple

from domain.events import UndoAsked
from replay.fold import HandRead, Position


class MoveBegun(NamedTuple):
    """A person's move: its seat, and the version just before it."""

    seat: int
    version: int


def check_practice_undo(position: Position, fact: UndoAsked) -> Iterator[str]:
    """Check that a person goes back to just before their last move that can be taken back."""
    if position.players[fact.seat].kind != "human":
        yield f"seat {fact.seat} is a bot, but asks to take a move back"
    last = last_move(position)
    if last is None:
        yield f"seat {fact.seat} goes back to version {fact.to_version}, but no move can be taken back here"
    elif last != (fact.seat, fact.to_version):
        yield (
            f"seat {fact.seat} goes back to version {fact.to_version}, but the last move that can be taken back"
            f" is that of seat {last.seat} after version {last.version}"
        )


def last_move(position: Position) -> MoveBegun | None:
    """Return the last move of a person that stands, or None without one, or if something ended its undo.

    A position with fewer turns is before the latest move that stands: an undo sets the turns back with the play.
    """
    hand, after = position.hand, position
    if hand is None or hand.over:
        return None
    turns = hand.turns
    while (before := after.past) is not None and before.hand is not None and _barriers(before) == _barriers(after):
        if before.hand.turns < turns:
            seat = _mover(before.hand, after.live)
            if position.players[seat].kind == "human":
                return MoveBegun(seat, _version_before(before, before.hand))
            turns = before.hand.turns
        after = before
    return None


def _barriers(position: Position) -> tuple[object, ...]:
    """Return what only facts change that no undo goes past: reveals, exchanges, rules, and the people at the table."""
    hand = position.hand
    exchange = () if hand is None else (hand.settled, hand.discarded, hand.stock_left, hand.deferred, hand.upcard)
    return *exchange, position.in_force, position.left, position.players, position.ceremonies


def _mover(before: HandRead, after: HandRead) -> int:
    """Return the seat that bid, passed or played a card, else the pitcher, who named trump or called a partner."""
    if len(after.calls) > len(before.calls):
        return after.calls[-1][0]
    return after.table[-1].seat if len(after.table) > len(before.table) or after.won is None else after.won.seat


def _version_before(position: Position, hand: HandRead) -> int:
    """Return the version before the move that follows: a first lead begins with the trump that it makes."""
    past = None if position.past is None else position.past.hand
    pitched = past is not None and past.marker is None and hand.marker is not None
    return position.version - 1 if pitched else position.version
