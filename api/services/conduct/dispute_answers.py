"""The side of the others in a dispute: the accused hears of it, and answers in words beside the log."""

from dataclasses import dataclass, field

from api.accounts.accounts import Accounts
from api.accounts.dispute_texts import has_answered, set_answer
from api.accounts.inbox.outbox import InboxNote, leave_notes
from domain.rejections import AlreadyRuled, NoSuchDispute
from domain.state import State
from domain.state.table import Dispute

KIND = "dispute"


class AnswerRefused(Exception):
    """The player has no answer to give here: they opened the dispute, or a moderator erased their answer."""


@dataclass(frozen=True)
class DisputeStatement:
    """What a player at a seat says."""

    seat: int
    player: str
    text: str = field(repr=False)


def tell_accused(accounts: Accounts, state: State, dispute: Dispute, accused: int) -> None:
    """Note in the inbox of the person at a seat that a dispute accuses them."""
    sitting = state.seats[accused]
    if state.opened is None or sitting.kind != "human" or accused == dispute.seat:
        return
    about = {"dispute": dispute.number, "step": "accused", "seat": accused}
    with accounts.database.transaction(writes=True) as transaction:
        leave_notes(transaction, [InboxNote(sitting.player, KIND, state.game, about)])


def answer_dispute(accounts: Accounts, state: State, number: int, statement: DisputeStatement) -> None:
    """Save a player's answer in place of their earlier one. The others hear of the first.

    Raise NoSuchDispute, AlreadyRuled unless an arbiter still has to decide, or AnswerRefused.
    """
    if not 1 <= number <= len(state.disputes):
        raise NoSuchDispute(f"There's no dispute {number} in this game.")
    dispute = state.disputes[number - 1]
    if dispute.decision is not None or (dispute.ruling is not None and dispute.appealed_by is None):
        raise AlreadyRuled("An arbiter has decided. A player who doesn't agree with a ruling can appeal once.")
    if statement.seat == dispute.seat:
        raise AnswerRefused("You opened this dispute, and have said what it's about.")
    with accounts.database.transaction(writes=True) as transaction:
        place = state.game, number, statement.seat
        is_first = not has_answered(transaction, *place)
        if not set_answer(transaction, *place, statement.player, statement.text):
            raise AnswerRefused("A moderator has erased your answer, so there is no other one.")
        if is_first:
            leave_notes(transaction, _notes(state, number, statement.player))


def _notes(state: State, number: int, author: str) -> list[InboxNote]:
    return [
        InboxNote(sitting.player, KIND, state.game, {"dispute": number, "step": "answered", "seat": seat})
        for seat, sitting in enumerate(state.seats)
        if sitting.kind == "human" and sitting.player != author
    ]
