"""Asks which board or game to play if the player has named none."""

import sys

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter

from api.cli.terminal import lobby
from api.cli.terminal.lobby import OwnBoard
from api.client import Server
from domain.rules.variants import VARIANTS
from replay.text.sanitize import sanitize

QUESTION = "Board or game"
WRONG = "Write the number of one of your boards, or one of: {games}."


def choose(server: Server, *, is_plain: bool) -> int | str | None:
    """Return a board or the name of a game as the player chooses; None if they quit."""
    boards = lobby.own_boards(server) if server.token is not None else []
    first, above = str(boards[0].board) if boards else next(iter(VARIANTS)), _offers(boards)
    while True:
        try:
            typed = _ask(boards, f"{above}{QUESTION} [{first}]: ", is_plain=is_plain)
        except (EOFError, KeyboardInterrupt):
            return None
        found = parse_choice(typed or first)
        if found is not None:
            return found
        above = WRONG.format(games=", ".join(VARIANTS)) + "\n"


def _offers(boards: list[OwnBoard]) -> str:
    """Return the player's boards and the games, a line each, as the beginning of the question."""
    lines = lobby.boards_text(boards).split("\n") if boards else []
    own = ["Your boards:", *(f"  {sanitize(line)}" for line in lines)] if boards else []
    return "\n".join([*own, f"Games to play now: {', '.join(VARIANTS)}", ""])


def parse_choice(text: str) -> int | str | None:
    """Return the board or the game that a word names; None if it's neither."""
    word = text.strip().lower().removeprefix("#")
    if word in VARIANTS:
        return word
    return int(word) if word.isascii() and word.isdigit() and 0 < len(word) < 10 else None


def _ask(boards: list[OwnBoard], question: str, *, is_plain: bool) -> str:
    if is_plain or not sys.stdin.isatty():
        return input(question).strip()
    words = [*(str(each.board) for each in boards), *VARIANTS]
    session: PromptSession[str] = PromptSession(completer=WordCompleter(words))
    return session.prompt(question).strip()
