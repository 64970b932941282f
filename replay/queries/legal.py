"""What was legal for a seat after an event, and why a move tried there is refused.

The legal moves are those of the seat's own view at that moment. A move is tried with what the history shows: of a
revealed hand all of it, of one's own live hand what that seat saw, and then nothing is said of what comes of it.
"""

from collections.abc import Mapping
from typing import Any

from domain.commands import CallDelay, SeatCommand
from domain.decide import decide
from domain.rejections import Rejected, SeatLeft
from domain.state import State
from projections.moves.json_moves import MalformedMove, parse_move
from projections.moves.text_moves import parse_text_move
from projections.views.audience import revealed_by
from projections.views.own_seat import LATEST_TIME
from projections.views.seat import View, ViewFold
from replay.history import History
from replay.history.steps import view_of
from replay.queries.answer import Answer
from replay.text.terminal import seat_names

__all__ = ["MalformedMove", "legal", "refusal"]

Move = Mapping[str, Any]
INSIDE = "it stands inside a commit, where nobody is heard"


def legal(history: History, seat: int, at: int | None = None, move: str | Move | None = None) -> Answer:
    """The moves of `seat` after event `at`, the last by default, and what is said of `move`, as JSON or as text.

    NotShown as `view_of`; Malformed for a text or an object that is no move of any game.
    """
    view = view_of(history, seat, at)
    tried = None if move is None else _tried(_seen(history, seat, view["version"]), seat, move)
    you = view["you"]
    body = {
        "at": view["version"],
        "seat": seat,
        "phase": view["phase"],
        "turn": view["turn"]["seats"],
        "cards": you["cards"],
        "legal": you["legal"],
        "choose": you["choose"],
        "may": you["may"],
        "tried": tried,
    }
    return Answer(history, "legal", body, notes=tuple(_notes(history, view, tried)))


def _seen(history: History, seat: int, version: int) -> ViewFold:
    """All up to event `version`, where all of it is shown; else what the seat saw of it."""
    lines = history.lines[:version]
    shown = [line.event for line in lines if line.event is not None]
    whole = len(shown) == version
    seen = ViewFold(seat, {getattr(event.data, "n", -1) for event in shown} if whole else revealed_by(shown))
    for line in lines:
        seen.add(line.event)
    return seen


def _tried(seen: ViewFold, seat: int, move: str | Move) -> dict[str, Any]:
    told = parse_text_move(move, seen.state.rules) if isinstance(move, str) else move
    command = parse_move(told, seat)
    if isinstance(command, CallDelay):
        command = CallDelay(seat, command.accused, LATEST_TIME)
    verdict: dict[str, Any] = {"move": dict(told), "legal": False, "code": None, "says": INSIDE}
    if not seen.is_commit_end and seen.state.result is None:
        return verdict
    refused = refusal(seen.state, command)
    if refused is None:
        return verdict | {"legal": True, "says": None}
    return verdict | {"code": refused.code, "says": str(refused)}


def refusal(state: State, command: SeatCommand) -> Rejected | None:
    """Why `command` is refused in `state`, None where it is not.

    Where the state lacks what others hold, a command that is heard may not be worked out to its end.
    """
    if command.seat not in state.still_in and state.result is None:
        return SeatLeft(f"seat {command.seat} has left the game; the table plays for it")
    try:
        decide(state, command)
    except Rejected as refused:
        return refused
    except LookupError:  # what comes of it needs cards that are not shown
        return None
    return None


def _notes(history: History, view: View, tried: Mapping[str, Any] | None) -> list[str]:
    who, you = seat_names(view, history.header.players), view["you"]
    turn = " and ".join(who[seat] for seat in view["turn"]["seats"]) or "nobody"
    said = [f"event {view['version']}, {view['phase']}: {turn} to move"]
    said.append(f"{who[you['seat']]} may: {', '.join(map(words, you['legal'])) or 'make no move of the turn'}")
    if you["choose"] is not None:
        said.append(f"to choose: {words(you['choose'])}")
    said.append(f"out of turn: {', '.join(you['may']) or 'nothing'}")
    if tried is not None:
        verdict = "legal" if tried["legal"] else f"refused ({tried['code'] or 'not heard'}): {tried['says']}"
        said.append(f"{words(tried['move'])}: {verdict}")
    return said


def words(move: Move) -> str:
    """A move in short: "play AD", "discard 2C 3D"."""
    return " ".join(" ".join(each) if isinstance(each, list) else str(each) for each in move.values())
