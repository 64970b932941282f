"""Moves for later: queued ones, which nobody else hears of, and submitted ones, which wait to be confirmed."""

from collections.abc import Sequence
from typing import Any

from api.lines.answer import CommandAnswer
from api.lines.line_sender import CommandRefusal, LineSender, refusal, telling
from api.lines.requests import Board, Confirm, Queue, Submit
from api.lines.run.play import judge_move, make_move
from api.lines.run.seeing import VisibleBoard, look, require_dealt, require_newest, require_seat
from api.people.stored.users import User
from api.play.services.queued_moves import parse_queue, refuse_by_own_view, why_emptied
from projections.moves.text_moves import MalformedMove

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
