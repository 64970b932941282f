"""Delay of game: who may be accused and when, who votes, what it costs (C28, C29, R-C39, R-C63)."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from domain.events import DelayCalled, DelayJudged, DelayVoted
from replay.fold import Position


def check_delay_called(position: Position, fact: DelayCalled, at: str) -> Iterator[str]:
    """Another seat whose turn it is to play a card, late enough, once a turn; `at` is the time of the call."""
    delay = position.rules.delay
    if position.phase != "play" or fact.accused not in position.turn or fact.accused == fact.seat:
        yield f"seat {fact.seat} calls delay of game on seat {fact.accused}, which has no card to play"
    if position.accused is not None or position.delayed == position.began:
        yield "delay of game is called twice"
    waited = elapsed_ms(position.since, at)
    if waited is None or fact.waited_ms != waited:
        yield f"it says that seat {fact.accused} has taken {fact.waited_ms} ms, which is {waited} ms by the log"
    if delay is None or fact.waited_ms <= delay.after_ms:
        yield f"delay of game is called after {fact.waited_ms} ms"


def elapsed_ms(since: str, now: str) -> int | None:
    """How long a turn has lasted; None for times that are none."""
    try:
        return (datetime.fromisoformat(now) - datetime.fromisoformat(since)) // timedelta(milliseconds=1)
    except (TypeError, ValueError):
        return None


def check_delay_voted(position: Position, fact: DelayVoted) -> Iterator[str]:
    """One vote of each seat but the accused."""
    call = position.accused
    if call is not None and (fact.seat == call.seat or fact.seat in dict(call.votes)):
        yield f"seat {fact.seat} has no vote on this delay call"
    if fact.seat in position.left and fact.guilty:
        yield f"seat {fact.seat} has left the game, and the table votes not guilty for it"


def check_delay_judged(position: Position, fact: DelayJudged) -> Iterator[str]:
    """Guilty if everybody says so; it costs the accused his points and nobody else any."""
    call, delay = position.accused, position.rules.delay
    if call is None or delay is None:
        yield "a verdict is given on no delay call"
        return
    votes = dict(call.votes)
    guilty = all(votes.values()) and len(votes) == position.seats - 1
    if (fact.accused, fact.guilty) != (call.seat, guilty):
        yield f"the verdict on seat {fact.accused} is {fact.guilty} where the votes on seat {call.seat} say {guilty}"
    costs = delay.costs if fact.guilty else 0
    scores = tuple(score - costs * (seat == fact.accused) for seat, score in enumerate(position.scores))
    if fact.scores != scores:
        yield f"its scores are {list(fact.scores)} and should be {list(scores)}"
