"""What a game comes to by its rulings: the scores, and who has won by them (docs/disputes.md)."""

from collections.abc import Sequence

from domain.events import GameEnded, Ruled, Seats
from domain.rules.choices import Ending
from domain.struct import replace
from replay.audit.scoring.endings import leaders, seats_at_goal, tied_seats
from replay.fold import DisputeRead, Position


def ruling_changes(position: Position) -> tuple[int, ...]:
    """The changes of all rulings in force together, by seat."""
    rulings = [each.in_force for each in position.disputes]
    return tuple(sum(ruling.changes[seat] for ruling in rulings if ruling) for seat in range(position.seats))


def ruled_result(position: Position, ended: GameEnded | None) -> Ruled | None:
    """The scores with the rulings in force, and who has won by them if it has `ended`; None where they move nothing."""
    moved = ruling_changes(position)
    if set(moved) <= {0}:
        return None
    scores = tuple(score + change for score, change in zip(position.scores, moved, strict=True))
    return Ruled(scores, _won(replace(position, scores=scores), ended) if ended else ())


def _won(position: Position, ended: GameEnded) -> Seats:
    match ended.reason:
        case "goal":
            return _bidders(position) or leaders(position)
        case "hands":
            ahead = tied_seats(position)
            return (position.coin,) if position.coin is not None and position.coin in ahead else ahead
        case "time" | "randomizer":
            return leaders(position) if position.rules.ending is Ending.SESSION else ()
        case _:
            return ended.winners


def _bidders(position: Position) -> Seats:
    """R-T8: the side that made its bid in the last hand goes out first, unless that hand is void."""
    hand = position.hand
    if position.rules.ending is not Ending.BIDDER_FIRST or hand is None or not (hand.won and position.made):
        return ()
    if is_hand_voided(position.disputes, hand.dealt.hand):
        return ()
    side = next((side for side in hand.sides or position.opening.sides if hand.won.seat in side), ())
    return tuple(sorted(set(side) & set(seats_at_goal(position))))


def is_hand_voided(disputes: Sequence[DisputeRead], hand: int) -> bool:
    """Whether a ruling in force takes back what a hand scored."""
    rulings = [each.in_force for each in disputes if each.opened.hand == hand]
    return any(ruling and ruling.decision == "void" and ruling.voids is None for ruling in rulings)
