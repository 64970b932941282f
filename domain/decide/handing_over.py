"""Decide hand-overs of seats: the question, the answers, the hand-over, and taking a seat back (R-P13, R-P14)."""

from domain.commands import AnswerHandover, AskHandover, HandOver, ReturnSeat
from domain.engine.limits import require_proposals_left
from domain.events import Fact, HandoverAnswered, HandoverAsked, SeatForfeited, SeatHandedOver, SeatReturned
from domain.rejections import DealPending, HandoverOpen, NoHandover, NotDue, SeatedBefore
from domain.rules.choices import Undo
from domain.state import Handover, State

HANDOVER_CAUSE = "handover"
"""Why a seat is forfeit that its player would hand over while no other person is at the table."""


def ask_handover(state: State, command: AskHandover) -> tuple[Fact, ...]:
    """Ask every other person for a hand-over. The one who gets the seat has never held one in this game."""
    if command.seat not in state.persons or (command.kind == "bot") is not (command.bot is not None):
        raise NoHandover("Only a person who still plays can hand a seat over, to a person or to a bot.")
    if command.kind == "human" and state.opened is not None and state.opened.undo == Undo.PRACTICE:
        raise NoHandover("A practice game has one person from beginning to end (R-P7). You can resign.")
    if state.handover is not None:
        raise HandoverOpen("The table is being asked about a seat. Wait for the answers.")
    if state.has_held(command.to):
        raise SeatedBefore("This player has a seat in this game, or had one. Hand yours to somebody else.")
    _require_dealt(state)
    require_proposals_left(state, command.seat)
    return (HandoverAsked(command.seat, command.to, command.kind, command.bot),)


def _require_dealt(state: State) -> None:
    """Refuse a change of players between a commitment and what it deals or draws (fairdeal/1)."""
    if has_undealt_ceremony(state):
        raise DealPending("A deal is pending. A seat can change hands once the cards are dealt.")


def has_undealt_ceremony(state: State) -> bool:
    """Return whether the table has committed itself to a shuffle or draw that it hasn't made yet."""
    return any(not ceremony.dealt for ceremony in state.ceremonies)


def answer_handover(state: State, command: AnswerHandover) -> tuple[Fact, ...]:
    """Record one answer of each other person; one refusal ends the question."""
    asked = state.handover
    if asked is None or command.seat in asked.accepted or command.seat not in state.persons:
        raise NoHandover("There's no question about a seat for you to answer.")
    return (HandoverAnswered(command.seat, command.accept),)


def is_handover_agreed(state: State) -> bool:
    """Return whether every person still in has agreed to the open hand-over, and no deal is pending."""
    asked = state.handover
    return asked is not None and set(state.persons) <= set(asked.accepted) and not has_undealt_ceremony(state)


def hand_over(state: State, command: HandOver) -> tuple[Fact, ...]:
    """Hand the seat over once everybody has agreed; if no person would be left, the seat is forfeit instead."""
    asked = state.handover
    if asked is None or asked.seat != command.seat or not is_handover_agreed(state):
        raise NotDue("No hand-over is due.")
    if _leaves_nobody(state, asked):
        return (SeatForfeited(asked.seat, HANDOVER_CAUSE),)
    return (SeatHandedOver(asked.seat, state.seats[asked.seat].player, asked.to, asked.kind, asked.bot),)


def _leaves_nobody(state: State, asked: Handover) -> bool:
    return asked.kind != "human" and state.persons == (asked.seat,)


def return_seat(state: State, command: ReturnSeat) -> tuple[Fact, ...]:
    """Give a seat back to a player who lent it; the others aren't asked (R-P14)."""
    sitting = state.seats[command.seat]
    if sitting.state != "in" or command.to not in sitting.lenders:
        raise NoHandover("You have lent no seat in this game that you could take back.")
    _require_dealt(state)
    return (SeatReturned(command.seat, command.to),)
