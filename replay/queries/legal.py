"""The legal moves of a seat after an event, and why the rules refuse a move tried there.

The legal moves are those of the seat's own view at that event. A move is tried on everything the history shows: all of
a revealed hand, but only the seat's own knowledge of a live one. In a live hand the answer doesn't tell the outcome.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from domain.commands import CallDelay, SeatCommand
from domain.decide import decide
from domain.json_fields import CardText, says
from domain.rejections import Rejected, SeatLeft
from domain.state import State
from projections.moves.json_moves import MoveJson, parse_move
from projections.moves.text_moves import move_text, parse_text_move
from projections.views.audience import revealed_ceremonies
from projections.views.own_seat import LATEST_TIME, ChoiceJson
from projections.views.seat import View, ViewFold
from replay.history import History
from replay.history.steps import view_of
from replay.queries.answer import Answer, QuestionAnswer, findings_json, question_json
from replay.text.board import choice_text, moves_text
from replay.text.terminal import seat_names

Move = Mapping[str, Any]


class JudgedMove(TypedDict):
    """The verdict on a move."""

    move: MoveJson
    legal: bool
    code: Annotated[str | None, says("The type of problem without its path.")]
    says: str | None


class SeatMoves(QuestionAnswer):
    """A seat's legal moves at a moment."""

    at: int
    seat: int
    phase: str
    turn: list[int]
    cards: list[CardText] | None
    legal: list[MoveJson]
    choose: ChoiceJson | None
    may: list[str]


class JudgedMoves(SeatMoves):
    """A seat's legal moves at a moment, and the verdict on a move that was tried."""

    tried: JudgedMove | None


INSIDE_COMMIT = "the event is inside a commit, where no move is accepted"


def legal_at(history: History, seat: int, at: int | None = None, move: str | Move | None = None) -> Answer[JudgedMoves]:
    """Return the moves of `seat` after event `at` (default: the last), and the verdict on `move`, as JSON or as text.

    Raise NotShown as `view_of` does, and MalformedMove for a text or an object that isn't a move of any game.
    """
    view = view_of(history, seat, at)
    tried = None if move is None else _try_move(_fold_until(history, seat, view["version"]), seat, move)
    you = view["you"]
    body: JudgedMoves = {
        **question_json(history, "legal"),
        "at": view["version"],
        "seat": seat,
        "phase": view["phase"],
        "turn": view["turn"]["seats"],
        "cards": you["cards"],
        "legal": you["legal"],
        "choose": you["choose"],
        "may": you["may"],
        "tried": tried,
        **findings_json(),
    }
    return Answer(history, body, notes=tuple(_notes(history, view, tried)))


def _fold_until(history: History, seat: int, version: int) -> ViewFold:
    """Fold everything up to event `version` if all of it is shown, otherwise what the seat saw of it."""
    lines = history.lines[:version]
    events = [line.event for line in lines if line.event is not None]
    is_complete = len(events) == version
    every_ceremony = {getattr(event.data, "n", -1) for event in events}
    fold = ViewFold(seat, every_ceremony if is_complete else revealed_ceremonies(events))
    for line in lines:
        fold.add(line.event)
    return fold


def _try_move(fold: ViewFold, seat: int, move: str | Move) -> JudgedMove:
    parsed = parse_text_move(move, fold.state.rules) if isinstance(move, str) else move
    command = parse_move(parsed, seat)
    if isinstance(command, CallDelay):
        command = CallDelay(seat, command.accused, LATEST_TIME)
    if not fold.is_commit_end and fold.state.result is None:
        return {"move": dict(parsed), "legal": False, "code": None, "says": INSIDE_COMMIT}
    refused = refusal(fold.state, command)
    if refused is None:
        return {"move": dict(parsed), "legal": True, "code": None, "says": None}
    return {"move": dict(parsed), "legal": False, "code": refused.code, "says": str(refused)}


def refusal(state: State, command: SeatCommand) -> Rejected | None:
    """Return why `command` is refused in `state`, or None if it isn't.

    If the state lacks other seats' cards, the consequences of an accepted command can't always be computed.
    """
    if command.seat not in state.still_in and state.result is None:
        return SeatLeft(f"Seat {command.seat} has left the game. The table plays for it.")
    try:
        decide(state, command)
    except Rejected as refused:
        return refused
    except LookupError:  # the consequences need cards that aren't shown
        return None
    return None


def _notes(history: History, view: View, tried: JudgedMove | None) -> list[str]:
    names, you = seat_names(view, history.header.players), view["you"]
    turn = " and ".join(names[seat] for seat in view["turn"]["seats"]) or "nobody"
    notes = [f"event {view['version']}, {view['phase']}: {turn} to move"]
    notes.append(f"{names[you['seat']]} may: {moves_text(you['legal']) or 'make no move of the turn'}")
    if you["choose"] is not None:
        notes.append(f"to choose: {choice_text(you['choose'])}")
    notes.append(f"out of turn: {', '.join(you['may']) or 'nothing'}")
    if tried is not None:
        verdict = "legal" if tried["legal"] else f"refused ({tried['code'] or 'inside a commit'}): {tried['says']}"
        notes.append(f"{move_text(tried['move'])}: {verdict}")
    return notes
