"""Disputes and the scores as ruled, for views and lists, added up from the facts (docs/disputes.md)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.engine.rulings import net_changes
from domain.events import DisputeOpened, Ruled, RulingAppealed, RulingDecided, RulingGiven
from domain.state import Dispute, State

JsonObject = dict[str, Any]


def dispute_status(dispute: Dispute) -> str:
    """Return open, ruled, appealed, upheld or reversed."""
    if dispute.decision is not None:
        return dispute.decision
    if dispute.appealed_by is not None:
        return "appealed"
    return "open" if dispute.ruling is None else "ruled"


def disputes_json(state: State) -> list[JsonObject]:
    """Return every dispute as a view shows it."""
    return [_dispute_json(dispute) for dispute in state.disputes]


def _dispute_json(dispute: Dispute) -> JsonObject:
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


def ruled_scores(state: State) -> JsonObject | None:
    """Return the scores with the rulings in force, or None if they change none; after the end, as recorded."""
    if state.result is not None:
        return ruled_json(state.ruled)
    if not state.disputes:
        return None
    return _add_changes(state.scores, net_changes(state.disputes, len(state.seats)))


def _add_changes(scores: Sequence[int], changes: Sequence[int]) -> JsonObject | None:
    if not any(changes):
        return None
    return {"scores": [score + change for score, change in zip(scores, changes, strict=True)], "winners": []}


def ruled_json(ruled: Ruled | None) -> JsonObject | None:
    """Return the ruled scores and winners that a fact records, or None."""
    return None if ruled is None else {"scores": list(ruled.scores), "winners": list(ruled.winners)}


def ruled_scores_from_rows(disputes: Sequence[Mapping[str, Any]], scores: Sequence[int]) -> JsonObject | None:
    """Return the ruled scores of a running game from the disputes in its row, or None if they change none."""
    in_force = [each["changes"] for each in disputes if each["changes"] and each["status"] != "reversed"]
    return _add_changes(scores, [sum(changes[seat] for changes in in_force) for seat in range(len(scores))])


def add_dispute(disputes: list[JsonObject], fact: DisputeOpened) -> list[JsonObject]:
    """Return the disputes with a new one."""
    return [*disputes, _dispute_json(Dispute(fact.dispute, fact.seat, fact.hand, fact.at_version, fact.kind, ""))]


def add_ruling(disputes: list[JsonObject], fact: RulingGiven) -> list[JsonObject]:
    """Return the disputes with a ruling."""
    return _update(disputes, fact.dispute, status="ruled", decision=fact.decision, changes=list(fact.changes))


def add_appeal(disputes: list[JsonObject], fact: RulingAppealed) -> list[JsonObject]:
    """Return the disputes with an appeal."""
    return _update(disputes, fact.dispute, status="appealed")


def add_appeal_decision(disputes: list[JsonObject], fact: RulingDecided) -> list[JsonObject]:
    """Return the disputes with the decision of an appeal."""
    return _update(disputes, fact.dispute, status=fact.decision)


def _update(disputes: list[JsonObject], number: int, **fields: Any) -> list[JsonObject]:
    return [each | fields if each["dispute"] == number else each for each in disputes]


DISPUTE_FOLD: dict[type[Any], Callable[[list[JsonObject], Any], list[JsonObject]]] = {
    DisputeOpened: add_dispute,
    RulingGiven: add_ruling,
    RulingAppealed: add_appeal,
    RulingDecided: add_appeal_decision,
}
"""How each fact changes the disputes in a row."""
