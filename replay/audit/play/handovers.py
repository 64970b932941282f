"""Checks of seats that are handed over and returned (R-P13, R-P14)."""

from collections.abc import Iterator

from domain.events import HandoverAnswered, HandoverAsked, SeatForfeited, SeatHandedOver, SeatReturned
from replay.audit.play.checking import checks, time_of
from replay.audit.play.consent import check_proposal_count
from replay.audit.play.deadlines import check_taken_by_clock
from replay.fold import Position

FORFEIT_REASON = "handover"
"""Why a seat is forfeit that would go from the last person to a bot."""


def is_deal_pending(position: Position) -> bool:
    """Tell whether a ceremony was opened that hasn't dealt or drawn anything yet."""
    return any(not each.dealt and not each.closed for each in position.ceremonies.values())


def due_after_agreement(position: Position) -> str | None:
    """Return the fact that is due because everybody agrees to the open question, or None."""
    question = position.question
    if question is None or not set(position.persons) <= set(question.agreed) or is_deal_pending(position):
        return None
    last_person = question.asked.kind != "human" and position.persons == (question.asked.seat,)
    return "SeatForfeited" if last_person else "SeatHandedOver"


@checks(HandoverAsked)
def check_handover_asked(position: Position, fact: HandoverAsked) -> Iterator[str]:
    """Check that a person asks, one question at a time, for somebody who has never held a seat here."""
    if fact.seat not in position.persons:
        yield f"seat {fact.seat} asks to hand itself over, but no person plays it"
    if position.question is not None:
        yield "another hand-over is still being asked about"
    if fact.to in position.sat:
        yield f"seat {fact.seat} is to go to {fact.to}, who has or had a seat in this game"
    if fact.kind not in {"human", "bot"} or (fact.kind == "bot") is not (fact.bot is not None):
        yield f"a player of the kind {fact.kind!r} can't have the strategy {fact.bot!r}"
    if is_deal_pending(position):
        yield "a hand-over is asked for while a deal is pending"
    yield from check_proposal_count(position, fact.seat)


@checks(HandoverAnswered)
def check_handover_answered(position: Position, fact: HandoverAnswered) -> Iterator[str]:
    """Check that a person answers who hasn't agreed yet."""
    question = position.question
    if question is None or fact.seat in question.agreed or fact.seat not in position.persons:
        yield f"seat {fact.seat} has no question about a hand-over to answer"


def is_taken_by_clock(position: Position, fact: SeatHandedOver) -> bool:
    """Tell whether the seat is handed over though the table hasn't agreed to it: no question is open, or answered."""
    question = position.question
    is_agreed = question is not None and question.asked.seat == fact.seat and due_after_agreement(position) is not None
    return position.opening.autopilot.startswith("bot:") and not is_agreed


@checks(SeatHandedOver, given=time_of)
def check_handed_over(position: Position, fact: SeatHandedOver, at: str) -> Iterator[str]:
    """Check that everybody agreed, and that seat and players are those of the question, or that the clock took it."""
    question = position.question
    if is_taken_by_clock(position, fact):
        yield from check_taken_by_clock(position, fact, at)
        yield from _check_giver(position, fact)
        return
    if question is None or due_after_agreement(position) != "SeatHandedOver":
        yield f"seat {fact.seat} is handed over, but not every other person agreed to it, or a deal is pending"
        return
    asked = question.asked
    recorded, due = (fact.seat, fact.to, fact.kind, fact.bot), (asked.seat, asked.to, asked.kind, asked.bot)
    if recorded != due:
        yield f"seat {fact.seat} goes to {fact.to}, but the question was about seat {asked.seat} and {asked.to}"
    yield from _check_giver(position, fact)


def _check_giver(position: Position, fact: SeatHandedOver) -> Iterator[str]:
    if fact.giver != position.players[fact.seat].player:
        yield f"seat {fact.seat} comes from {fact.giver}, but {position.players[fact.seat].player} holds it"


@checks(SeatReturned)
def check_returned(position: Position, fact: SeatReturned) -> Iterator[str]:
    """Check that the seat is still in, goes to a player who lent it, and that no deal is pending."""
    if fact.seat in position.left:
        yield f"seat {fact.seat} is returned, but it has left the game"
    if fact.to not in position.lent.get(fact.seat, ()):
        yield f"seat {fact.seat} is returned to {fact.to}, who did not hand it over"
    if is_deal_pending(position):
        yield f"seat {fact.seat} is returned while a deal is pending"


def check_forfeited_instead(position: Position, fact: SeatForfeited) -> Iterator[str]:
    """Check that the last person at the table was about to hand this seat to a bot."""
    question = position.question
    due = question is not None and due_after_agreement(position) == "SeatForfeited"
    if not due or question is None or question.asked.seat != fact.seat or fact.held_ms:
        yield f'seat {fact.seat} forfeits for "{fact.reason}", but its player isn\'t the last person at the table'
