"""The result of a game, for views and lists: as played, with the rulings of disputes, and whether it counts.

Disputes and the scores as ruled are added up from the facts (docs/disputes.md).
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypedDict

from domain.engine.rulings import net_changes
from domain.events import (
    DisputeOpened,
    DisputeWithdrawn,
    GameEnded,
    GameOpened,
    Ruled,
    RulingAppealed,
    RulingDecided,
    RulingGiven,
)
from domain.events.disputes import DisputeKind, Ruling
from domain.json_fields import DisputeStatus, Outcome, one_of, says
from domain.rules.choices import Undo
from domain.state import Dispute, State


class DisputeLine(TypedDict):
    """A dispute as a view shows it."""

    dispute: Annotated[int, says("Its number in the game.")]
    seat: int
    hand: int
    at_version: int
    kind: Annotated[str, one_of(*DisputeKind)]
    status: DisputeStatus
    decision: Annotated[str, one_of(*Ruling)] | None
    changes: Annotated[list[int] | None, says("The changes of the scores by seat.")]


class GameResult(TypedDict):
    """How the game ended."""

    reason: str
    winners: list[int]
    scores: Annotated[list[int], says("The scores as played.")]
    ruled: Annotated[Outcome | None, says("With the rulings in force.")]


def dispute_status(dispute: Dispute) -> DisputeStatus:
    """Return open, withdrawn, ruled, appealed, upheld or reversed."""
    if dispute.withdrawn:
        return "withdrawn"
    if dispute.decision is not None:
        return dispute.decision
    if dispute.appealed_by is not None:
        return "appealed"
    return "open" if dispute.ruling is None else "ruled"


def disputes_json(state: State) -> list[DisputeLine]:
    """Return every dispute as a view shows it."""
    return [_dispute_json(dispute) for dispute in state.disputes]


def _dispute_json(dispute: Dispute) -> DisputeLine:
    ruling = dispute.ruling
    return {
        "dispute": dispute.number,
        "seat": dispute.seat,
        "hand": dispute.hand,
        "at_version": dispute.at_version,
        "kind": dispute.kind,
        "status": dispute_status(dispute),
        "decision": None if ruling is None else ruling.decision,
        "changes": None if ruling is None else list(ruling.changes),
    }


def ruled_scores(state: State) -> Outcome | None:
    """Return the scores with the rulings in force, or None if they change none; after the end, as recorded."""
    if state.result is not None:
        return ruled_json(state.ruled)
    if not state.disputes:
        return None
    return _add_changes(state.scores, net_changes(state.disputes, len(state.seats)))


def _add_changes(scores: Sequence[int], changes: Sequence[int]) -> Outcome | None:
    if not any(changes):
        return None
    return {"scores": [score + change for score, change in zip(scores, changes, strict=True)], "winners": []}


def ruled_json(ruled: Ruled | None) -> Outcome | None:
    """Return the ruled scores and winners that a fact records, or None."""
    return None if ruled is None else {"scores": list(ruled.scores), "winners": list(ruled.winners)}


def result_json(ended: GameEnded, ruled: Ruled | None) -> GameResult:
    """Return how a game ended, with the ruled scores and winners that a fact records."""
    return {
        "reason": ended.reason,
        "winners": list(ended.winners),
        "scores": list(ended.scores),
        "ruled": ruled_json(ruled),
    }


def ruled_scores_from_rows(disputes: Sequence[DisputeLine], scores: Sequence[int]) -> Outcome | None:
    """Return the ruled scores of a running game from the disputes in its row, or None if they change none."""
    in_force = [each["changes"] for each in disputes if each["changes"] and each["status"] != "reversed"]
    return _add_changes(scores, [sum(changes[seat] for changes in in_force) for seat in range(len(scores))])


def add_dispute(disputes: list[DisputeLine], fact: DisputeOpened) -> list[DisputeLine]:
    """Return the disputes with a new one."""
    return [*disputes, _dispute_json(Dispute(fact.dispute, fact.seat, fact.hand, fact.at_version, fact.kind, "", ""))]


def withdraw(disputes: list[DisputeLine], fact: DisputeWithdrawn) -> list[DisputeLine]:
    return _set_status(disputes, fact.dispute, "withdrawn")


def add_ruling(disputes: list[DisputeLine], fact: RulingGiven) -> list[DisputeLine]:
    changes = list(fact.changes)
    return [
        {**each, "status": "ruled", "decision": fact.decision, "changes": changes}
        if each["dispute"] == fact.dispute
        else each
        for each in disputes
    ]


def add_appeal(disputes: list[DisputeLine], fact: RulingAppealed) -> list[DisputeLine]:
    return _set_status(disputes, fact.dispute, "appealed")


def add_appeal_decision(disputes: list[DisputeLine], fact: RulingDecided) -> list[DisputeLine]:
    return _set_status(disputes, fact.dispute, fact.decision)


def _set_status(disputes: list[DisputeLine], number: int, status: DisputeStatus) -> list[DisputeLine]:
    return [{**each, "status": status} if each["dispute"] == number else each for each in disputes]


DISPUTE_FOLD: dict[type[Any], Callable[[list[DisputeLine], Any], list[DisputeLine]]] = {
    DisputeOpened: add_dispute,
    DisputeWithdrawn: withdraw,
    RulingGiven: add_ruling,
    RulingAppealed: add_appeal,
    RulingDecided: add_appeal_decision,
}
"""How each fact changes the disputes in a row."""


REASONS = {
    "practice": "it's a game of practice",
    "bots": "a bot sat at the table when it was opened",
    "guest": "a guest plays in it",
    "private": "not everybody may watch it",
    "void": "nobody was left at the end",
    "limit": "its log was full",
    "handover": "the seat was handed over",
}
"""Why a game doesn't count for a player, in words. Only `handover` depends on the player."""
OPENING_SAYS = says("Why the game doesn't count, as far as its opening says it.")
UnratedReason = Annotated[str, one_of(*REASONS)]
NO_RESULT = ("void", "limit")
"""The ends of games without a result: nobody was left, or the log was full."""


def reason_at_opening(opened: GameOpened) -> UnratedReason | None:
    """Return why a game doesn't count, as far as its opening says it; older openings don't name the reason."""
    if opened.undo == Undo.PRACTICE:
        return "practice"
    if any(each.kind != "human" for each in opened.players):
        return "bots"
    if opened.rated is not None and not opened.rated.counts:
        return opened.rated.reason
    return None if opened.watch.public else "private"


def reason_of(state: State) -> UnratedReason | None:
    """Return why a game counts for none of its players, or None."""
    if state.opened is not None and (reason := reason_at_opening(state.opened)) is not None:
        return reason
    return state.result.reason if state.result is not None and state.result.reason in NO_RESULT else None


def unrated_line(reason: str) -> str:
    """Return in words that a game doesn't count, and why."""
    return f"This game doesn't count for ratings: {REASONS.get(reason, reason)}."
