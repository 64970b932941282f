"""The part of a seat's view that only the seat itself sees: its cards, and the moves it can make."""

from collections.abc import Callable
from typing import Annotated, Any, TypedDict

from domain.cards import sort_cards
from domain.commands import (
    AnswerHandover,
    AnswerProposal,
    AskUndo,
    CallDelay,
    ClaimTime,
    ProposeDraw,
    Resign,
    SeatCommand,
)
from domain.decide import decide
from domain.decide.rule_changes import prospective_rules
from domain.decide.table_talk import can_vote
from domain.engine.cuts import is_beacon_missing, missing_cutters
from domain.engine.deadlines import is_claimed_by_players
from domain.engine.legal_moves import can_call_partner, has_proposals_left, legal_discards, legal_moves
from domain.engine.rule_menu import available_changes
from domain.json_fields import CardText, one_of, refers_to, says
from domain.rejections import Rejected
from domain.rules.choices import Sight
from domain.state import State
from projections.moves.json_moves import MoveJson, move_to_json

LATEST_TIME = "9999-12-31T23:59:59.999999Z"
"""A view doesn't depend on the clock: it offers delay calls and claims as if every turn had lasted long enough."""
ChoiceJson = Annotated[dict[str, Any], refers_to("Choice")]
"""A discard, or a card to call."""


def _accepts_any(*commands: SeatCommand, state: State) -> bool:
    for command in commands:
        try:
            decide(state, command)
        except Rejected:
            continue
        return True
    return False


def _can_call_delay(state: State, seat: int) -> bool:
    known = state.rules.delay is not None
    return known and _accepts_any(*(CallDelay(seat, accused, LATEST_TIME) for accused in state.turn), state=state)


def _can_answer(state: State, seat: int, *, accept: bool) -> bool:
    return state.proposal is not None and _accepts_any(AnswerProposal(seat, accept), state=state)


def _can_change_rules(state: State, seat: int) -> bool:
    """Answer without `decide`, which needs the cards of every seat to work out what a change does."""
    host = state.rules.changes.host and state.seats[seat].player == state.host
    if not host or state.result is not None or not has_proposals_left(state, seat):
        return False
    return bool(available_changes(prospective_rules(state)))


def _can_cut(state: State, seat: int) -> bool:
    ceremony = state.pending_deal
    return ceremony is not None and seat in missing_cutters(state, ceremony)


def _can_bring_beacon(state: State, seat: int) -> bool:
    """Return whether a round of a beacon is missing; the clock isn't part of a view, so it may still be too early."""
    ceremony = state.pending_deal
    return ceremony is not None and is_beacon_missing(ceremony) and seat in state.persons


OUT_OF_TURN_MOVES: dict[str, Callable[[State, int], bool]] = {
    "call_delay": _can_call_delay,
    "vote": can_vote,
    "undo": lambda state, seat: state.undo_point is not None and _accepts_any(AskUndo(seat), state=state),
    "propose_draw": lambda state, seat: _accepts_any(ProposeDraw(seat), state=state),
    "accept": lambda state, seat: _can_answer(state, seat, accept=True),
    "reject": lambda state, seat: _can_answer(state, seat, accept=False),
    "resign": lambda state, seat: _accepts_any(Resign(seat), state=state),
    "change_rules": _can_change_rules,
    "cut": _can_cut,
    "beacon": _can_bring_beacon,
    "claim_time": lambda state, seat: (
        is_claimed_by_players(state) and _accepts_any(ClaimTime(seat, LATEST_TIME), state=state)
    ),
    "answer_handover": lambda state, seat: (
        state.handover is not None and _accepts_any(AnswerHandover(seat, accept=True), state=state)
    ),
}
"""Whether a seat can make each type of move out of turn, in the order of docs/views.md."""


class CardsInSight(TypedDict):
    """The cards that a seat sees of a hand."""

    cards: Annotated[list[CardText] | None, says("Its cards, or null in a hand in which it doesn't see them.")]
    sees: Annotated[dict[str, list[CardText] | None], says("The cards of other seats, by seat.")]


class OwnSeat(CardsInSight):
    """The part of a view that only the seat itself sees."""

    seat: int
    legal: Annotated[list[MoveJson], says("The moves of the turn. Each can be posted as it stands.")]
    choose: Annotated[ChoiceJson | None, says("A move that can't be listed.")]
    may: Annotated[
        list[Annotated[str, one_of(*OUT_OF_TURN_MOVES)]], says("The types of moves that are accepted out of turn.")
    ]


def own_seat_json(state: State, seat: int, *, is_commit_end: bool) -> OwnSeat:
    """Return the seat's cards, its legal moves, and the moves it can make out of turn.

    Inside a commit no seat can move. The answer depends only on the seat's own cards and on what everyone sees.
    """
    can_act = is_commit_end and seat in state.still_in
    return {
        "seat": seat,
        **_cards(state, seat),
        "legal": [move_to_json(move) for move in legal_moves(state, seat)] if can_act else [],
        "choose": _choose(state, seat) if can_act else None,
        "may": [kind for kind, can_move in OUT_OF_TURN_MOVES.items() if can_move(state, seat)] if can_act else [],
    }


def _cards(state: State, seat: int) -> CardsInSight:
    """Return the own cards, or the other seats' cards in a hand of `Sight.OTHERS` (B18, R-B8); in canonical order."""
    hand = state.hand
    if hand is None:
        return {"cards": [], "sees": {}}
    held: list[list[CardText] | None] = [None if cards is None else list(sort_cards(cards)) for cards in hand.cards]
    if state.rules.sight(hand.number) is Sight.OWN:
        return {"cards": held[seat], "sees": {}}
    return {"cards": None, "sees": {str(other): held[other] for other in range(len(held)) if other != seat}}


def _choose(state: State, seat: int) -> ChoiceJson | None:
    """Return the choice that is too large to list as moves: a discard, or a card to call (also out of turn)."""
    discards = legal_discards(state, seat)
    if discards is not None:
        numbers = {"min": discards.minimum, "max": discards.maximum}
        return {"type": "discard", "from": list(discards.optional), "must": list(discards.required), **numbers}
    return {"type": "call_partner", "from": "any"} if can_call_partner(state, seat) else None
