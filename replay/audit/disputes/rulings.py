"""Disputes by bookkeeping: who may contest and judge what, on which evidence, and what follows (docs/disputes.md)."""

import re
from collections.abc import Iterator, Sequence

from domain.events import DisputeOpened, GameEnded, Ruled, RulingAppealed, RulingDecided, RulingGiven
from domain.events.dispute_codes import AppealOutcome, DisputeKind, Ruling, StandardOfProof
from domain.struct import replace
from replay.audit.deals.cuts import promise_waiting_for_cuts
from replay.audit.disputes.ruled_scores import is_hand_voided, ruled_result
from replay.fold import DisputeRead, Position
from replay.fold.position import DealRead

CLAUSE = re.compile(r"(R-)?[A-Z][0-9]{1,3}", re.ASCII)
MAX_CHANGE = 1000
"""What no ruling goes beyond."""
RULING_FACTS = frozenset({"RulingGiven", "RulingDecided"})
PARTY_FACTS = frozenset({"DisputeOpened", "RulingAppealed"})
DISPUTE_FACTS = RULING_FACTS | PARTY_FACTS
"""What is said whenever the table waits, and after the end."""
_NOTHING = frozenset[str]()


def check_dispute_opened(position: Position, fact: DisputeOpened) -> Iterator[str]:
    """Numbered within the game, by a person of the table, once for each hand, of what stood in the log."""
    if fact.dispute != len(position.disputes) + 1:
        yield f"it is dispute {fact.dispute} after {len(position.disputes)} others"
    yield from _by_a_person(position, fact.seat)
    deals = [deal for deal in _deals(position) if deal.hand == fact.hand]
    if not deals:
        yield f"it contests hand {fact.hand}, which has not been dealt"
    elif not deals[0].promised <= fact.at_version <= position.version:
        yield f"it contests hand {fact.hand} by version {fact.at_version}, which is not of that hand or not there yet"
    if any((each.opened.seat, each.opened.hand) == (fact.seat, fact.hand) for each in position.disputes):
        yield f"seat {fact.seat} contests hand {fact.hand} a second time"
    if fact.kind not in tuple(DisputeKind):
        yield f"{fact.kind!r} is no kind of dispute"


def _by_a_person(position: Position, seat: int) -> Iterator[str]:
    if position.players[seat].kind != "human":
        yield f"seat {seat} is no person's"


def _deals(position: Position) -> Sequence[DealRead]:
    """Every deal, the last one as it waits, is played or was broken off."""
    last = _last(position)
    return position.deals if last is None else (*position.deals, last)


def _last(position: Position) -> DealRead | None:
    hand, due = position.hand, promise_waiting_for_cuts(position)
    if due is not None:
        number = 1 if hand is None else hand.dealt.hand + (not hand.misdealt)
        return DealRead(number, due[1].version, None)
    if hand is None or hand.over:
        return None
    return DealRead(hand.dealt.hand, position.promises[hand.dealt.n].version, None)


def check_ruling_given(position: Position, fact: RulingGiven, by: str, roots: Sequence[bytes]) -> Iterator[str]:
    """Once, by nobody of the table, on this very log; `roots` are the log's by size."""
    yield from _by_nobody_here(position, by)
    contest = _contest(position, fact.dispute)
    if contest.ruling is not None:
        yield f"dispute {fact.dispute} is ruled on a second time"
    yield from _words(fact)
    yield from _evidence(position, contest, fact, roots)
    yield from _outcome(position, contest, fact)
    after = _after(position, fact.dispute, DisputeRead(contest.opened, fact))
    yield from check_ruled_scores(fact.ruled, ruled_result(after, position.ended))


def _by_nobody_here(position: Position, by: str) -> Iterator[str]:
    if by == "server" or by in {player.player for player in position.opening.players}:
        yield f"it is by {by}, where an arbiter who does not play here must rule"


def _contest(position: Position, dispute: int) -> DisputeRead:
    """The dispute of that number, which is there: nothing can be said of another one (replay/fold/disputes.py)."""
    return position.disputes[dispute - 1]


def _after(position: Position, dispute: int, contest: DisputeRead) -> Position:
    return replace(position, disputes=(*position.disputes[: dispute - 1], contest, *position.disputes[dispute:]))


def _words(fact: RulingGiven) -> Iterator[str]:
    if fact.decision not in tuple(Ruling):
        yield f"{fact.decision!r} is no decision of an arbiter"
    if fact.standard not in tuple(StandardOfProof):
        yield f"{fact.standard!r} is no standard of proof"
    if fact.basis is not None and CLAUSE.fullmatch(fact.basis) is None:
        yield f"its basis {fact.basis!r} is no clause"


def _evidence(position: Position, contest: DisputeRead, fact: RulingGiven, roots: Sequence[bytes]) -> Iterator[str]:
    size = fact.evidence.size
    if not contest.opened.at_version <= size <= position.version:
        yield f"it rests on {size} events, where {contest.opened.at_version} to {position.version} can be evidence"
    elif size < len(roots) and roots[size].hex() != fact.evidence.root:
        yield f"the log at size {size} has another root than the evidence of the ruling"


def _outcome(position: Position, contest: DisputeRead, fact: RulingGiven) -> Iterator[str]:
    live = _last(position) if position.ended is None else None
    if live is not None and live.hand != contest.opened.hand:
        live = None
    if fact.decision == "adjust":
        yield from _adjusted(position, fact, live)
    if fact.decision == "void" and live is not None:
        yield from _voiding(fact, _voided(position, contest, live))
    elif fact.voids is not None:
        yield f"it ends the deal of ceremony {fact.voids}, which nothing asks for"
    if fact.decision != "adjust":
        taken_back = fact.decision == "void" and live is None
        yield from _worked_out(fact, _taken_back(position, contest) if taken_back else (0,) * position.seats)


def _voiding(fact: RulingGiven, due: int | None) -> Iterator[str]:
    if due is None:
        yield "it voids a hand whose contested deal has gone already"
    elif fact.voids != due:
        yield f"it ends the deal of ceremony {fact.voids} where that of ceremony {due} is contested"


def _worked_out(fact: RulingGiven, due: tuple[int, ...] | None) -> Iterator[str]:
    if due is None:
        yield "it voids a deal that scored nothing, or a hand that is void already"
    elif fact.changes != due:
        yield f"its changes are {list(fact.changes)} where {list(due)} follows from the hand"


def _adjusted(position: Position, fact: RulingGiven, live: DealRead | None) -> Iterator[str]:
    if live is not None:
        yield f"it adjusts the score of hand {live.hand}, which is not over"
    if not any(fact.changes) or any(abs(change) > MAX_CHANGE for change in fact.changes):
        yield f"its changes {list(fact.changes)} are none an adjustment can bring"
    if any(len({fact.changes[seat] for seat in side}) > 1 for side in position.opening.sides):
        yield f"its changes {list(fact.changes)} part partners who have one score"


def _taken_back(position: Position, contest: DisputeRead) -> tuple[int, ...] | None:
    """Minus what the contested deal scored; None where it scored nothing, or is void already."""
    told = contest.opened
    deals = [deal for deal in position.deals if deal.hand == told.hand and deal.promised <= told.at_version]
    if not deals or deals[-1].changes is None or is_hand_voided(position.disputes, told.hand):
        return None
    return tuple(-change for change in deals[-1].changes)


def _voided(position: Position, contest: DisputeRead, live: DealRead) -> int | None:
    """The ceremony of the deal that was contested; None where that one has gone."""
    if contest.opened.at_version < live.promised:
        return None
    due = promise_waiting_for_cuts(position)
    return position.live.dealt.n if due is None else due[0]


def check_ruling_appealed(position: Position, fact: RulingAppealed) -> Iterator[str]:
    """Once a ruling, by a person of the table."""
    yield from _by_a_person(position, fact.seat)
    contest = _contest(position, fact.dispute)
    if contest.ruling is None:
        yield f"dispute {fact.dispute} is appealed before it is ruled on"
    if contest.appealed_by is not None:
        yield f"the ruling on dispute {fact.dispute} is appealed a second time"


def check_ruling_decided(position: Position, fact: RulingDecided, by: str) -> Iterator[str]:
    """Once an appeal, by another arbiter than the one who ruled."""
    yield from _by_nobody_here(position, by)
    contest = _contest(position, fact.dispute)
    if contest.appealed_by is None or contest.decision is not None:
        yield f"no appeal is open on dispute {fact.dispute}"
    if by == position.arbiters.get(fact.dispute):
        yield f"{by} decides the appeal against their own ruling"
    if fact.decision not in tuple(AppealOutcome):
        yield f"{fact.decision!r} is no decision on an appeal"
    after = DisputeRead(contest.opened, contest.ruling, contest.appealed_by, fact.decision)
    yield from check_ruled_scores(fact.ruled, ruled_result(_after(position, fact.dispute, after), position.ended))


def check_ruled_end(position: Position, fact: GameEnded) -> Iterator[str]:
    """The end says what it comes to by the rulings in force."""
    return check_ruled_scores(fact.ruled, ruled_result(position, fact))


def check_ruled_scores(told: Ruled | None, due: Ruled | None) -> Iterator[str]:
    """Whether what the game is said to come to is what the rulings make of it."""
    if told != due:
        yield f"by its rulings the game comes to {_said(due)}, where it says {_said(told)}"


def _said(ruled: Ruled | None) -> str:
    return "what was played" if ruled is None else f"{list(ruled.scores)}, won by {list(ruled.winners)}"


def possible_dispute_facts(position: Position) -> frozenset[str]:
    """What may be said of disputes as they stand: whenever the table waits, and when the game is over."""
    said = {"DisputeOpened"}
    for each in position.disputes:
        if each.ruling is None:
            said.add("RulingGiven")
        elif each.appealed_by is None:
            said.add("RulingAppealed")
        elif each.decision is None:
            said.add("RulingDecided")
    return frozenset(said)


def facts_due_after_void(position: Position) -> frozenset[str]:
    """What must follow a ruling that ends a deal: its seed becomes public."""
    if not position.disputes:
        return _NOTHING
    ended = {each.ruling.voids for each in position.disputes if each.ruling}
    owed = [promise for n, promise in position.promises.items() if n in ended and not promise.closed]
    return frozenset("CeremonyRevealed" if promise.dealt else "CeremonyVoided" for promise in owed)
