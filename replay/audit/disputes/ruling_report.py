"""The section of a report on disputes: each with its ruling, and the result as played and as ruled."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypedDict

from domain.events import RulingGiven
from domain.events.dispute_codes import DisputeKind, Ruling
from domain.json_fields import DisputeStatus, Outcome, one_of, refers_to
from replay.audit.disputes.ruled_scores import ruled_result
from replay.fold import DisputeRead, Position
from replay.history.findings import Finding, ReportSection, section


class AuditedRuling(TypedDict):
    """An arbiter's ruling."""

    decision: Annotated[str, one_of(*Ruling)]
    changes: list[int]
    voids: int | None
    basis: str | None
    standard: str
    evidence: Annotated[dict[str, Any], refers_to("Evidence")]


class AuditedDispute(TypedDict):
    """A dispute with its ruling."""

    dispute: int
    seat: int
    hand: int
    at_version: int
    kind: Annotated[str, one_of(*DisputeKind)]
    status: DisputeStatus
    arbiter: str | None
    ruling: AuditedRuling | None


class RulingSection(ReportSection):
    """The disputes, and the result as played and as ruled."""

    disputes: list[AuditedDispute]
    as_played: Outcome
    as_ruled: Outcome | None


def dispute_status(dispute: DisputeRead) -> DisputeStatus:
    """Return the status of a dispute: open, withdrawn, ruled, appealed, upheld or reversed."""
    if dispute.withdrawn:
        return "withdrawn"
    if dispute.decision is not None:
        return dispute.decision
    if dispute.appealed_by is not None:
        return "appealed"
    return "open" if dispute.ruling is None else "ruled"


def rulings_to_json(position: Position, findings: Sequence[Finding]) -> RulingSection:
    """Return the disputes in order, the result as played, and the result as ruled if a ruling changes it."""
    ended, ruled = position.ended, ruled_result(position, position.ended)
    played: Outcome = {"scores": list(position.scores), "winners": list(ended.winners) if ended else []}
    return {
        "disputes": [_dispute_to_json(position, number, each) for number, each in enumerate(position.disputes, 1)],
        "as_played": played,
        "as_ruled": None if ruled is None else {"scores": list(ruled.scores), "winners": list(ruled.winners)},
        **section(findings),
    }


def _dispute_to_json(position: Position, number: int, dispute: DisputeRead) -> AuditedDispute:
    opened = dispute.opened
    return {
        "dispute": number,
        "seat": opened.seat,
        "hand": opened.hand,
        "at_version": opened.at_version,
        "kind": opened.kind,
        "status": dispute_status(dispute),
        "arbiter": position.arbiters.get(number),
        "ruling": None if dispute.ruling is None else _ruling_to_json(dispute.ruling),
    }


def _ruling_to_json(ruling: RulingGiven) -> AuditedRuling:
    return {
        "decision": ruling.decision,
        "changes": list(ruling.changes),
        "voids": ruling.voids,
        "basis": ruling.basis,
        "standard": ruling.standard,
        "evidence": {"size": ruling.evidence.size, "root": ruling.evidence.root},
    }


def ruling_lines(position: Position, who: Mapping[int, str]) -> Iterator[str]:
    """Yield the section as lines of text; `who` names the seats."""
    for number, each in enumerate(position.disputes, 1):
        decision = "" if each.ruling is None else f" ({each.ruling.decision})"
        yield f"dispute {number} on hand {each.opened.hand}, {each.opened.kind}: {dispute_status(each)}{decision}"
    ruled = ruled_result(position, position.ended)
    if ruled is not None:
        won = f"; {' and '.join(who[seat] for seat in ruled.winners)} won" if ruled.winners else ""
        yield f"as played: {_scores(position.scores, who)}"
        yield f"as ruled: {_scores(ruled.scores, who)}{won}"


def _scores(scores: Sequence[int], who: Mapping[int, str]) -> str:
    return ", ".join(f"{who[seat]} {score}" for seat, score in enumerate(scores))
