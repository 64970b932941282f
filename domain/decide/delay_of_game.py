"""Decide delay of game: a call, votes, and the verdict (C28-C30)."""

from datetime import datetime, timedelta

from domain.commands import CallDelay, VoteDelay
from domain.events import DelayCalled, DelayJudged, DelayVoted, Fact
from domain.rejections import DelayOpen, NoDelay, TooSoon
from domain.rules.choices import Phase
from domain.state import State


def call_delay(state: State, command: CallDelay) -> tuple[Fact, ...]:
    """Record a call on the seat that must play a card, after too long a turn. It's the caller's vote (R-C39).

    Refuse it if the game has no delay of game, on oneself or a seat that isn't to play, too soon, while a call is open,
    or if this turn already had one (R-C40, R-C63).
    """
    delay, accused = state.rules.delay, command.accused
    if delay is None or state.phase is not Phase.PLAY or accused not in state.turn or accused == command.seat:
        raise NoDelay("You can call delay of game only on another player whose turn it is to play a card.")
    if state.delay is not None or state.delay_turn == state.turn_version:
        raise DelayOpen("Delay of game has already been called. Each turn allows one call, and only one can be open.")
    waited = _milliseconds(state.turn_since, command.at)
    if waited <= delay.after_ms:
        raise TooSoon(f"The turn has lasted {waited} ms. You can call delay of game after {delay.after_ms} ms.")
    return (DelayCalled(command.seat, accused, waited),)


def _milliseconds(since: str, now: str) -> int:
    return (datetime.fromisoformat(now) - datetime.fromisoformat(since)) // timedelta(milliseconds=1)


def vote_delay(state: State, command: VoteDelay) -> tuple[Fact, ...]:
    """Record one vote per seat except the accused: one against acquits at once, all for it cost points (C29, R-C39)."""
    call = state.delay
    if call is None or not can_vote(state, command.seat):
        raise NoDelay("There's no delay call for you to vote on.")
    voted = DelayVoted(command.seat, command.guilty)
    if not command.guilty:
        return voted, DelayJudged(call.accused, guilty=False, scores=state.scores)
    if len(call.votes) + 1 < len(state.seats) - 1:
        return (voted,)
    costs = state.rules.delay.costs if state.rules.delay else 0
    scores = tuple(score - costs * (seat == call.accused) for seat, score in enumerate(state.scores))
    return voted, DelayJudged(call.accused, guilty=True, scores=scores)


def can_vote(state: State, seat: int) -> bool:
    """Return whether `seat` has a vote on the open call that it hasn't cast."""
    call = state.delay
    return call is not None and seat != call.accused and seat not in dict(call.votes)
