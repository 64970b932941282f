"""`trickbook play`: it asks which board or game to play if the player has named none."""

import os
import sys

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter

from api.cli.common.card_marks import is_plain
from api.cli.common.server_option import SERVER_VARIABLE, selected_server
from api.cli.remote.answers import open_server
from api.cli.remote.tokens import keep_token
from api.cli.terminal import lobby
from api.cli.terminal.fullscreen import FullScreen
from api.cli.terminal.line_by_line import PlainTerminal, read_lines
from api.cli.terminal.lobby import OwnBoard
from api.cli.terminal.session import PlaySession
from api.client import Server
from domain.rules.variants import VARIANTS
from replay.text.layout import sanitize

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


NO_SERVER = f"Name the server: trickbook play --server URL, or set {SERVER_VARIABLE}."
EITHER = "Name either a BOARD or a --variant."
PATIENCE_S = 600.0
"""How long a line is sent again after the server has gone away."""


@click.command()
@click.argument("board", type=click.IntRange(1), required=False)
@click.option("--server", "url", metavar="URL", help="The server to play on.  [TRICKBOOK_SERVER]")
@click.option("--variant", type=click.Choice(list(VARIANTS)), help="Play this game now, at a free seat or with bots.")
@click.option("--plain", "wants_plain", is_flag=True, help="Print line by line, for screen readers and pipes.")
def play(board: int | None, url: str | None, variant: str | None, wants_plain: bool) -> None:
    """Play at a table of a server, live: type AD to play a card, 3 to bid, help for more.

    Without BOARD it lists your boards and the games. You play as the user of `login`, otherwise as a guest. Where
    standard input or output isn't a terminal, it prints line by line.
    """
    url = url or selected_server(None)
    if url is None:
        raise click.UsageError(NO_SERVER)
    if board is not None and variant is not None:
        raise click.UsageError(EITHER)
    plain = wants_plain or is_plain() or not (sys.stdin.isatty() and sys.stdout.isatty())
    with open_server(url, "play" if board is None else f"board {board}") as server:
        wanted = board or variant or choose(server, is_plain=plain)
        if wanted is not None:
            _play(server, wanted, plain=plain)


def _play(server: Server, wanted: int | str, *, plain: bool) -> None:
    terminal = PlainTerminal(sys.stdout) if plain else FullScreen(has_color=has_color())
    session = PlaySession(server, terminal.tell, lambda token: keep_token(server.url, token))
    try:
        if isinstance(wanted, str):
            session.become_somebody()
            wanted = lobby.play_now(server, wanted)
        session.open(wanted)
        server.connection.patience_s = PATIENCE_S
        if isinstance(terminal, PlainTerminal):
            terminal.run(session, read_lines())
        else:
            terminal.run(session)
    finally:
        session.close()


def has_color() -> bool:
    """Return whether the terminal may show colors: NO_COLOR isn't set to anything."""
    return not os.environ.get("NO_COLOR")


commands: list[click.Command] = [play]
