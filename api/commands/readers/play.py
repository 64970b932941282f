"""Readers of the commands that open tables, make moves and write to others."""

from collections.abc import Callable, Sequence

from api.commands import requests
from api.commands.options import parse_challenge
from api.commands.requests import Board, CommandRequest
from api.commands.words import Words, split_move_number
from api.services.tables.queued_moves import parse_queue
from domain.rules.model import Rules
from domain.rules.variants import VARIANTS
from projections.moves.text_moves import MalformedMove, parse_text_move


def challenge(words: Words, variant: str | None) -> CommandRequest:
    """Read the options and the players of a challenge."""
    named = words.rest()
    body = parse_challenge(variant or "", named)
    if not body["seats"]:
        raise words.refuse("The players are missing.")
    return requests.Challenge(variant=variant, body=body)


def join(words: Words, variant: str | None) -> CommandRequest:
    """Read `join`."""
    board = words.board()
    return requests.Join(variant=variant, board=board, login=words.login_before())


def move(words: Words, variant: str | None) -> CommandRequest:
    """Read `move`."""
    board, login, text = _board_and_move(words, variant)
    return requests.Move(variant=variant, board=board, login=login, move=text)


def move_word(word: str) -> Callable[[Words, str | None], CommandRequest]:
    """Return the reader of a command that is a move by itself."""

    def read(words: Words, variant: str | None) -> CommandRequest:
        board = words.board()
        return requests.Move(variant=variant, board=board, login=words.login_before(), move=word)

    return read


def preview(words: Words, variant: str | None) -> CommandRequest:
    """Read `preview`."""
    board, login, text = _board_and_move(words, variant)
    return requests.Preview(variant=variant, board=board, login=login, move=text)


def submit(words: Words, variant: str | None) -> CommandRequest:
    """Read `submit`."""
    board, login, text = _board_and_move(words, variant)
    return requests.Submit(variant=variant, board=board, login=login, move=text)


def confirm(words: Words, variant: str | None) -> CommandRequest:
    """Read `confirm`."""
    board = words.board()
    return requests.Confirm(variant=variant, board=board, login=words.login_before())


def _board_and_move(words: Words, variant: str | None) -> tuple[Board, requests.LineLogin | None, str]:
    """Return the board, name and password if they're there, and the move; #moveno may follow board or move."""
    board = words.board()
    login = words.login(_is_move)
    if not len(words):
        raise words.refuse("The move is missing.")
    text, at = split_move_number(" ".join(words.rest()))
    if at is not None and board.at is not None:
        raise words.refuse("The move number is there twice.")
    _require_move(words, text, variant)
    return Board(board.number, board.at if at is None else at), login, text


def _is_move(words: Sequence[str]) -> bool:
    try:
        parse_text_move(split_move_number(" ".join(words))[0])
    except MalformedMove:
        return False
    return True


def _require_move(words: Words, text: str, variant: str | None) -> None:
    """Refuse what isn't a move of any game, with a list of the moves of this one."""
    try:
        parse_text_move(text)
    except MalformedMove as error:
        why = str(error) if variant is None else _reason(text, VARIANTS[variant].rules) or str(error)
        raise words.refuse(f"{why[:300]}.") from None


def _reason(text: str, rules: Rules) -> str | None:
    try:
        parse_text_move(text, rules)
    except MalformedMove as error:
        return str(error)
    return None


def queue(words: Words, variant: str | None) -> CommandRequest:
    """Read `queue`: a move, lines with if, `off`, or nothing to see what is queued."""
    board = words.board()
    login = words.login(_is_queue)
    lines = _queue_lines(words.rest())
    try:
        parse_queue(lines if lines != ("off",) else ())
    except MalformedMove as error:
        raise words.refuse(f"{str(error)[:200]}.") from None
    return requests.Queue(variant=variant, board=board, login=login, moves=lines)


def _is_queue(words: Sequence[str]) -> bool:
    lines = _queue_lines(words)
    try:
        parse_queue(lines if lines != ("off",) else ())
    except MalformedMove:
        return False
    return True


def _queue_lines(words: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a queue: each `if` begins one."""
    lines: list[list[str]] = []
    for word in words:
        if word.lower() == "if" or not lines:
            lines.append([])
        lines[-1].append(word)
    return tuple(" ".join(line).rstrip(",;") for line in lines)


def chat(words: Words, variant: str | None) -> CommandRequest:
    """Read `chat`; the text may stand in the line or below it."""
    board = words.board()
    login = words.login(lambda _: True)
    text = " ".join(words.rest())
    return requests.ChatLine(variant=variant, board=board, login=login, text=text or None)
