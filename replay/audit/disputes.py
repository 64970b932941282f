"""Checks of disputes, rulings and appeals, the scores of a game as ruled, and rulings in the report.

It may import `replay.audit.deals`, `scoring` and `play`, but not `replay.audit.log`, which orders facts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypedDict

from domain.events import (
    DisputeOpened,
    DisputeWithdrawn,
    Event,
    GameEnded,
    Ruled,
    RulingAppealed,
    RulingDecided,
    RulingGiven,
    Seats,
)
from domain.events.declaring import add_to
from domain.events.disputes import AppealOutcome, DisputeKind, Ruling, StandardOfProof
from domain.json_fields import DisputeStatus, Outcome, one_of, refers_to
from domain.rules.choices import Ending
from domain.struct import replace
from replay.audit.deals.ceremonies import ceremony_waiting_for_cuts
from replay.audit.play.checking import CHECKS, author_of, checks, time_of
from replay.audit.play.deadlines import add_time
from replay.audit.scoring.endings import (
    check_game_ended,
    leaders,
    leaders_of_a_side,
    seats_at_goal,
    tied_seats,
    winners_bidder_only,
)
from replay.fold import DisputeRead, Position
from replay.fold.position import DealRead
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


CLAUSE = re.compile(r"(R-)?[A-Z][0-9]{1,3}", re.ASCII)
DEFAULT_DAYS = 21
"""The days for an appeal at a table that names none for a move."""
MAX_CHANGE = 1000
"""The largest change of a seat's score that a ruling can make."""
_FIRST_DISPUTE = frozenset({"DisputeOpened"})


@checks(DisputeOpened)
def check_dispute_opened(position: Position, fact: DisputeOpened) -> Iterator[str]:
    """Check the number, the seat, the hand and version, that the seat contests the hand once, and the kind."""
    if fact.dispute != len(position.disputes) + 1:
        yield f"the dispute has number {fact.dispute}, but should have number {len(position.disputes) + 1}"
    yield from _check_person(position, fact.seat)
    deals = [deal for deal in _deals(position) if deal.hand == fact.hand]
    if not deals:
        yield f"seat {fact.seat} contests hand {fact.hand}, but that hand has not been dealt"
    elif not deals[0].ceremony_version <= fact.at_version <= position.version:
        version = f"version {fact.at_version} is before that hand or is not in the log yet"
        yield f"seat {fact.seat} contests hand {fact.hand} at version {fact.at_version}, but {version}"
    own = [each for each in position.disputes if each.opened.seat == fact.seat and not each.withdrawn]
    if any(each.opened.hand == fact.hand for each in own):
        yield f"seat {fact.seat} contests hand {fact.hand} a second time"
    if fact.kind not in tuple(DisputeKind):
        yield f"{fact.kind!r} is not a kind of dispute"


@checks(DisputeWithdrawn)
def check_dispute_withdrawn(position: Position, fact: DisputeWithdrawn) -> Iterator[str]:
    """Check that the player who opened a dispute takes it back, once, and before a ruling."""
    dispute = _dispute(position, fact.dispute)
    if fact.seat != dispute.opened.seat or position.players[fact.seat].player != dispute.opened_by:
        yield f"seat {fact.seat} withdraws dispute {fact.dispute}, but another player opened it"
    if dispute.ruling is not None:
        yield f"dispute {fact.dispute} is withdrawn after it was ruled on"
    yield from _check_standing(dispute, fact.dispute)


def _check_standing(dispute: DisputeRead, number: int) -> Iterator[str]:
    if dispute.withdrawn:
        yield f"dispute {number} was withdrawn before"


def _check_person(position: Position, seat: int) -> Iterator[str]:
    if position.players[seat].kind != "human":
        yield f"seat {seat} is not a person's seat"


def _deals(position: Position) -> Sequence[DealRead]:
    """Return every deal, also one that waits for cuts or is in play."""
    current = _current_deal(position)
    return position.deals if current is None else (*position.deals, current)


def _current_deal(position: Position) -> DealRead | None:
    hand, due = position.hand, ceremony_waiting_for_cuts(position)
    if due is not None:
        number = 1 if hand is None else hand.dealt.hand + (not hand.misdealt)
        return DealRead(number, due[1].version, None)
    if hand is None or hand.over:
        return None
    return DealRead(hand.dealt.hand, position.ceremonies[hand.dealt.n].version, None)


@add_to(CHECKS, RulingGiven)
def _check_ruling(position: Position, event: Event[Any], deals: Any) -> Iterator[str]:
    yield from check_ruling_given(position, event.data, event.by, deals.roots)
    if event.v > 1 and event.data.drops_call:
        yield "the ruling ends a delay call by itself, as only rulings of version 1 did"
    if event.v > 2:
        yield from check_appeal_time(position, event.data, event.at)


def check_ruling_given(position: Position, fact: RulingGiven, by: str, roots: Sequence[bytes]) -> Iterator[str]:
    """Check that a ruling is the first on its dispute, and its arbiter, evidence and result.

    `roots` are the roots of the log by its size.
    """
    yield from _check_arbiter(position, by)
    dispute = _dispute(position, fact.dispute)
    if dispute.ruling is not None:
        yield f"dispute {fact.dispute} is ruled on a second time"
    yield from _check_standing(dispute, fact.dispute)
    yield from _check_codes(fact)
    yield from _check_evidence(position, dispute, fact, roots)
    yield from _check_outcome(position, dispute, fact)
    after = _with_dispute(position, fact.dispute, replace(dispute, ruling=fact))
    yield from check_ruled_scores(fact.ruled, ruled_result(after, position.ended))


def check_appeal_time(position: Position, fact: RulingGiven, at: str) -> Iterator[str]:
    """Check until when a ruling of the time `at` can be appealed, by the timing of the table."""
    due = add_time(at, position.opening.timing.forfeit_days or DEFAULT_DAYS)
    if fact.appeal_until != due:
        yield f"the ruling can be appealed until {fact.appeal_until}, but should be until {due}"


def _check_arbiter(position: Position, by: str) -> Iterator[str]:
    if by == "server" or by in position.sat:
        yield f"{by} rules, but only an arbiter who never played in this game can rule"


def _dispute(position: Position, number: int) -> DisputeRead:
    """Return the dispute of that number, which exists: the fold refuses other numbers (replay/fold/disputes.py)."""
    return position.disputes[number - 1]


def _with_dispute(position: Position, number: int, dispute: DisputeRead) -> Position:
    return replace(position, disputes=(*position.disputes[: number - 1], dispute, *position.disputes[number:]))


def _check_codes(fact: RulingGiven) -> Iterator[str]:
    if fact.decision not in tuple(Ruling):
        yield f"{fact.decision!r} is not a decision of an arbiter"
    if fact.standard not in tuple(StandardOfProof):
        yield f"{fact.standard!r} is not a standard of proof"
    if fact.basis is not None and CLAUSE.fullmatch(fact.basis) is None:
        yield f"the basis {fact.basis!r} is not a clause of the rules"


def _check_evidence(
    position: Position, dispute: DisputeRead, fact: RulingGiven, roots: Sequence[bytes]
) -> Iterator[str]:
    size = fact.evidence.size
    if not dispute.opened.at_version <= size <= position.version:
        sizes = f"{dispute.opened.at_version} to {position.version}"
        yield f"the evidence of the ruling is {size} events, but only {sizes} events can be evidence"
    elif size < len(roots) and roots[size].hex() != fact.evidence.root:
        yield f"the log at size {size} has another root than the evidence of the ruling"


def _check_outcome(position: Position, dispute: DisputeRead, fact: RulingGiven) -> Iterator[str]:
    live = _current_deal(position) if position.ended is None else None
    if live is not None and live.hand != dispute.opened.hand:
        live = None
    if fact.decision == "adjust":
        yield from _check_adjustment(position, fact, live)
    if fact.decision == "void" and live is not None:
        yield from _check_voided_deal(fact, _contested_ceremony(position, dispute, live))
    elif fact.voids is not None:
        yield f"the ruling ends the deal of ceremony {fact.voids}, but does not void a hand in play"
    if fact.decision != "adjust":
        voids_score = fact.decision == "void" and live is None
        yield from _check_changes(fact, _voiding_changes(position, dispute) if voids_score else (0,) * position.seats)


def _check_voided_deal(fact: RulingGiven, due: int | None) -> Iterator[str]:
    if due is None:
        yield "the ruling voids the hand, but the contested deal of it is over already"
    elif fact.voids != due:
        deal = "ends no deal" if fact.voids is None else f"ends the deal of ceremony {fact.voids}"
        yield f"the ruling {deal}, but the deal of ceremony {due} is contested"


def _check_changes(fact: RulingGiven, due: tuple[int, ...] | None) -> Iterator[str]:
    if due is None:
        yield "the ruling voids the hand, but the contested deal scored nothing or the hand is void already"
    elif fact.changes != due:
        yield f"the changes are {list(fact.changes)}, but {list(due)} follows from the hand"


def _check_adjustment(position: Position, fact: RulingGiven, live: DealRead | None) -> Iterator[str]:
    if live is not None:
        yield f"the ruling adjusts the score of hand {live.hand}, but that hand is not over"
    if not any(fact.changes) or any(abs(change) > MAX_CHANGE for change in fact.changes):
        limits = f"must change a score, each by at most {MAX_CHANGE}"
        yield f"the changes are {list(fact.changes)}, but an adjustment {limits}"
    if any(len({fact.changes[seat] for seat in side}) > 1 for side in position.opening.sides):
        yield f"the changes are {list(fact.changes)}, but partners share a score and must have equal changes"


def _voiding_changes(position: Position, dispute: DisputeRead) -> tuple[int, ...] | None:
    """Return the contested deal's changes negated; None if it scored nothing or the hand is void already."""
    opened = dispute.opened
    deals = [deal for deal in position.deals if deal.hand == opened.hand and deal.ceremony_version <= opened.at_version]
    if not deals or deals[-1].changes is None or is_hand_voided(position.disputes, opened.hand):
        return None
    return tuple(-change for change in deals[-1].changes)


def _contested_ceremony(position: Position, dispute: DisputeRead, live: DealRead) -> int | None:
    """Return the ceremony of the contested deal, or None if that deal isn't the `live` one."""
    if dispute.opened.at_version < live.ceremony_version:
        return None
    due = ceremony_waiting_for_cuts(position)
    return position.live.dealt.n if due is None else due[0]


@checks(RulingAppealed, given=time_of)
def check_ruling_appealed(position: Position, fact: RulingAppealed, at: str) -> Iterator[str]:
    """Check that a person's seat appeals against a ruling in time, and that it's the first appeal."""
    yield from _check_person(position, fact.seat)
    dispute = _dispute(position, fact.dispute)
    if dispute.ruling is None:
        yield f"dispute {fact.dispute} is appealed before it is ruled on"
    if dispute.appealed_by is not None:
        yield f"the ruling on dispute {fact.dispute} is appealed a second time"
    until = None if dispute.ruling is None else dispute.ruling.appeal_until
    if until is not None and at >= until:
        yield f"dispute {fact.dispute} is appealed at {at}, but could be until {until}"


@checks(RulingDecided, given=author_of)
def check_ruling_decided(position: Position, fact: RulingDecided, by: str) -> Iterator[str]:
    """Check that an appeal is open, that another arbiter than the one who ruled decides it, and the result."""
    yield from _check_arbiter(position, by)
    dispute = _dispute(position, fact.dispute)
    if dispute.appealed_by is None or dispute.decision is not None:
        yield f"no appeal is open on dispute {fact.dispute}"
    if by == position.arbiters.get(fact.dispute):
        yield f"{by} decides the appeal against their own ruling"
    if fact.decision not in tuple(AppealOutcome):
        yield f"{fact.decision!r} is not a decision on an appeal"
    after = _with_dispute(position, fact.dispute, replace(dispute, decision=fact.decision))
    yield from check_ruled_scores(fact.ruled, ruled_result(after, position.ended))


@add_to(CHECKS, GameEnded)
def _check_end(position: Position, event: Event[Any], deals: Any) -> Iterator[str]:
    """Check the end of a game, and that it records the result by the rulings in force."""
    yield from check_game_ended(position, event.data, event.at, deals.key(position))
    yield from check_ruled_scores(event.data.ruled, ruled_result(position, event.data))


def check_ruled_scores(recorded: Ruled | None, due: Ruled | None) -> Iterator[str]:
    """Check that the recorded result as ruled is the one that follows from the rulings."""
    if recorded != due:
        yield f"the result as ruled is recorded as {_result_text(recorded)}, but should be {_result_text(due)}"


def _result_text(ruled: Ruled | None) -> str:
    return "the result as played" if ruled is None else f"{list(ruled.scores)}, won by {list(ruled.winners)}"


def possible_dispute_facts(position: Position) -> frozenset[str]:
    """Return the dispute facts that may come now, if the table waits or the game is over."""
    if not position.disputes:
        return _FIRST_DISPUTE
    facts = {"DisputeOpened"}
    for each in position.disputes:
        if each.withdrawn:
            continue
        if each.ruling is None:
            facts |= {"RulingGiven", "DisputeWithdrawn"}
        elif each.appealed_by is None:
            facts.add("RulingAppealed")
        elif each.decision is None:
            facts.add("RulingDecided")
    return frozenset(facts)


def facts_due_after_void(position: Position) -> frozenset[str]:
    """Return the facts that must follow a ruling that ends a deal: they make its seed public."""
    ended = {each.ruling.voids for each in position.disputes if each.ruling}
    open_ceremonies = [ceremony for n, ceremony in position.ceremonies.items() if n in ended and not ceremony.closed]
    return frozenset("CeremonyRevealed" if ceremony.dealt else "CeremonyVoided" for ceremony in open_ceremonies)
