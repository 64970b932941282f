"""When a game is over and who has won it, from the scores and from who is still in."""

from typing import NamedTuple

from domain.events import Seats
from domain.rules.choices import Ending
from replay.audit.play.consent import is_draw_granted
from replay.fold import Position, memoize_on_position


class DueEnd(NamedTuple):
    """Why a game is over, and who has won it."""

    reason: str
    winners: Seats


def last_side(position: Position) -> Seats:
    """The seats still in when some have left and all that have not are of one side, else none (R-P9)."""
    alive = [still for side in position.opening.sides if (still := set(side) & set(position.still_in))]
    return tuple(sorted(alive[0])) if position.left and len(alive) == 1 else ()


def leaders(position: Position) -> Seats:
    """The seats still in that have the highest score among them."""
    best = max((position.scores[seat] for seat in position.still_in), default=0)
    return tuple(seat for seat in position.still_in if position.scores[seat] == best)


def seats_at_goal(position: Position) -> Seats:
    """The seats still in that stand at the goal, where there is one."""
    goal, scores = position.rules.goal, position.scores
    if goal is None or max(scores) < goal:
        return ()
    return tuple(seat for seat in position.still_in if scores[seat] >= goal)


@memoize_on_position
def due_end(position: Position) -> DueEnd | None:
    """The end that the facts so far bring about; None while the game goes on, or only time or a draw can end it."""
    if is_draw_granted(position):
        return DueEnd("draw", ())
    if position.left and (side := last_side(position)):
        return DueEnd("forfeit" if position.left[-1] in position.forfeited else "resignation", side)
    if not position.persons:
        return DueEnd("void", ())
    match position.rules.ending:
        case Ending.FIRST_TO_GOAL:
            won = seats_at_goal(position)
        case Ending.BIDDER_FIRST:
            won = _bidder_first(position)
        case Ending.HANDS:
            return DueEnd("hands", winner) if (winner := _after_the_hands(position)) else None
        case _:
            won = ()
    return DueEnd("goal", won) if won else None


def _bidder_first(position: Position) -> Seats:
    """T41 to T43, R-T8: the side that made its bid if it stands at the goal, else one side alone at the top of it."""
    hand, there = position.hand, set(seats_at_goal(position))
    if hand is None or not hand.over or hand.misdealt or not there:
        return ()
    sides = hand.sides or position.opening.sides
    pitchers = {seat for side in sides if hand.won and position.made and hand.won.seat in side for seat in side}
    top = set(leaders(position))
    alone = top if any(top <= set(side) for side in sides) else set[int]()
    return tuple(sorted(there & pitchers or there & alone))


def has_played_all_hands(position: Position) -> bool:
    """Whether the last hand of a game that has so many is over (B9)."""
    hand, rules = position.hand, position.rules
    if rules.ending is not Ending.HANDS or hand is None or hand.misdealt:
        return False
    return hand.over and hand.dealt.hand >= len(rules.hand_sizes)


def tied_seats(position: Position) -> Seats:
    """Who is ahead after the last hand, by score and then by exact bids (B24, B25); several are for the coin."""
    ahead = leaders(position)
    most = max((position.exact[seat] for seat in ahead), default=0)
    return tuple(seat for seat in ahead if position.exact[seat] == most)


def is_coin_due(position: Position) -> bool:
    """Whether only a coin can tell (B26)."""
    return has_played_all_hands(position) and position.coin is None and len(tied_seats(position)) > 1


def _after_the_hands(position: Position) -> Seats:
    if not has_played_all_hands(position) or is_coin_due(position):
        return ()
    return tied_seats(position) if position.coin is None else (position.coin,)
