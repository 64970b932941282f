"""Decide undo, draws, and resignations, which need no turn (R-P7, R-P8, R-P9)."""

from domain.commands import AnswerProposal, AskUndo, ProposeDraw, Resign
from domain.engine.limits import require_proposals_left
from domain.events import DrawAnswered, DrawProposed, Fact, MovesTakenBack, SeatResigned, UndoAnswered, UndoAsked
from domain.rejections import NoDraw, NoProposal, NothingToUndo, ProposalOpen, SeatLeft
from domain.rules.choices import Undo
from domain.state import State, UndoPoint

_LIMITS_OF_UNDO = {
    Undo.CONSENT: "You can take back only your own last move, before anything follows it.",
    Undo.PRACTICE: "No move of yours can be taken back here. An undo doesn't go past a deal, a discard, cards from the"
    " stock, a partner who was revealed, or a change of the rules.",
    Undo.NONE: "In this game no move can be taken back.",
}


def ask_undo(state: State, command: AskUndo) -> tuple[Fact, ...]:
    """Ask to take back one's own last move; granted at once if there is nobody to ask.

    The state knows whether anything that has followed the move ends its undo.
    """
    _require_no_proposal(state, command.seat)
    undo = Undo.CONSENT if state.opened is None else Undo(state.opened.undo)
    if undo is Undo.NONE or state.undo_point is None or state.undo_point.seat != command.seat:
        raise NothingToUndo(_LIMITS_OF_UNDO[undo])
    require_proposals_left(state, command.seat)
    request = UndoAsked(command.seat, state.undo_point.version)
    return (request,) if _others(state, command.seat) else (request, _taken_back(state.undo_point))


def _others(state: State, seat: int) -> tuple[int, ...]:
    return tuple(person for person in state.persons if person != seat)


def _taken_back(before: UndoPoint) -> MovesTakenBack:
    return MovesTakenBack(before.seat, before.version, next=before.turn)


def _require_no_proposal(state: State, seat: int) -> None:
    if state.proposal is None:
        return
    if state.proposal.accepted[0] == seat:
        raise ProposalOpen("What you have asked for is open. It ends with the last answer, or with the next move.")
    raise ProposalOpen("Another proposal is open. Answer it first.")


def propose_draw(state: State, command: ProposeDraw) -> tuple[Fact, ...]:
    """Propose a draw, if no bot plays and no other proposal is open."""
    _require_no_proposal(state, command.seat)
    if any(seat.kind != "human" for seat in state.seats):
        raise NoDraw("A bot can't agree to a draw. Resign or play on.")
    require_proposals_left(state, command.seat)
    return (DrawProposed(command.seat),)


def answer_proposal(state: State, command: AnswerProposal) -> tuple[Fact, ...]:
    """Record one answer per other person still in; one rejection ends the proposal, the last acceptance grants it.

    A rejection by the seat that asked withdraws the proposal.
    """
    proposal = state.proposal
    is_asker = proposal is not None and command.seat == proposal.accepted[0]
    if is_asker and command.accept:
        raise NoProposal("You have asked for this. The others answer, and you can withdraw it with a rejection.")
    if proposal is None or command.seat not in state.persons or (command.seat in proposal.accepted and not is_asker):
        raise NoProposal("There's no proposal for you to answer.")
    if proposal.kind == "draw":  # endings.verdict ends the game once everybody has accepted
        return (DrawAnswered(command.seat, command.accept),)
    answer = UndoAnswered(command.seat, command.accept)
    agreed = set(state.persons) <= {*proposal.accepted, command.seat}
    if not command.accept or not agreed or state.undo_point is None:
        return (answer,)
    return answer, _taken_back(state.undo_point)


def resign(state: State, command: Resign) -> tuple[Fact, ...]:
    """Record that a seat leaves for good; endings.verdict decides whether that ends the game."""
    if command.seat not in state.still_in:
        raise SeatLeft(f"Seat {command.seat} has already left.")
    return (SeatResigned(command.seat),)
