"""Where a commit can end: the facts that must follow another fact, and those that are due before a seat can act.

Both depend only on what everyone sees, so a view inside a commit is the same for every viewer, live or replayed.
"""

from collections.abc import Callable
from typing import Any

from domain.decide.delay_of_game import can_vote
from domain.decide.handing_over import is_handover_agreed
from domain.decide.rule_changes import count_effects, is_deferred_change_due
from domain.engine.cuts import is_incomplete, pending_deal
from domain.engine.deadlines import is_timing_due
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
from domain.rules.choices import Quirk, Trump
from domain.state import State, current_hand


def minimum_facts_after(before: State, fact: object) -> int:
    """Return how many facts follow `fact` in its commit at least; `before` is the state without it.

    Facts with a `next` aren't counted: if one of them follows, the turn is empty after `fact`.
    """
    count = _FOLLOWING_FACTS.get(type(fact))
    return 0 if count is None else count(before, fact)


def _count_deal(before: State, dealt: HandDealt) -> int:
    """Count the cards of each seat, the stock, and the card turned up."""
    stock = int(dealt.stock > 0)
    return len(dealt.counts) + stock + stock * (before.rules.trump is Trump.TURNED_UP)


def _count_fill(before: State, thrown: CardsDiscarded) -> int:
    """Count the cards thrown face down, and the draw of a seat that doesn't take the stock, if there is any."""
    rules, hand = before.rules, current_hand(before)
    can_draw = hand.stock_left > 0 or Quirk.EMPTY_DRAWS in rules.quirks
    draws = can_draw and cards_to_draw(rules, hand, thrown.seat, thrown.count) > 0
    return (thrown.count > len(thrown.shown)) + 2 * draws


def _count_verdict(before: State, voted: DelayVoted) -> int:
    """Count the verdict if this is the deciding vote."""
    votes = 1 if before.delay is None else len(before.delay.votes) + 1
    return int(not voted.guilty or votes == len(before.seats) - 1)


def _one(before: State, fact: object) -> int:
    return 1


_FOLLOWING_FACTS: dict[type[Any], Callable[[State, Any], int]] = {
    HandDealt: _count_deal,
    CardsDiscarded: _count_fill,
    CardsDrawn: _one,
    StockTaken: _one,
    TrumpPitched: _one,
    RulesChanged: count_effects,
    DelayVoted: _count_verdict,
    CeremonyOpened: _one,
    CeremonyRevealed: _one,
    CeremonyVoided: _one,
    RulingGiven: lambda _, fact: int(fact.voids is not None),
}


def has_facts_due(state: State) -> bool:
    """Return whether the table must write more facts before a seat can act.

    They are a deal, the end of the game, an agreed undo or hand-over, votes of seats that left, a deferred change, or
    the clock of a turn.
    """
    if is_timing_due(state):
        return True
    proposal = state.proposal
    agreed = proposal is not None and set(state.persons) <= set(proposal.accepted)
    agreed = agreed or is_handover_agreed(state)
    idle = not state.turn and not _waits_for_cuts(state)
    return idle or agreed or verdict(state) is not None or is_deferred_change_due(state) or _has_absent_votes(state)


def _waits_for_cuts(state: State) -> bool:
    ceremony = pending_deal(state)
    return ceremony is not None and is_incomplete(state, ceremony)


def _has_absent_votes(state: State) -> bool:
    """Return whether a seat that left still has to vote (R-C66)."""
    if state.delay is None:
        return False
    return any(sitting.state != "in" and can_vote(state, seat) for seat, sitting in enumerate(state.seats))
