"""Checks of the last fact of a game: the reason, the winners, and the draw or deadline that ended it."""

from collections.abc import Iterator

from domain.events import GameEnded, Seats
from domain.rules.choices import Ending, Stop
from replay.audit.play.deadlines import game_deadline
from replay.audit.play.randomizer import randomizer_draws, session_end_labels
from replay.audit.scoring.endings import due_end, is_log_full, leaders
from replay.audit.scoring.hand_score import check_row
from replay.fold import Position

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
