"""Checks of delay of game: the accused seat, the time, the votes and the cost (C28, C29, R-C39, R-C63)."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from domain.events import DelayCalled, DelayDropped, DelayJudged, DelayVoted
from replay.audit.play.checking import checks, time_of
from replay.fold import Position


@checks(DelayCalled, given=time_of)
def check_delay_called(position: Position, fact: DelayCalled, at: str) -> Iterator[str]:
    """Check that the accused is another seat that is to play a card, late enough, and the first time in this turn.

    `at` is the time of the call.
    """
    delay = position.rules.delay
    if position.phase != "play" or fact.accused not in position.turn or fact.accused == fact.seat:
        yield f"seat {fact.seat} calls delay of game on seat {fact.accused}, which is not another seat to play a card"
    if position.delay_call is not None or position.delayed == position.began:
        yield "delay of game is called twice in one turn"
    waited = elapsed_ms(position.since, at)
    if waited is None or fact.waited_ms != waited:
        yield f"seat {fact.accused} is recorded to have taken {fact.waited_ms} ms, but by the log it took {waited} ms"
    if delay is None or fact.waited_ms <= delay.after_ms:
        allowed = "the table has no delay calls" if delay is None else f"only allowed after {delay.after_ms} ms"
        yield f"delay of game is called after {fact.waited_ms} ms, but {allowed}"


def elapsed_ms(since: str, now: str) -> int | None:
    """Return the milliseconds from `since` to `now`, or None if a time is invalid."""
    try:
        return (datetime.fromisoformat(now) - datetime.fromisoformat(since)) // timedelta(milliseconds=1)
    except (TypeError, ValueError):
        return None


@checks(DelayVoted)
def check_delay_voted(position: Position, fact: DelayVoted) -> Iterator[str]:
    """Check that the seat votes once, that it isn't accused, and that it votes not guilty if it left."""
    call = position.delay_call
    if call is not None and (fact.seat == call.seat or fact.seat in dict(call.votes)):
        yield f"seat {fact.seat} votes on this delay call, but is accused or has voted already"
    if fact.seat in position.left and fact.guilty:
        yield f"seat {fact.seat} votes guilty, but it left the game, and the table votes not guilty for it"


@checks(DelayJudged)
def check_delay_judged(position: Position, fact: DelayJudged) -> Iterator[str]:
    """Check that the verdict is guilty only if all votes are, and that it costs only the accused points."""
    call, delay = position.delay_call, position.rules.delay
    if call is None or delay is None:
        yield "a verdict is given, but no delay call is open"
        return
    votes = dict(call.votes)
    guilty = all(votes.values()) and len(votes) == position.seats - 1
    if (fact.accused, fact.guilty) != (call.seat, guilty):
        due = f"the votes on seat {call.seat} say {_verdict(guilty)}"
        yield f"the verdict on seat {fact.accused} is {_verdict(fact.guilty)}, but {due}"
    costs = delay.costs if fact.guilty else 0
    scores = tuple(score - costs * (seat == fact.accused) for seat, score in enumerate(position.scores))
    if fact.scores != scores:
        yield f"the scores are {list(fact.scores)}, but should be {list(scores)}"


def is_verdict_due(position: Position) -> bool:
    """Tell whether the votes on the open delay call decide it: one acquits, and after the last one no more can come."""
    call = position.delay_call
    if call is None:
        return False
    votes = dict(call.votes)
    return False in votes.values() or len(votes) >= position.seats - 1


def is_drop_due(position: Position) -> bool:
    """Tell whether an open delay call is about the hand that a ruling just ended (R-C39)."""
    call, hand = position.delay_call, position.hand
    return call is not None and hand is not None and hand.over and hand.misdealt and call.n == hand.dealt.n


@checks(DelayDropped)
def check_delay_dropped(position: Position, fact: DelayDropped) -> Iterator[str]:
    """Check that the call that ends without a verdict is about the hand that a ruling ended."""
    call = position.delay_call
    if call is None or not is_drop_due(position):
        yield "a delay call is dropped, but no ruling ended the hand of an open call"
    elif (fact.seat, fact.accused) != (call.votes[0][0], call.seat):
        recorded, due = f"seat {fact.seat} on seat {fact.accused}", f"seat {call.votes[0][0]} on seat {call.seat}"
        yield f"the call of {recorded} is dropped, but the open call is that of {due}"


def _verdict(guilty: bool) -> str:
    return "guilty" if guilty else "not guilty"
