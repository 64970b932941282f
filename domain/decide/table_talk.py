"""Decide what needs no turn: undos, draws, resignations, hand-overs of seats, and delay of game.

R-P7 to R-P9, R-P13 and R-P14, and C28 to C30 are the clauses.
"""

from datetime import datetime, timedelta

from domain.commands import (
    AnswerHandover,
    AnswerProposal,
    AskHandover,
    AskUndo,
    CallDelay,
    HandOver,
    ProposeDraw,
    Resign,
    ReturnSeat,
    VoteDelay,
)
from domain.engine.legal_moves import require_proposals_left
from domain.events import (
    DelayCalled,
    DelayJudged,
    DelayVoted,
    DrawAnswered,
    DrawProposed,
    Fact,
    HandoverAnswered,
    HandoverAsked,
    MovesTakenBack,
    SeatForfeited,
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    UndoAnswered,
    UndoAsked,
)
from domain.rejections import (
    DealPending,
    DelayOpen,
    HandoverOpen,
    NoDelay,
    NoDraw,
    NoHandover,
    NoProposal,
    NotDue,
    NothingToUndo,
    ProposalOpen,
    SeatedBefore,
    SeatLeft,
    TooSoon,
)
from domain.rules.choices import Phase, Undo
from domain.state import Handover, State, UndoPoint

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


def call_delay(state: State, command: CallDelay) -> tuple[Fact, ...]:
    """Record a call on the seat that must play a card, after too long a turn. It's the caller's vote (R-C39).

    Refuse it if the game has no delay of game, on oneself or a seat that isn't to play, too soon, while a call is open,
    or if this turn already had one (R-C40, R-C63).
    """
    delay, accused = state.rules.delay, command.accused
    if delay is None or state.phase is not Phase.PLAY or accused not in state.turn or accused == command.seat:
        raise NoDelay("You can call delay of game only on another player whose turn it is to play a card.")
    if state.delay is not None or state.delay_turn == state.turn_version:
        raise DelayOpen("Delay of game has already been called. Each turn allows one call, and only one can be open.")
    waited = _milliseconds(state.turn_since, command.at)
    if waited <= delay.after_ms:
        raise TooSoon(f"The turn has lasted {waited} ms. You can call delay of game after {delay.after_ms} ms.")
    return (DelayCalled(command.seat, accused, waited),)


def _milliseconds(since: str, now: str) -> int:
    return (datetime.fromisoformat(now) - datetime.fromisoformat(since)) // timedelta(milliseconds=1)


def vote_delay(state: State, command: VoteDelay) -> tuple[Fact, ...]:
    """Record one vote per seat except the accused: one against acquits at once, all for it cost points (C29, R-C39)."""
    call = state.delay
    if call is None or not can_vote(state, command.seat):
        raise NoDelay("There's no delay call for you to vote on.")
    voted = DelayVoted(command.seat, command.guilty)
    if not command.guilty:
        return voted, DelayJudged(call.accused, guilty=False, scores=state.scores)
    if len(call.votes) + 1 < len(state.seats) - 1:
        return (voted,)
    costs = state.rules.delay.costs if state.rules.delay else 0
    scores = tuple(score - costs * (seat == call.accused) for seat, score in enumerate(state.scores))
    return voted, DelayJudged(call.accused, guilty=True, scores=scores)


def can_vote(state: State, seat: int) -> bool:
    """Return whether `seat` has a vote on the open call that it hasn't cast."""
    call = state.delay
    return call is not None and seat != call.accused and seat not in dict(call.votes)
