"""Moves, also those for later, and what a move would do.

Nobody else sees a queued move. A submitted one waits to be confirmed.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from api.conduct.services.writing import write_chat
from api.lines.line_sender import (
    CommandAnswer,
    CommandRefusal,
    LineProblem,
    LineSender,
    json_values,
    part_key,
    problem_detail,
    refusal,
    telling,
)
from api.lines.requests import Board, Confirm, Move, Preview, Queue, Submit
from api.lines.run.seeing import (
    VisibleBoard,
    board_answer,
    events_since,
    look,
    require_dealt,
    require_newest,
    require_seat,
)
from api.people.stored.users import User
from api.play.services import games as game_services
from api.play.services.game_reader import NamedView
from api.play.services.queued_moves import parse_queue, refuse_by_own_view, why_emptied
from api.problem import ProblemBody
from api.schemas import GivenInput
from projections.moves.text_moves import MalformedMove
from replay.text.layout import say_names


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
            caller, sent = sender.writing(before.game), GivenInput({"text": move}, key, board.at)
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
            sent = GivenInput({"text": " ".join(comment)}, part_key(key, "comment"))
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


NEEDS_CALLER = "This command needs your token, or your name and password in the line."
NEEDS_TOKEN = (
    "A challenge holds no password, so it needs your token: log in on the page, by trickbook login, or by"
    " POST /api/v1/tokens with your name and password."
)
NEEDS_NAME = "Write whose games, as in {example}, or send your token."
NOTHING_QUEUED = "Nothing is queued."
OFF = ("off",)
ONE_BOARD_OR_READS = "This token or reply address only reads, or is for one board."


def require_caller(sender: LineSender) -> User:
    """Return the caller. Raise CommandRefusal for a stranger."""
    if sender.player is None:
        raise refusal("unauthorized", 401, "Token needed", NEEDS_CALLER)
    return sender.player


def require_writer(sender: LineSender) -> User:
    """Return the caller. Raise CommandRefusal for a stranger, and for a token that can't change the account."""
    player = require_caller(sender)
    if not sender.may_play:
        raise refusal("token-scope", 403, "Token for something else", ONE_BOARD_OR_READS)
    return player


def require_mover(sender: LineSender, game: str) -> User:
    """Return the caller. Raise CommandRefusal for a stranger, and for a token that can't play in this game."""
    player = require_caller(sender)
    if not sender.may_play_in(game):
        raise refusal("token-scope", 403, "Token for something else", "This token can't make moves at this board.")
    return player


def queue(sender: LineSender, request: Queue, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Keep a move until its turn, show what is kept, or forget it."""
    require_caller(sender)
    seen = _own_board(sender, request.variant, request.board)
    player, moves = require_mover(sender, seen.game), sender.services.accounts.held_moves
    if request.moves == OFF:
        removed = moves.remove(player.id, seen.game, "queued")
        return _said(seen, "queue", "The queue is empty now." if removed else NOTHING_QUEUED)
    if not request.moves:
        return _said(seen, "queue", _queued_line(sender, seen, player) or NOTHING_QUEUED)
    parsed = _parsed(request.moves)
    with telling():
        refuse_by_own_view(parsed, seen.view)
    moves.keep(player.id, seen.game, "queued", request.moves, seen.view["version"])
    return _said(seen, "queue", f"Queued: {'; '.join(request.moves)}\nIt's played when your turn comes.")


def submit(sender: LineSender, request: Submit, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Hold a move until it's confirmed."""
    require_caller(sender)
    seen = _own_board(sender, request.variant, request.board)
    player = require_mover(sender, seen.game)
    _parsed((request.move,))
    require_newest(seen, request.board.at)
    judge_move(sender, seen, request.board, request.move)
    sender.services.accounts.held_moves.keep(player.id, seen.game, "submitted", (request.move,), seen.view["version"])
    line = f"{request.variant} confirm {seen.view['board']}"
    return _said(seen, "submit", f"Submitted, and not yet played: {request.move}\nTo play it, write: {line}")


def confirm(sender: LineSender, request: Confirm, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Make the move that was submitted, unless something has happened since."""
    require_caller(sender)
    seen = look(sender, request.variant, request.board)
    player, moves = require_mover(sender, seen.game), sender.services.accounts.held_moves
    held = moves.find(player.id, seen.game, "submitted")
    if held is None or (held.dropped is not None and held.dropped != key):
        raise refusal("not-found", 404, "Not found", "You have submitted no move at this board.")
    board = Board(request.board.number, held.version)
    try:
        answer = make_move(sender, "confirm", request.variant, board, held.moves[0], key)
    except CommandRefusal as refused:
        if refused.problem.status == 412:  # the board never gets back to this version
            moves.remove(player.id, seen.game, "submitted", held.since)
        raise
    moves.end_submitted(held, key)
    return answer


def held_lines(sender: LineSender, seen: VisibleBoard) -> list[str]:
    """Return a line for each move that the caller holds for later at a board: queued, or submitted at its version."""
    if sender.player is None or seen.seat is None or not sender.may_play_in(seen.game):
        return []
    moves, board = sender.services.accounts.held_moves, f"{seen.view['variant']} confirm {seen.view['board']}"
    queued = _queued_line(sender, seen, sender.player)
    held = moves.find(sender.player.id, seen.game, "submitted")
    lines = [] if queued is None else [queued]
    if held is not None and held.dropped is None and held.version == seen.view["version"]:
        lines.append(f"Submitted, and not yet played: {held.moves[0]}. To play it, write: {board}")
    return lines


def _queued_line(sender: LineSender, seen: VisibleBoard, player: User) -> str | None:
    """Return a line about the queued move that still waits; None without one."""
    held = sender.services.accounts.held_moves.find(player.id, seen.game, "queued")
    if held is None or why_emptied(sender.services, held) is not None:
        return None
    return f"Queued: {'; '.join(held.moves)}"


def dropped_notices(sender: LineSender) -> tuple[str, ...]:
    """Return a line for each queued move of the caller that wasn't played; each is told once."""
    if sender.player is None or not sender.may_play:
        return ()
    boards = sender.services.accounts.boards
    return tuple(
        f"Your queued move at board {boards.number_of(held.game)} was dropped ({'; '.join(held.moves)}): {held.dropped}"
        for held in sender.services.accounts.held_moves.take_dropped(sender.player.id)
    )


def _own_board(sender: LineSender, variant: str | None, board: Board) -> VisibleBoard:
    """Return the caller's own board. Raise CommandRefusal without a seat, before the deal and after the end."""
    seen = look(sender, variant, Board(board.number), own=True)
    require_dealt(seen)
    require_seat(seen)
    if seen.view["result"] is not None:
        raise refusal("game-over", 409, "Game over", "The game is over; no more moves are accepted.")
    return seen


def _parsed(lines: Sequence[str]) -> tuple[dict[str, Any], ...]:
    try:
        return parse_queue(lines)
    except MalformedMove as error:
        raise refusal("malformed", 400, "Malformed request", str(error)) from None


def _said(seen: VisibleBoard, command: str, text: str) -> CommandAnswer:
    return CommandAnswer(command, text, None, seen.view["board"], seen.view["version"])
