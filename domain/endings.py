"""Is the game over, and who has won it."""

from dataclasses import dataclass

from domain.events import Seats
from domain.scoring import winners
from domain.state import State


@dataclass(frozen=True)
class Verdict:
    """Why a game is over and which seats won it; nobody wins a draw or a void game."""

    reason: str
    winners: Seats


def draw_agreed(state: State) -> bool:
    """Whether everybody still in has agreed to the open draw (R-P8)."""
    proposal = state.proposal
    return proposal is not None and proposal.kind == "draw" and set(state.persons) <= set(proposal.accepted)


def _one_side_left(state: State) -> Seats:
    """The seats still in when all of them are of one side, else none (R-P9)."""
    sides = state.rules.sides(len(state.seats))
    alive = [still for side in sides if (still := tuple(seat for seat in side if seat in state.still_in))]
    return alive[0] if len(alive) == 1 else ()


def verdict(state: State) -> Verdict | None:
    """The ending the facts so far call for, None while the game goes on."""
    if state.result is not None or state.opened is None:
        return None
    if draw_agreed(state):
        return Verdict("draw", ())
    if len(state.still_in) < len(state.seats):
        last_side = _one_side_left(state)
        if last_side:
            return Verdict("resignation", last_side)
        if not state.persons:
            return Verdict("void", ())
    at_goal = winners(state.rules, state.scores, state.still_in)
    return Verdict("goal", at_goal) if at_goal else None
