"""Readers of hand-overs of seats."""

from domain.events import HandoverAnswered, HandoverAsked, Player, SeatHandedOver, SeatReturned
from domain.struct import replace
from replay.fold.declaring import Role, reads
from replay.fold.position import Change, HandoverRead, MisplacedFact, Position
from replay.fold.table_talk import count_proposal


@reads(Role.TALK, HandoverAsked)
def read_handover_asked(position: Position, fact: HandoverAsked) -> Change:
    """Open the question, which counts as a proposal of its seat."""
    return {"question": HandoverRead(fact, (fact.seat,)), **count_proposal(position, fact.seat)}


@reads(Role.TALK, HandoverAnswered)
def read_handover_answered(position: Position, fact: HandoverAnswered) -> Change:
    """Add an agreement, or close the question after a refusal."""
    if position.question is None:
        raise MisplacedFact("no hand-over was asked for")
    agreed = (*position.question.agreed, fact.seat)
    return {"question": replace(position.question, agreed=agreed) if fact.accept else None}


@reads(Role.TABLE, SeatHandedOver)
def read_handed_over(position: Position, fact: SeatHandedOver) -> Change:
    """Seat the new player; the old one can take the seat back."""
    lent = {**position.lent, fact.seat: (*position.lent.get(fact.seat, ()), fact.giver)}
    sat, question = position.sat | {fact.to}, position.question
    return {
        **_seat(position, fact.seat, Player(fact.to, fact.kind, fact.bot)),
        "lent": lent,
        "sat": sat,
        "question": None if question is None or question.asked.seat == fact.seat else question,
    }


@reads(Role.RETURN, SeatReturned)
def read_returned(position: Position, fact: SeatReturned) -> Change:
    """Seat the player again who lent the seat, and with them everybody's right to take it back from them."""
    lenders, question = position.lent.get(fact.seat, ()), position.question
    if fact.to not in lenders:
        raise MisplacedFact(f"{fact.to} did not hand seat {fact.seat} over")
    change = _seat(position, fact.seat, Player(fact.to, "human"))
    change["lent"] = {**position.lent, fact.seat: lenders[: lenders.index(fact.to)]}
    if question is not None:
        agreed = tuple(seat for seat in question.agreed if seat != fact.seat)
        change["question"] = None if question.asked.seat == fact.seat else replace(question, agreed=agreed)
    return change


def _seat(position: Position, seat: int, player: Player) -> Change:
    """Return the change of a seat's player: its seal lapses, and so does what was proposed."""
    players = (*position.players[:seat], player, *position.players[seat + 1 :])
    return {"players": players, "sealed": {**position.sealed, seat: None}, "proposal": None}
