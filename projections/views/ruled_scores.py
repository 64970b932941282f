"""Disputes and scores as ruled, for views and lists: added up from what the facts say (docs/disputes.md)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.engine.rulings import net_changes
from domain.events import DisputeOpened, Ruled, RulingAppealed, RulingDecided, RulingGiven
from domain.state import Dispute, State

JsonObject = dict[str, Any]


def dispute_status(dispute: Dispute) -> str:
    """What has become of it: open, ruled, appealed, upheld or reversed."""
    if dispute.decision is not None:
        return dispute.decision
    if dispute.appealed_by is not None:
        return "appealed"
    return "open" if dispute.ruling is None else "ruled"


def disputes_json(state: State) -> list[JsonObject]:
    """Every dispute as a view has it."""
    return [_shown(dispute) for dispute in state.disputes]


def _shown(dispute: Dispute) -> JsonObject:
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
    """The scores as they stand with the rulings in force, None where these move none; at the end as recorded."""
    if state.result is not None:
        return ruled_json(state.ruled)
    return _ruled(state.scores, net_changes(state.disputes, len(state.seats)))


def _ruled(scores: Sequence[int], moved: Sequence[int]) -> JsonObject | None:
    if not any(moved):
        return None
    return {"scores": [score + change for score, change in zip(scores, moved, strict=True)], "winners": []}


def ruled_json(ruled: Ruled | None) -> JsonObject | None:
    """What a fact says the game comes to."""
    return None if ruled is None else {"scores": list(ruled.scores), "winners": list(ruled.winners)}


def ruled_scores_from_rows(disputes: Sequence[Mapping[str, Any]], scores: Sequence[int]) -> JsonObject | None:
    """What a game that goes on stands at, of the disputes in a row."""
    in_force = [each["changes"] for each in disputes if each["changes"] and each["status"] != "reversed"]
    return _ruled(scores, [sum(changes[seat] for changes in in_force) for seat in range(len(scores))])


def add_dispute(disputes: list[JsonObject], fact: DisputeOpened) -> list[JsonObject]:
    """With one dispute more."""
    return [*disputes, _shown(Dispute(fact.dispute, fact.seat, fact.hand, fact.at_version, fact.kind, ""))]


def add_ruling(disputes: list[JsonObject], fact: RulingGiven) -> list[JsonObject]:
    """With a ruling."""
    return _with(disputes, fact.dispute, status="ruled", decision=fact.decision, changes=list(fact.changes))


def add_appeal(disputes: list[JsonObject], fact: RulingAppealed) -> list[JsonObject]:
    """With an appeal."""
    return _with(disputes, fact.dispute, status="appealed")


def add_appeal_decision(disputes: list[JsonObject], fact: RulingDecided) -> list[JsonObject]:
    """With the last word."""
    return _with(disputes, fact.dispute, status=fact.decision)


def _with(disputes: list[JsonObject], number: int, **fields: Any) -> list[JsonObject]:
    return [each | fields if each["dispute"] == number else each for each in disputes]


DISPUTE_FOLD: dict[type[Any], Callable[[list[JsonObject], Any], list[JsonObject]]] = {
    DisputeOpened: add_dispute,
    RulingGiven: add_ruling,
    RulingAppealed: add_appeal,
    RulingDecided: add_appeal_decision,
}
"""What each fact makes of the disputes in a row."""
