"""Whether the game is over, and who has won it."""

from collections.abc import Callable

from domain.engine.sides import bidding_side, current_sides
from domain.events import Seats
from domain.rules.choices import Ending
from domain.state import State
from domain.struct import Value


class Verdict(Value, frozen=True):
    """Why a game is over, and which seats won it; a draw or a void game has no winners."""

    reason: str
    winners: Seats


def is_draw_agreed(state: State) -> bool:
    """Return whether everybody still in has agreed to the open draw (R-P8)."""
    proposal = state.proposal
    return proposal is not None and proposal.kind == "draw" and set(state.persons) <= set(proposal.accepted)


def _one_side_left(state: State) -> Seats:
    """Return the seats still in if they all belong to one side, else () (R-P9)."""
    sides = state.rules.sides(len(state.seats))
    alive = [still for side in sides if (still := tuple(seat for seat in side if seat in state.still_in))]
    return alive[0] if len(alive) == 1 else ()


def leaders(state: State) -> Seats:
    """Return the seats still in that share the highest score among them, ascending."""
    top = max(state.scores[seat] for seat in state.still_in)
    return tuple(seat for seat in sorted(state.still_in) if state.scores[seat] == top)


def _at_goal(state: State) -> Seats:
    goal, scores = state.rules.goal, state.scores
    if goal is None or max(scores) < goal:
        return ()
    return tuple(seat for seat in sorted(state.still_in) if scores[seat] >= goal)


def _first_to_goal(state: State) -> Verdict | None:
    """At most one side reaches the goal, because crediting stops there (S21, S45)."""
    at_goal = _at_goal(state)
    return Verdict("goal", at_goal) if at_goal else None


def _bidder_first(state: State) -> Verdict | None:
    """At the goal, the bidder who made the bid, else the highest score of a single side (T41-T43, R-T8, R-T9)."""
    hand, at_goal = state.hand, _at_goal(state)
    if not at_goal or hand is None or not hand.over or hand.misdealt:
        return None
    made = state.last_hand is not None and state.last_hand.hand == hand.number and state.last_hand.made
    bidders = bidding_side(state.rules, hand) if made else ()
    for side in (bidders, _of_one_side(current_sides(state.rules, hand), leaders(state))):
        if won := tuple(seat for seat in side if seat in at_goal):
            return Verdict("goal", won)
    return None


def _of_one_side(sides: tuple[Seats, ...], seats: Seats) -> Seats:
    """Return `seats` if they all belong to one side, else ()."""
    return seats if any(set(seats) <= set(side) for side in sides) else ()


def tied_leaders(state: State) -> Seats:
    """Return the leaders with the most exact bids; a coin decides if there are several (B25, B26)."""
    highest = leaders(state)
    most = max(state.exact_hands[seat] for seat in highest)
    return tuple(seat for seat in highest if state.exact_hands[seat] == most)


def is_last_hand_over(state: State) -> bool:
    """Return whether no hands remain to be played (B9)."""
    hand = state.hand
    if hand is None or not hand.over or hand.misdealt:
        return False
    return hand.number >= len(state.rules.hand_sizes) and state.rules.ending is Ending.HANDS


def is_coin_due(state: State) -> bool:
    """Return whether only a coin can decide who has won (B26)."""
    return is_last_hand_over(state) and state.coin is None and len(tied_leaders(state)) > 1


def _hands(state: State) -> Verdict | None:
    """The highest score wins after the last hand (B24-B26, R-B12)."""
    if not is_last_hand_over(state) or is_coin_due(state):
        return None
    return Verdict("hands", tied_leaders(state) if state.coin is None else (state.coin,))


ENDINGS: dict[Ending, Callable[[State], Verdict | None]] = {
    Ending.FIRST_TO_GOAL: _first_to_goal,
    Ending.BIDDER_FIRST: _bidder_first,
    Ending.HANDS: _hands,
    Ending.SESSION: lambda _: None,  # ended by time or by commands.EndSession
}
"""How the winners are found when a hand is scored, by ending."""


def verdict(state: State) -> Verdict | None:
    """Return the ending that the facts call for, or None. Scores end a game only while no seat is to move."""
    if state.result is not None or state.opened is None:
        return None
    if state.proposal is not None and is_draw_agreed(state):
        return Verdict("draw", ())
    if state.left:
        last_side = _one_side_left(state)
        if last_side:
            return Verdict(_reason_for_leaving(state), last_side)
        if not state.persons:
            return Verdict("void", ())
    return None if state.turn else ENDINGS[state.rules.ending](state)


def _reason_for_leaving(state: State) -> str:
    """Return why one side is left alone: how the last seat to leave left (R-P9, R-P10)."""
    return "forfeit" if state.seats[state.left[-1]].state == "forfeited" else "resignation"


def session_winners(state: State) -> Seats:
    """Return who has won if time or a draw ends the game: the leaders of a session, else nobody (C7, R-C43)."""
    return leaders(state) if state.rules.ending is Ending.SESSION else ()
