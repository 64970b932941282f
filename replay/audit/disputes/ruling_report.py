"""The section of a report on disputes: each with its ruling, and what the game comes to as played and as ruled."""

from collections.abc import Iterator, Sequence
from typing import Any

from replay.audit.disputes.ruled_scores import ruled_result
from replay.fold import DisputeRead, Position
from replay.history.findings import Finding, section


def dispute_status(contest: DisputeRead) -> str:
    """What has become of a dispute: open, ruled, appealed, upheld or reversed."""
    if contest.decision is not None:
        return contest.decision
    if contest.appealed_by is not None:
        return "appealed"
    return "open" if contest.ruling is None else "ruled"


def rulings_to_json(position: Position, findings: Sequence[Finding]) -> dict[str, Any]:
    """The disputes in order, the result as played, and as ruled where a ruling moves it."""
    ended, ruled = position.ended, ruled_result(position, position.ended)
    played = {"scores": list(position.scores), "winners": list(ended.winners) if ended else []}
    return {
        "disputes": [_dispute(position, number, each) for number, each in enumerate(position.disputes, 1)],
        "as_played": played,
        "as_ruled": None if ruled is None else {"scores": list(ruled.scores), "winners": list(ruled.winners)},
        **section(findings),
    }


def _dispute(position: Position, number: int, contest: DisputeRead) -> dict[str, Any]:
    told, ruling = contest.opened, contest.ruling
    return {
        "dispute": number,
        "seat": told.seat,
        "hand": told.hand,
        "at_version": told.at_version,
        "kind": told.kind,
        "status": dispute_status(contest),
        "arbiter": position.arbiters.get(number),
        "ruling": None
        if ruling is None
        else {
            "decision": ruling.decision,
            "changes": list(ruling.changes),
            "voids": ruling.voids,
            "basis": ruling.basis,
            "standard": ruling.standard,
            "evidence": {"size": ruling.evidence.size, "root": ruling.evidence.root},
        },
    }


def ruling_lines(position: Position) -> Iterator[str]:
    """The same in lines."""
    for number, each in enumerate(position.disputes, 1):
        decision = "" if each.ruling is None else f" ({each.ruling.decision})"
        yield f"dispute {number} on hand {each.opened.hand}, {each.opened.kind}: {dispute_status(each)}{decision}"
    ruled = ruled_result(position, position.ended)
    if ruled is not None:
        won = f", won by {list(ruled.winners)}" if ruled.winners else ""
        yield f"scores as played {list(position.scores)}, as ruled {list(ruled.scores)}{won}"
