"""Undo and draw by consent, and leaving: what needs no turn (R-P7, R-P8, R-P9)."""

from domain.commands import AnswerProposal, AskUndo, ProposeDraw, Resign
from domain.events import DrawAnswered, DrawProposed, Fact, MovesTakenBack, SeatResigned, UndoAnswered, UndoAsked
from domain.rejections import NoDraw, NoProposal, NothingToUndo, ProposalOpen, SeatLeft
from domain.state import State, UndoPoint


def ask_undo(state: State, command: AskUndo) -> tuple[Fact, ...]:
    """Open for the last move of the play, by who made it, before anything has followed; nobody to ask grants it."""
    if state.proposal is not None:
        raise ProposalOpen("Another proposal is open. Answer it first.")
    if state.undo_point is None or state.undo_point.seat != command.seat:
        raise NothingToUndo("You can take back only your own last move, before anything follows it.")
    asked = UndoAsked(command.seat, state.undo_point.version)
    return (asked,) if _others(state, command.seat) else (asked, _taken_back(state.undo_point))


def _others(state: State, seat: int) -> tuple[int, ...]:
    return tuple(person for person in state.persons if person != seat)


def _taken_back(before: UndoPoint) -> MovesTakenBack:
    return MovesTakenBack(before.seat, before.version, next=before.turn)


def propose_draw(state: State, command: ProposeDraw) -> tuple[Fact, ...]:
    """Open while no bot plays and no proposal is open."""
    if state.proposal is not None:
        raise ProposalOpen("Another proposal is open. Answer it first.")
    if any(seat.kind != "human" for seat in state.seats):
        raise NoDraw("A bot can't agree to a draw. Resign or play on.")
    return (DrawProposed(command.seat),)


def answer_proposal(state: State, command: AnswerProposal) -> tuple[Fact, ...]:
    """One answer from every other person still in; one rejection ends the proposal, the last acceptance grants it."""
    proposal = state.proposal
    if proposal is None or command.seat in proposal.accepted or command.seat not in state.persons:
        raise NoProposal("There's no proposal for you to answer.")
    if proposal.kind == "draw":  # that everybody agreed ends the game: endings.verdict
        return (DrawAnswered(command.seat, command.accept),)
    answered = UndoAnswered(command.seat, command.accept)
    agreed = set(state.persons) <= {*proposal.accepted, command.seat}
    if not command.accept or not agreed or state.undo_point is None:
        return (answered,)
    return answered, _taken_back(state.undo_point)


def resign(state: State, command: Resign) -> tuple[Fact, ...]:
    """The seat leaves for good; whether that ends the game is for endings.verdict."""
    if command.seat not in state.still_in:
        raise SeatLeft(f"Seat {command.seat} has already left.")
    return (SeatResigned(command.seat),)
