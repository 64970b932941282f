"""Whether the game is over, and who has won it."""

from collections.abc import Callable

from domain.engine.auction import is_moon
from domain.engine.sides import bidding_side, current_sides
from domain.events import Seats
from domain.rules.choices import Ending, Moon, Partners
from domain.state import Hand, State
from domain.struct import Value

_MOON_WINS = Moon.GAME
"""Read off the enum once, because every move needs it and an enum lookup is slow."""


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
    bidders = bidding_side(state.rules, hand) if _is_bid_made(state, hand) else ()
    for side in (bidders, _of_one_side(current_sides(state.rules, hand), leaders(state))):
        if won := tuple(seat for seat in side if seat in at_goal):
            return Verdict("goal", won)
    return None


def _is_scored(state: State, hand: Hand) -> bool:
    """Return whether the hand that was scored last is this one."""
    return state.last_hand is not None and state.last_hand.hand == hand.number and not hand.misdealt


def _is_bid_made(state: State, hand: Hand) -> bool:
    return state.last_hand is not None and _is_scored(state, hand) and bool(state.last_hand.made)


def _bidder_only(state: State) -> Verdict | None:
    """At the goal, only the bidder who made the bid in this hand; one who calls partners wins alone (N11, H9)."""
    hand = state.hand
    if hand is None or not _is_bid_made(state, hand):
        return None
    at_goal = _at_goal(state)
    won = tuple(seat for seat in winning_bidders(state, hand) if seat in at_goal)
    return Verdict("goal", won) if won else None


def winning_bidders(state: State, hand: Hand) -> Seats:
    """Return the seats that win with the bidder: their side, but nobody else if only a bidder wins and calls."""
    rules = state.rules
    alone = rules.ending is Ending.BIDDER_ONLY and rules.partners is Partners.CALL and hand.pitcher is not None
    return (hand.pitcher,) if alone and hand.pitcher is not None else tuple(sorted(bidding_side(rules, hand)))


def _highest(state: State) -> Verdict | None:
    """At the goal, the side with the highest score; a tie goes to the pitcher's side, without it play goes on (N12)."""
    hand = state.hand
    if hand is None or not _is_scored(state, hand) or not _at_goal(state):
        return None
    won = highest_of_side(state, hand)
    return Verdict("goal", won) if won else None


def highest_of_side(state: State, hand: Hand) -> Seats:
    """Return the leaders if they are of one side, else those of the pitcher's side; () if none of them is."""
    best, bidders = leaders(state), bidding_side(state.rules, hand)
    return _of_one_side(current_sides(state.rules, hand), best) or tuple(seat for seat in best if seat in bidders)


def _moon(state: State) -> Verdict | None:
    """A moon for the game wins if it raised its side to the goal, and loses at once if it failed (H8)."""
    hand, last = state.hand, state.last_hand
    if hand is None or last is None or not _is_scored(state, hand) or not is_moon(state.rules, hand):
        return None
    bidders = bidding_side(state.rules, hand)
    if not last.made:
        return Verdict("moon", tuple(seat for seat in sorted(state.still_in) if seat not in bidders))
    at_goal = set(bidders).intersection(_at_goal(state))
    return Verdict("moon", tuple(seat for seat in sorted(bidders) if seat in state.still_in)) if at_goal else None


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
    return hand.number >= len(state.rules.hand_sizes) and state.rules.ending in (Ending.HANDS, Ending.HANDS_SHARED)


def is_coin_due(state: State) -> bool:
    """Return whether only a coin can decide who has won (B26)."""
    if state.rules.ending is not Ending.HANDS or state.coin is not None:
        return False
    return is_last_hand_over(state) and len(tied_leaders(state)) > 1


def _hands(state: State) -> Verdict | None:
    """The highest score wins after the last hand (B24-B26, R-B12)."""
    if not is_last_hand_over(state) or is_coin_due(state):
        return None
    return Verdict("hands", tied_leaders(state) if state.coin is None else (state.coin,))


def _hands_shared(state: State) -> Verdict | None:
    """The highest score wins after the last hand; seats that share it win together."""
    return Verdict("hands", leaders(state)) if is_last_hand_over(state) else None


ENDINGS: dict[Ending, Callable[[State], Verdict | None]] = {
    Ending.FIRST_TO_GOAL: _first_to_goal,
    Ending.BIDDER_FIRST: _bidder_first,
    Ending.HANDS: _hands,
    Ending.BIDDER_ONLY: _bidder_only,
    Ending.HIGHEST: _highest,
    Ending.HANDS_SHARED: _hands_shared,
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
    if state.turn:
        return None
    shot = _moon(state) if state.rules.auction.moon is _MOON_WINS else None
    return shot or ENDINGS[state.rules.ending](state)


def _reason_for_leaving(state: State) -> str:
    """Return why one side is left alone: how the last seat to leave left (R-P9, R-P10)."""
    return "forfeit" if state.seats[state.left[-1]].state == "forfeited" else "resignation"


def is_log_full(state: State) -> bool:
    """Return whether the log has reached its limit, so that the game ends instead of the next deal.

    It's judged once a hand is over and before the table commits to the next deal; a coin is flipped first.
    """
    limits, hand = None if state.opened is None else state.opened.limits, state.hand
    if limits is None or hand is None or not hand.over or state.version < limits.events:
        return False
    return all(each.dealt for each in state.ceremonies) and not is_coin_due(state)


def session_winners(state: State) -> Seats:
    """Return who has won if time or a draw ends the game: the leaders of a session, else nobody (C7, R-C43)."""
    return leaders(state) if state.rules.ending is Ending.SESSION else ()
