"""The last fact of a game: why it is over, who has won, and by which draw or clock."""

from collections.abc import Iterator

from domain.events import GameEnded, Seats
from domain.rules.choices import Ending, Stop
from replay.audit.play.deadlines import game_deadline
from replay.audit.play.randomizer import randomizer_draws, session_end_labels
from replay.audit.scoring.endings import due_end, leaders
from replay.audit.scoring.hand_score import check_row
from replay.fold import Position

SESSION_END_REASONS = ("time", "randomizer")


def check_game_ended(position: Position, fact: GameEnded, at: str, key: bytes | None) -> Iterator[str]:
    """Why, by whom it is won, with the scores as they stand; `at` is when, `key` that of the last deal."""
    due = _winners(position, fact.reason)
    if due is None:
        yield f'the game ends for "{fact.reason}", which nothing before it brings about'
    elif fact.winners != due:
        yield f"it is won by seats {list(fact.winners)} and should be won by {list(due)}"
    yield from check_row("scores", fact.scores, position.scores)
    if fact.reason == "randomizer":
        yield from _drawn(position, fact, key)
    elif (fact.n, fact.label) != (None, None):
        yield "it names a draw that never was"
    if fact.reason == "time":
        yield from _on_time(position, at)


def _winners(position: Position, reason: str) -> Seats | None:
    """Who wins a game that ends for `reason`; None when the facts so far bring no such end about."""
    if reason in SESSION_END_REASONS:
        return leaders(position) if position.rules.ending is Ending.SESSION else ()
    due = due_end(position)
    return due.winners if due and due.reason == reason else None


def _drawn(position: Position, fact: GameEnded, key: bytes | None) -> Iterator[str]:
    """The draw that ended it is one that was due and came out so (R-C46)."""
    hand = position.hand
    if position.rules.changes.randomizer is None or hand is None:
        yield "the randomizer ends a game that has none"
        return
    at_once = position.rules.stop is Stop.AT_ONCE
    due = [f"randomizer {hand.turns} end"] if at_once else session_end_labels(position, hand, key)
    drawn = randomizer_draws(position, key).ends is not False if at_once and not hand.over else not at_once
    if not drawn or fact.n != hand.dealt.n or (due is not None and fact.label not in due[:1]):
        yield f'the session ends by "{fact.label}" of ceremony {fact.n}, which was not drawn'


def _on_time(position: Position, at: str) -> Iterator[str]:
    over = game_deadline(position)
    if over is None or at < over:
        yield f"the time is up at {at}, where the game was to end at {over or 'no time'}"
    if position.rules.stop is Stop.AFTER_HAND and position.hand is not None and not position.hand.over:
        yield "the time is up in the middle of a hand that was to be played out"
