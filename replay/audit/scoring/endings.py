"""The end of a game and its winners, from the scores and the seats still in; and checks of the fact that says so."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from domain.events import GameEnded, Seats
from domain.rules.choices import Ending, Moon, Partners, Stop
from replay.audit.play.auction import is_moon
from replay.audit.play.checking import memoize_on_position
from replay.audit.play.deadlines import game_deadline
from replay.audit.play.rule_changes import randomizer_draws, session_end_labels
from replay.audit.play.table_talk import is_draw_granted
from replay.audit.scoring.hand_score import check_row
from replay.fold import HandRead, Position


class DueEnd(NamedTuple):
    """The reason for which a game is over, and the seats that won it."""

    reason: str
    winners: Seats


def last_side(position: Position) -> Seats:
    """Return the seats still in if others have left and those still in are all on one side, otherwise () (R-P9)."""
    alive = [still for side in position.opening.sides if (still := set(side) & set(position.still_in))]
    return tuple(sorted(alive[0])) if position.left and len(alive) == 1 else ()


def leaders(position: Position) -> Seats:
    """Return the seats still in with the highest score among them."""
    best = max((position.scores[seat] for seat in position.still_in), default=0)
    return tuple(seat for seat in position.still_in if position.scores[seat] == best)


def seats_at_goal(position: Position) -> Seats:
    """Return the seats still in that have reached the goal; () if the game has no goal."""
    goal, scores = position.rules.goal, position.scores
    if goal is None or max(scores) < goal:
        return ()
    return tuple(seat for seat in position.still_in if scores[seat] >= goal)


@memoize_on_position
def due_end(position: Position) -> DueEnd | None:
    """Return the end that the facts bring about; None if the game continues, or only time or the randomizer ends it."""
    if position.proposal is not None and is_draw_granted(position):
        return DueEnd("draw", ())
    if position.left and (side := last_side(position)):
        return DueEnd("forfeit" if position.left[-1] in position.forfeited else "resignation", side)
    if not position.persons:
        return DueEnd("void", ())
    if moon := _winners_by_moon(position):
        return DueEnd("moon", moon)
    find_winners = _WINNERS_BY_ENDING.get(position.rules.ending)
    winners = () if find_winners is None else find_winners(position)
    if not winners:
        return None
    return DueEnd("hands" if position.rules.ending in _BY_HANDS else "goal", winners)


def _scored_hand(position: Position) -> HandRead | None:
    """Return the last hand if it was scored."""
    hand = position.hand
    if hand is None or not hand.over or hand.misdealt or hand.thrown_in:
        return None
    return hand


def _pitchers(position: Position, hand: HandRead) -> set[int]:
    """Return the seats still in of the pitcher's side."""
    won, sides = hand.won, hand.sides or position.opening.sides
    side = next((side for side in sides if won and won.seat in side), ())
    return set(side) & set(position.still_in)


def _winners_by_moon(position: Position) -> Seats:
    """Return who wins at once by a moon for the game: the pitcher's side raised to the goal, or the others."""
    hand = position.hand if position.rules.auction.moon is Moon.GAME else None
    if hand is None or _scored_hand(position) is None or not is_moon(position.rules, hand.bid):
        return ()
    pitchers = _pitchers(position, hand)
    if position.made:
        return tuple(sorted(pitchers)) if pitchers & set(seats_at_goal(position)) else ()
    return tuple(seat for seat in position.still_in if seat not in pitchers)


def winners_bidder_only(position: Position) -> Seats:
    """Return the pitcher's side at the goal if it made its bid; a pitcher who calls partners wins alone."""
    hand = _scored_hand(position)
    if hand is None or hand.won is None or not position.made:
        return ()
    pitchers = {hand.won.seat} if position.rules.partners is Partners.CALL else _pitchers(position, hand)
    return tuple(seat for seat in seats_at_goal(position) if seat in pitchers)


def _winners_highest(position: Position) -> Seats:
    """Return the leaders if a seat is at the goal and they are of one side, or those of the pitcher's side."""
    hand = _scored_hand(position)
    return () if hand is None or not seats_at_goal(position) else leaders_of_a_side(position, hand)


def leaders_of_a_side(position: Position, hand: HandRead) -> Seats:
    """Return the leaders if they are of one side of the hand, else those of the pitcher's side."""
    top = leaders(position)
    if any(set(top) <= set(side) for side in hand.sides or position.opening.sides):
        return top
    pitchers = _pitchers(position, hand)
    return tuple(seat for seat in top if seat in pitchers)


def _winners_bidder_first(position: Position) -> Seats:
    """Return the side at the goal that made its bid, otherwise a side alone in the lead there (T41 to T43, R-T8)."""
    hand, at_goal = position.hand, set(seats_at_goal(position))
    if hand is None or not hand.over or hand.misdealt or not at_goal:
        return ()
    sides = hand.sides or position.opening.sides
    pitchers = {seat for side in sides if hand.won and position.made and hand.won.seat in side for seat in side}
    top = set(leaders(position))
    alone = top if any(top <= set(side) for side in sides) else set[int]()
    return tuple(sorted(at_goal & pitchers or at_goal & alone))


def has_played_all_hands(position: Position) -> bool:
    """Tell whether the last hand of a game with a fixed number of hands is over (B9)."""
    hand, rules = position.hand, position.rules
    if rules.ending not in _BY_HANDS or hand is None or hand.misdealt:
        return False
    return hand.over and hand.dealt.hand >= len(rules.hand_sizes)


def tied_seats(position: Position) -> Seats:
    """Return the seats in the lead by score and then by exact bids (B24, B25); a coin decides between several."""
    seats = leaders(position)
    most = max((position.exact[seat] for seat in seats), default=0)
    return tuple(seat for seat in seats if position.exact[seat] == most)


def is_coin_due(position: Position) -> bool:
    """Tell whether a coin must decide the winner (B26)."""
    by_coin = position.rules.ending is Ending.HANDS and position.coin is None
    return by_coin and has_played_all_hands(position) and len(tied_seats(position)) > 1


def is_log_full(position: Position) -> bool:
    """Tell whether the log has reached the game's limit, so that the game ends instead of the next deal."""
    limits, hand = position.opening.limits, position.hand
    if limits is None or hand is None or not hand.over or position.version < limits.events:
        return False
    return not is_coin_due(position) and all(each.dealt or each.closed for each in position.ceremonies.values())


def _winners_after_hands(position: Position) -> Seats:
    if not has_played_all_hands(position) or is_coin_due(position):
        return ()
    return tied_seats(position) if position.coin is None else (position.coin,)


def _winners_shared(position: Position) -> Seats:
    return leaders(position) if has_played_all_hands(position) else ()


_BY_HANDS = (Ending.HANDS, Ending.HANDS_SHARED)
"""The endings after a fixed number of hands."""
_WINNERS_BY_ENDING: dict[Ending, Callable[[Position], Seats]] = {
    Ending.FIRST_TO_GOAL: seats_at_goal,
    Ending.BIDDER_FIRST: _winners_bidder_first,
    Ending.HANDS: _winners_after_hands,
    Ending.BIDDER_ONLY: winners_bidder_only,
    Ending.HIGHEST: _winners_highest,
    Ending.HANDS_SHARED: _winners_shared,
}
"""How the facts bring about an end, by the ending of the rules. Others end by time or by the randomizer."""


SESSION_END_REASONS = ("time", "randomizer")


def check_game_ended(position: Position, fact: GameEnded, at: str, key: bytes | None) -> Iterator[str]:
    """Check the reason, the winners and the scores; `at` is the time of the fact, `key` that of the last deal."""
    due = _winners(position, fact.reason)
    if due is None:
        yield f'the game ends for "{fact.reason}", but the facts before it bring about no such end'
    elif fact.winners != due:
        yield f"the winners are seats {list(fact.winners)}, but should be {list(due)}"
    yield from check_row("scores", fact.scores, position.scores)
    if fact.reason == "randomizer":
        yield from _check_end_draw(position, fact, key)
    elif (fact.n, fact.label) != (None, None):
        yield "the end names a draw, but the randomizer does not end the game"
    if fact.reason == "time":
        yield from _check_end_time(position, at)


def _winners(position: Position, reason: str) -> Seats | None:
    """Return the winners of a game that ends for `reason`, or None if the facts bring about no such end."""
    if reason in SESSION_END_REASONS:
        return leaders(position) if position.rules.ending is Ending.SESSION else ()
    due = due_end(position)
    if reason == "limit":
        return () if due is None and is_log_full(position) else None
    return due.winners if due and due.reason == reason else None


def _check_end_draw(position: Position, fact: GameEnded, key: bytes | None) -> Iterator[str]:
    """Check that the draw that ends the session was due, and that its result is the end (R-C46)."""
    hand = position.hand
    if position.rules.changes.randomizer is None or hand is None:
        yield "the randomizer ends a game that has no randomizer or no hand"
        return
    at_once = position.rules.stop is Stop.AT_ONCE
    due = [f"randomizer {hand.turns} end"] if at_once else session_end_labels(position, hand, key)
    drawn = randomizer_draws(position, key).ends is not False if at_once and not hand.over else not at_once
    if not drawn or fact.n != hand.dealt.n or (due is not None and fact.label not in due[:1]):
        yield f'the session ends by the draw "{fact.label}" of ceremony {fact.n}, but that draw does not end it'


def _check_end_time(position: Position, at: str) -> Iterator[str]:
    deadline = game_deadline(position)
    if deadline is None or at < deadline:
        limit = f"had to end at {deadline}" if deadline else "had no time limit"
        yield f"the time is up at {at}, but the game {limit}"
    if position.rules.stop is Stop.AFTER_HAND and position.hand is not None and not position.hand.over:
        yield "the time is up in the middle of a hand, but the rules play the hand out"
