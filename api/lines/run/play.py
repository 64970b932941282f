"""Moves, and what a move would do."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from api.conduct.services.writing import write_chat
from api.lines.answer import CommandAnswer
from api.lines.line_sender import (
    CommandRefusal,
    LineProblem,
    LineSender,
    line_input,
    part_key,
    problem_detail,
    refusal,
    telling,
)
from api.lines.requests import Board, Move, Preview
from api.lines.run.seeing import VisibleBoard, board_answer, events_since, look, require_dealt, require_seat
from api.lines.text.board import waiting_line
from api.lines.text.moves import move_text
from api.play.services import games as game_services
from api.problem import ProblemBody
from domain.engine.tricks import taker
from domain.events import Play
from projections.moves.json_moves import MalformedMove, parse_move
from projections.moves.text_moves import parse_text_move
from replay.text.seat_names import say_names


def move(sender: LineSender, request: Move, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Make a move; the text below the line is a comment to everybody at the table."""
    return make_move(sender, "move", request.variant, request.board, request.move, key, text)


def make_move(
    sender: LineSender,
    command: str,
    variant: str | None,
    board: Board,
    move: str,
    key: str | None,
    comment: Sequence[str] = (),
) -> CommandAnswer:
    """Make a move at a board. Raise CommandRefusal, for a #moveno with what has happened since."""
    before = look(sender, variant, Board(board.number))
    if before.seat is not None:
        require_dealt(before)
    try:
        with telling():
            caller, sent = sender.writing(before.game), line_input({"text": move}, key, board.at)
            result = sender.wrote(game_services.make_move(sender.services, caller, before.game, sent))
    except CommandRefusal as refused:
        raise _named(sender, refused, before, board) from None
    unsent = _send_comment(sender, before.game, comment, key)
    seen = VisibleBoard(
        before.game, result["view"] | {"names": result["names"]}, result["view"].get("you", {}).get("seat")
    )
    return board_answer(sender, command, seen, unsent)


def _named(sender: LineSender, refused: CommandRefusal, before: VisibleBoard, board: Board) -> CommandRefusal:
    """Return a refusal with the names of the seats, and for a #moveno with what has happened since."""
    status, body = refused.problem.status, refused.problem.body
    named: ProblemBody = {**body, "detail": say_names(problem_detail(body), before.seat_names)}
    if status == 412 and board.at is not None:
        now = f"The board is no longer at move #{board.at}, so this isn't played."
        since = events_since(sender, before, board.at)
        named = cast("ProblemBody", {**body, "detail": now, "since": since})  # only lines have this member
    return CommandRefusal(replace(refused.problem, body=named))


def _send_comment(sender: LineSender, game: str, comment: Sequence[str], key: str | None) -> str:
    """Write the comment to the table. If that fails, return a line that says so: the move is made already."""
    if not comment:
        return ""
    try:
        with telling():
            sent = line_input({"text": " ".join(comment)}, part_key(key, "comment"))
            write_chat(sender.services, sender.writing(game), game, sent)
    except LineProblem as failed:
        return f"Your move is made, but your comment wasn't sent: {failed}\n"
    return ""


def preview(sender: LineSender, request: Preview, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Show the board as if the caller had made a move. It writes nothing, and knows only the caller's own view."""
    seen = look(sender, request.variant, Board(request.board.number), own=True)
    seat = require_seat(seen)
    require_dealt(seen)
    if request.board.at not in (None, seen.view["version"]):
        raise refusal("stale-version", 412, "Stale version", f"The board is at move #{seen.view['version']}.")
    wanted = _legal_move(sender, seen, seat, request.move)
    view = _played(seen, seat, wanted)
    shown = VisibleBoard(seen.game, view, seat)
    board = board_answer(sender, "preview", shown).text.removeprefix(waiting_line(view, shown.seat_names) + "\n")
    taking = _taker_line(sender, view, seen)
    return CommandAnswer("preview", f"Preview, nothing is played: {move_text(wanted)}\n{taking}{board}", view,
                  view["board"], view["version"])  # fmt: skip


def _legal_move(sender: LineSender, seen: VisibleBoard, seat: int, text: str) -> Mapping[str, Any]:
    """Return the move that a text means, if the caller's own view lists it as legal."""
    you = seen.view["you"]
    if seat not in seen.view["turn"]["seats"]:
        raise refusal("out-of-turn", 409, "Out of turn", "It isn't your turn, so there is nothing to preview.")
    try:
        wanted = parse_text_move(text, sender.services.games.state(seen.game).rules)
        parse_move(wanted, seat)
    except MalformedMove as error:
        raise refusal("malformed", 400, "Malformed request", str(error)) from None
    is_pass = wanted == {"type": "bid", "bid": 0} and {"type": "pass"} in you["legal"]
    if wanted not in you["legal"] and not is_pass:
        raise refusal("rejected", 409, "Not legal", "You can't make this move now.", legal=you["legal"],
                      **({"choose": you["choose"]} if you["choose"] else {}))  # fmt: skip
    return {"type": "pass"} if is_pass and wanted not in you["legal"] else wanted


def _played(seen: VisibleBoard, seat: int, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the view with the move in it, without what would follow. Nobody is to move in it."""
    view = dict(seen.view)
    hand, you = dict(view["hand"]), dict(view["you"])
    if wanted["type"] == "play":
        number = (hand["last_trick"] or {"number": 0})["number"] + 1
        trick = hand["trick"] or {"number": number, "leader": seat, "plays": []}
        hand["trick"] = trick | {"plays": [*trick["plays"], {"seat": seat, "card": wanted["card"]}]}
        you["cards"] = [card for card in you["cards"] or [] if card != wanted["card"]]
    elif wanted["type"] == "bid":
        hand["bids"] = [wanted["bid"] if each == seat else bid for each, bid in enumerate(hand["bids"])]
    elif wanted["type"] == "pass":
        hand["passed"] = sorted({*hand["passed"], seat})
    elif wanted["type"] == "name_trump":
        hand["trump"] = wanted["suit"]
    nobody: dict[str, Any] = {"seats": [], "since": None, "deadline": None}
    return view | {"hand": hand, "turn": nobody, "you": you | {"legal": [], "choose": None}}


def _taker_line(sender: LineSender, view: Mapping[str, Any], seen: VisibleBoard) -> str:
    """Return who would take the trick, if the move were its last card."""
    trick, state = view["hand"]["trick"], sender.services.games.state(seen.game)
    if not trick or len(trick["plays"]) < len(view["seats"]) or state.hand is None:
        return ""
    plays = [Play(play["seat"], play["card"]) for play in trick["plays"]]
    winner = taker(state.rules, plays, state.hand.trump, state.hand.first_joker)
    return f"{seen.seat_names[winner]} would take the trick.\n"
