"""Moves, and what a move would do."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from api.conduct.services.writing import write_chat
from api.lines.answer import CommandAnswer
from api.lines.line_sender import (
    CommandRefusal,
    LineProblem,
    LineSender,
    json_values,
    line_input,
    part_key,
    problem_detail,
    telling,
)
from api.lines.requests import Board, Move, Preview
from api.lines.run.seeing import (
    VisibleBoard,
    board_answer,
    events_since,
    look,
    require_dealt,
    require_newest,
    require_seat,
)
from api.play.services import games as game_services
from api.play.services.game_reader import NamedView
from api.problem import ProblemBody
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
    require_seat(seen)
    require_dealt(seen)
    require_newest(seen, request.board.at)
    played, taker = judge_move(sender, seen, request.board, request.move)
    view = json_values(played)
    board = board_answer(sender, "preview", VisibleBoard(seen.game, view, seen.seat)).text
    lines = [
        "Preview, nothing is played:",
        *([] if taker is None else [f"{seen.seat_names[taker]} would take the trick."]),
    ]
    return CommandAnswer("preview", "\n".join([*lines, board.partition("\n")[2]]), view, view["board"], view["version"])


def judge_move(sender: LineSender, seen: VisibleBoard, board: Board, move: str) -> tuple[NamedView, int | None]:
    """Return what `preview_move` does. Raise CommandRefusal with the names of the seats, if the move isn't legal."""
    try:
        with telling():
            return game_services.preview_move(sender.services, sender.reading(seen.game), seen.game, move)
    except CommandRefusal as refused:
        raise _named(sender, refused, seen, board) from None
