"""Where a commit can end: how many facts are sure to follow one, and what the table owes before any seat is heard.

Both are told from what everybody sees, so that a view inside a commit is the same whoever looks, live or replayed.
"""

from collections.abc import Callable
from typing import Any

from domain.decide.delay_of_game import can_vote
from domain.decide.rule_changes import count_effects, is_deferred_change_due
from domain.engine.cuts import missing_cutters, pending_deal
from domain.engine.discards import cards_to_draw
from domain.engine.endings import verdict
from domain.events import (
    CardsDiscarded,
    CardsDrawn,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    DelayVoted,
    HandDealt,
    RulesChanged,
    RulingGiven,
    StockTaken,
    TrumpPitched,
)
from domain.rules.choices import Trump
from domain.state import State, current_hand


def minimum_facts_after(before: State, fact: object) -> int:
    """How many facts, at least, follow `fact` in its commit; `before` is the state it came to.

    Counted are those without a `next`: where one with a `next` follows, `fact` names nobody to move.
    """
    told = _FOLLOWING.get(type(fact))
    return 0 if told is None else told(before, fact)


def _deal(before: State, dealt: HandDealt) -> int:
    """Everybody's cards, the stock, the card turned up."""
    stocked = int(dealt.stock > 0)
    return len(dealt.counts) + stocked + stocked * (before.rules.trump is Trump.TURNED_UP)


def _fill(before: State, thrown: CardsDiscarded) -> int:
    """What was thrown face down; and what who did not bid draws."""
    draws = cards_to_draw(before.rules, current_hand(before), thrown.seat, thrown.count) > 0
    return (thrown.count > len(thrown.shown)) + 2 * draws


def _judged(before: State, voted: DelayVoted) -> int:
    """The verdict, after the deciding vote."""
    votes = 1 if before.delay is None else len(before.delay.votes) + 1
    return int(not voted.guilty or votes == len(before.seats) - 1)


def _one(before: State, fact: object) -> int:
    return 1


_FOLLOWING: dict[type[Any], Callable[[State, Any], int]] = {
    HandDealt: _deal,
    CardsDiscarded: _fill,
    CardsDrawn: _one,
    StockTaken: _one,
    TrumpPitched: _one,
    RulesChanged: count_effects,
    DelayVoted: _judged,
    CeremonyOpened: _one,
    CeremonyRevealed: _one,
    CeremonyVoided: _one,
    RulingGiven: lambda _, fact: int(fact.voids is not None),
}


def has_facts_due(state: State) -> bool:
    """Whether more facts must come before any seat may act.

    A deal, the end of the game, an undo everybody agreed to, votes of those who left, a change that waited.
    """
    proposal = state.proposal
    agreed = proposal is not None and set(state.persons) <= set(proposal.accepted)
    idle = not state.turn and not _waits_for_cuts(state)
    return idle or agreed or verdict(state) is not None or is_deferred_change_due(state) or _absent_votes(state)


def _waits_for_cuts(state: State) -> bool:
    ceremony = pending_deal(state)
    return ceremony is not None and bool(missing_cutters(state, ceremony))


def _absent_votes(state: State) -> bool:
    """Whether a seat that left has a vote (R-C66)."""
    if state.delay is None:
        return False
    return any(sitting.state != "in" and can_vote(state, seat) for seat, sitting in enumerate(state.seats))
