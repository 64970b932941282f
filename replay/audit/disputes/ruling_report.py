"""The result of a game as ruled, and the section of a report on disputes, each with its ruling (docs/disputes.md)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypedDict

from domain.events import GameEnded, Ruled, RulingGiven, Seats
from domain.events.disputes import DisputeKind, Ruling
from domain.json_fields import DisputeStatus, Outcome, one_of, refers_to
from domain.rules.choices import Ending
from domain.struct import replace
from replay.audit.scoring.endings import leaders, leaders_of_a_side, seats_at_goal, tied_seats, winners_bidder_only
from replay.fold import DisputeRead, Position
from replay.history.findings import Finding, ReportSection, section


def ruling_changes(position: Position) -> tuple[int, ...]:
    """Return the sum of the changes of all rulings in force, by seat."""
    rulings = [each.in_force for each in position.disputes]
    return tuple(sum(ruling.changes[seat] for ruling in rulings if ruling) for seat in range(position.seats))


def ruled_result(position: Position, ended: GameEnded | None) -> Ruled | None:
    """Return the scores as ruled, and the winners if the game has `ended`; None if the rulings change no score."""
    changes = ruling_changes(position)
    if set(changes) <= {0}:
        return None
    scores = tuple(score + change for score, change in zip(position.scores, changes, strict=True))
    return Ruled(scores, _winners(replace(position, scores=scores), ended) if ended else ())


def _winners(position: Position, ended: GameEnded) -> Seats:
    match ended.reason:
        case "goal":
            return _side_at_goal(position) or leaders(position)
        case "hands" if position.rules.ending is Ending.HANDS_SHARED:
            return leaders(position)
        case "hands":
            seats = tied_seats(position)
            return (position.coin,) if position.coin is not None and position.coin in seats else seats
        case "moon" if position.hand is not None and is_hand_voided(position.disputes, position.hand.dealt.hand):
            return leaders(position)
        case "time" | "randomizer":
            return leaders(position) if position.rules.ending is Ending.SESSION else ()
        case _:
            return ended.winners


def _side_at_goal(position: Position) -> Seats:
    """Return the side that wins as the rules say, by its last hand, unless that hand is void (R-T8)."""
    hand = position.hand
    if hand is None or is_hand_voided(position.disputes, hand.dealt.hand):
        return ()
    match position.rules.ending:
        case Ending.HIGHEST:
            return leaders_of_a_side(position, hand)
        case Ending.BIDDER_ONLY:
            return winners_bidder_only(position)
        case Ending.BIDDER_FIRST if hand.won and position.made:
            side = next((side for side in hand.sides or position.opening.sides if hand.won.seat in side), ())
            return tuple(sorted(set(side) & set(seats_at_goal(position))))
        case _:
            return ()


def is_hand_voided(disputes: Sequence[DisputeRead], hand: int) -> bool:
    """Tell whether a ruling in force voids the score of a hand."""
    rulings = [each.in_force for each in disputes if each.opened.hand == hand]
    return any(ruling and ruling.decision == "void" and ruling.voids is None for ruling in rulings)


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
