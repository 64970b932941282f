"""What a seat's view holds for that seat alone: its cards, and what it may do."""

from collections.abc import Callable
from typing import Any

from domain.cards import sort_cards
from domain.commands import AnswerProposal, AskUndo, CallDelay, ProposeDraw, Resign, SeatCommand
from domain.decide import decide
from domain.decide.delay_of_game import can_vote
from domain.decide.rule_changes import prospective_rules
from domain.engine.cuts import missing_cutters, pending_deal
from domain.engine.legal_moves import can_call_partner, legal_discards, legal_moves
from domain.engine.rule_menu import available_changes
from domain.rejections import Rejected
from domain.rules.choices import Sight
from domain.state import State
from projections.moves.json_moves import move_to_json

View = dict[str, Any]
LATEST_TIME = "9999-12-31T23:59:59.999999Z"
"""The clock is no part of a view: a delay call is shown as if any turn had lasted long enough."""


def own_seat_json(state: State, seat: int, *, settled: bool) -> View:
    """The seat's cards, its moves, and what is heard of it out of turn; nothing is heard before the table is settled.

    What a seat may do is told from its own cards and from what everybody sees.
    """
    heard = settled and seat in state.still_in
    return {
        "seat": seat,
        **_cards(state, seat),
        "legal": [move_to_json(move) for move in legal_moves(state, seat)] if heard else [],
        "choose": _choose(state, seat) if heard else None,
        "may": [kind for kind, may in OUT_OF_TURN_MOVES.items() if may(state, seat)] if heard else [],
    }


def _cards(state: State, seat: int) -> View:
    """Own cards, or the others' where the hand is seen from outside (B18, R-B8); in canonical order."""
    hand = state.hand
    if hand is None:
        return {"cards": [], "sees": {}}
    held = [None if cards is None else list(sort_cards(cards)) for cards in hand.cards]
    if state.rules.sight(hand.number) is Sight.OWN:
        return {"cards": held[seat], "sees": {}}
    return {"cards": None, "sees": {str(other): held[other] for other in range(len(held)) if other != seat}}


def _choose(state: State, seat: int) -> View | None:
    """What cannot be listed: cards to throw away; else a card to call, in the middle of a hand also out of turn."""
    thrown = legal_discards(state, seat)
    if thrown is not None:
        numbers = {"min": thrown.least, "max": thrown.most}
        return {"type": "discard", "from": list(thrown.of), "must": list(thrown.must), **numbers}
    return {"type": "call_partner", "from": "any"} if can_call_partner(state, seat) else None


def _hears(*commands: SeatCommand, state: State) -> bool:
    for command in commands:
        try:
            decide(state, command)
        except Rejected:
            continue
        return True
    return False


def _may_call_delay(state: State, seat: int) -> bool:
    known = state.rules.delay is not None
    return known and _hears(*(CallDelay(seat, accused, LATEST_TIME) for accused in state.turn), state=state)


def _may_answer(state: State, seat: int, *, accept: bool) -> bool:
    return state.proposal is not None and _hears(AnswerProposal(seat, accept), state=state)


def _may_change_rules(state: State, seat: int) -> bool:
    """Not asked of decide, which works out from all cards what a change does."""
    host = state.rules.changes.host and state.seats[seat].player == state.host
    return host and state.result is None and bool(available_changes(prospective_rules(state)))


def _may_cut(state: State, seat: int) -> bool:
    ceremony = pending_deal(state)
    return ceremony is not None and seat in missing_cutters(state, ceremony)


OUT_OF_TURN_MOVES: dict[str, Callable[[State, int], bool]] = {
    "call_delay": _may_call_delay,
    "vote": can_vote,
    "undo": lambda state, seat: state.undo_point is not None and _hears(AskUndo(seat), state=state),
    "propose_draw": lambda state, seat: _hears(ProposeDraw(seat), state=state),
    "accept": lambda state, seat: _may_answer(state, seat, accept=True),
    "reject": lambda state, seat: _may_answer(state, seat, accept=False),
    "resign": lambda state, seat: _hears(Resign(seat), state=state),
    "cut": _may_cut,
    "change_rules": _may_change_rules,
}
"""What may be heard out of turn, in the order of docs/views.md."""
