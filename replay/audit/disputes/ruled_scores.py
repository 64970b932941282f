"""The result of a game as ruled: the scores, and the winners by them (docs/disputes.md)."""

from collections.abc import Sequence

from domain.events import GameEnded, Ruled, Seats
from domain.rules.choices import Ending
from domain.struct import replace
from replay.audit.scoring.endings import leaders, leaders_of_a_side, seats_at_goal, tied_seats, winners_bidder_only
from replay.fold import DisputeRead, Position


def ruling_changes(position: Position) -> tuple[int, ...]:
    """Return the sum of the changes of all rulings in force, by seat."""
    rulings = [each.in_force for each in position.disputes]
    return tuple(sum(ruling.changes[seat] for ruling in rulings if ruling) for seat in range(position.seats))


def ruled_result(position: Position, ended: GameEnded | None) -> Ruled | None:
    """Return the scores as ruled, and the winners if the game has `ended`; None if the rulings change no score."""
    changes = ruling_changes(position)
    if set(changes) <= {0}:
        return None
    scores = tuple(score + change for score, change in zip(position.scores, changes, strict=True))
    return Ruled(scores, _winners(replace(position, scores=scores), ended) if ended else ())


def _winners(position: Position, ended: GameEnded) -> Seats:
    match ended.reason:
        case "goal":
            return _side_at_goal(position) or leaders(position)
        case "hands" if position.rules.ending is Ending.HANDS_SHARED:
            return leaders(position)
        case "hands":
            seats = tied_seats(position)
            return (position.coin,) if position.coin is not None and position.coin in seats else seats
        case "moon" if position.hand is not None and is_hand_voided(position.disputes, position.hand.dealt.hand):
            return leaders(position)
        case "time" | "randomizer":
            return leaders(position) if position.rules.ending is Ending.SESSION else ()
        case _:
            return ended.winners


def _side_at_goal(position: Position) -> Seats:
    """Return the side that wins as the rules say, by its last hand, unless that hand is void (R-T8)."""
    hand = position.hand
    if hand is None or is_hand_voided(position.disputes, hand.dealt.hand):
        return ()
    match position.rules.ending:
        case Ending.HIGHEST:
            return leaders_of_a_side(position, hand)
        case Ending.BIDDER_ONLY:
            return winners_bidder_only(position)
        case Ending.BIDDER_FIRST if hand.won and position.made:
            side = next((side for side in hand.sides or position.opening.sides if hand.won.seat in side), ())
            return tuple(sorted(set(side) & set(seats_at_goal(position))))
        case _:
            return ()


def is_hand_voided(disputes: Sequence[DisputeRead], hand: int) -> bool:
    """Tell whether a ruling in force voids the score of a hand."""
    rulings = [each.in_force for each in disputes if each.opened.hand == hand]
    return any(ruling and ruling.decision == "void" and ruling.voids is None for ruling in rulings)
