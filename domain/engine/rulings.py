"""The outcome of a game under the rulings in force: scores, and the winners by those scores (docs/disputes.md).

Scores and results as played never change, and play continues from them.
"""

from collections.abc import Callable, Iterable

from domain.engine.endings import highest_of_side, leaders, session_winners, tied_leaders, winning_bidders
from domain.events import GameEnded, Ruled, Seats
from domain.rules.choices import Ending
from domain.state import Dispute, State, current_hand, require
from domain.struct import replace


def net_changes(disputes: Iterable[Dispute], seats: int) -> tuple[int, ...]:
    """Return what the rulings in force change, by seat."""
    changes = [each.in_force.changes for each in disputes if each.in_force is not None]
    return tuple(sum(change[seat] for change in changes) for seat in range(seats))


def ruled_outcome(state: State) -> Ruled | None:
    """Return the outcome under the rulings in force; None if they change no score.

    While the game is in progress there are no winners. When it is over, they are found by the scores as ruled.
    """
    moved = net_changes(state.disputes, len(state.seats))
    if not any(moved):
        return None
    scores = tuple(score + change for score, change in zip(state.scores, moved, strict=True))
    return Ruled(scores, () if state.result is None else _winners(replace(state, scores=scores), state.result))


def with_ruled_outcome(state: State, ended: GameEnded) -> GameEnded:
    """Return the end of the game with its outcome under the rulings in force."""
    return replace(ended, ruled=ruled_outcome(replace(state, result=ended)))


def voiding_dispute(state: State, n: int) -> Dispute | None:
    """Return the dispute whose ruling ends the deal of ceremony `n`, or None."""
    return next((each for each in state.disputes if each.ruling is not None and each.ruling.voids == n), None)


def is_score_void(disputes: Iterable[Dispute], hand: int) -> bool:
    """Return whether a ruling in force takes back the score of `hand`."""
    rulings = (each.in_force for each in disputes if each.hand == hand)
    return any(each is not None and each.decision == "void" and each.voids is None for each in rulings)


def _winners(state: State, ended: GameEnded) -> Seats:
    """Return who has won by the scores of `state`; the winners stay the same if scores didn't decide the game."""
    winners_of = WINNERS_AS_RULED.get(ended.reason)
    return ended.winners if winners_of is None else winners_of(state)


def _at_goal(state: State) -> Seats:
    """As in the rules: a bidder at the goal who made the last bid, else the highest score (R-T8, S21)."""
    goal, ending = state.rules.goal, state.rules.ending
    if ending is Ending.HIGHEST:
        hand = current_hand(state)
        side = () if is_score_void(state.disputes, hand.number) else highest_of_side(state, hand)
        return side or leaders(state)
    bidders = _side_that_made_bid(state) if ending in (Ending.BIDDER_FIRST, Ending.BIDDER_ONLY) else ()
    at_goal = [seat for seat in state.still_in if goal is not None and state.scores[seat] >= goal]
    return tuple(seat for seat in bidders if seat in at_goal) or leaders(state)


def _side_that_made_bid(state: State) -> Seats:
    """Return the side that made its bid in the last hand, unless that hand is void."""
    hand, last = state.hand, state.last_hand
    if hand is None or last is None or last.hand != hand.number or not last.made:
        return ()
    return () if is_score_void(state.disputes, hand.number) else winning_bidders(state, hand)


def _after_last_hand(state: State) -> Seats:
    """Ties go to the most exact bids, then to the coin if it fell for a tied seat; otherwise the tied seats all win.

    If the rules share a win, all leaders have it.
    """
    if state.rules.ending is Ending.HANDS_SHARED:
        return leaders(state)
    winners = tied_leaders(state)
    return (state.coin,) if state.coin in winners else winners


def _after_moon(state: State) -> Seats:
    """A moon decides whatever the scores are; if its hand is void, the highest score wins."""
    hand, ended = current_hand(state), require(state.result)
    return leaders(state) if is_score_void(state.disputes, hand.number) else ended.winners


WINNERS_AS_RULED: dict[str, Callable[[State], Seats]] = {
    "goal": _at_goal,
    "hands": _after_last_hand,
    "moon": _after_moon,
    "time": session_winners,
    "randomizer": session_winners,
}
"""How the winners by other scores are found, by the reason the game ended."""
