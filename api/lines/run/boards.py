"""Shows boards: `show` as everybody sees them, `showas` with the caller's own cards."""

from collections.abc import Sequence
from dataclasses import replace

from api.lines.answer import CommandAnswer
from api.lines.line_sender import LineSender
from api.lines.requests import Board, Show
from api.lines.run.lists import find_games, find_tables
from api.lines.run.moves_for_later import held_lines, require_caller
from api.lines.run.seeing import board_answer, look
from api.lines.text.lists import forming_text

MOST_BOARDS = 10
"""The most boards that one command shows."""
MORE = f"There are more boards than these {MOST_BOARDS}: write the numbers of those that you want to see."
SEPARATOR = "\n\n" + "-" * 40 + "\n"


def show(sender: LineSender, request: Show, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Show boards by number, or the boards of users."""
    command = "showas" if request.own else "show"
    names = (require_caller(sender).name,) if request.own else request.names
    boards, tables = request.boards, ""
    if not boards:
        items, _ = find_games(sender, request.variant, names, request.which)
        boards = tuple(Board(each["board"]) for each in items)
        tables = forming_text(*find_tables(sender, request.variant, names, request.which))
    answers = [_shown(sender, request, command, board) for board in boards[:MOST_BOARDS]]
    if len(answers) == 1 and not tables:
        return answers[0]
    parts = [answer.text for answer in answers] or ["There are no such boards."]
    parts += [MORE] if len(boards) > MOST_BOARDS else []
    parts += [tables] if tables else []
    return CommandAnswer(command, SEPARATOR.join(parts), {"items": [answer.data for answer in answers]})


def _shown(sender: LineSender, request: Show, command: str, board: Board) -> CommandAnswer:
    """Return a board; `showas` adds the moves that the caller holds for later."""
    seen = look(sender, request.variant, board, own=request.own)
    answer = board_answer(sender, command, seen)
    held = held_lines(sender, seen) if request.own and board.at is None and not seen.is_forming else []
    return replace(answer, text="\n".join([answer.text, *held]))
