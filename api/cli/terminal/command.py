"""`trickbook play`: it asks which board or game to play if the player has named none."""

import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import TextIO

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter

from api.cli.common.card_marks import is_plain
from api.cli.common.server_option import SERVER_VARIABLE, selected_server
from api.cli.remote.server import keep_token, open_server
from api.cli.terminal.fullscreen import FullScreen
from api.cli.terminal.model import EntryKind, LogEntry, Message, TerminalModel, ViewArrival, is_own_turn, seat_names
from api.cli.terminal.session import OwnBoard, PlaySession, boards_text, own_boards, play_now
from api.client import Server
from domain.rules.variants import VARIANTS
from replay.text.board import board_text
from replay.text.layout import fold_text, sanitize

READY_S = 30.0
"""The longest that a line from a pipe waits until the table is there and dealt."""
AGAIN_TO_QUIT = "Press Ctrl-C again to quit."
BEFORE = {EntryKind.CHAT: "chat: ", EntryKind.REFUSAL: "refused: "}


class PlainTerminal:
    """Prints what comes, and reads lines. `tell` may be called from any thread."""

    def __init__(self, output: TextIO) -> None:
        self.model = TerminalModel()
        self._output, self._lock = output, threading.Condition()
        self._shown = (0, 0)
        """The board and the version of the table that was printed last."""

    def tell(self, message: Message) -> None:
        """Print what a message adds, and the table if it's the player's turn."""
        with self._lock:
            for entry in self.model.apply(message):
                self._print_entry(entry)
            if self._is_table_due(message):
                self._print_table()
            self._lock.notify_all()

    def run(self, session: PlaySession, lines: Iterable[str]) -> None:
        """Play until the lines are over or the player quits."""
        for text in lines:
            self._wait_until_ready()
            if not session.submit(text):
                return

    def _wait_until_ready(self) -> None:
        with self._lock:
            self._lock.wait_for(self._is_ready, READY_S)

    def _is_ready(self) -> bool:
        view = self.model.view
        return view is not None and ("turn" not in view or view["ceremony"] is None)

    def _is_table_due(self, message: Message) -> bool:
        """Return whether to print the table: the first time, on the player's turn, and at the end."""
        view = self.model.view
        if view is None or "turn" not in view:
            return isinstance(message, ViewArrival) and view is not None
        if self._shown == (view["board"], view["version"]):
            return False
        is_first = self._shown[0] != view["board"] and view["ceremony"] is None
        return is_first or is_own_turn(view) or view["result"] is not None

    def _print_table(self) -> None:
        view = self.model.view
        if view is None:
            return
        self._shown = view["board"], view["version"]
        if "turn" in view:
            self._print(board_text(view, {each["player"]: seat_names(view)[each["seat"]] for each in view["seats"]}))
        else:
            self._print(f"Board {view['board']} waits for players.")

    def _print_entry(self, entry: LogEntry) -> None:
        if entry.kind is not EntryKind.TYPED:  # who types sees it anyway
            self._print(BEFORE.get(entry.kind, "") + entry.text)

    def _print(self, text: str) -> None:
        print(fold_text(text), file=self._output, flush=True)


def read_lines() -> Iterator[str]:
    """Yield lines of standard input. At a terminal, Ctrl-C cancels a line, and a second one quits."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    terminal = LineReader()
    was_interrupted = False
    while True:
        try:
            yield terminal.read()
            was_interrupted = False
        except EOFError:
            return
        except KeyboardInterrupt:
            if was_interrupted:
                return
            was_interrupted = True
            print(f"\n{AGAIN_TO_QUIT}", flush=True)


class LineReader:
    """Reads lines at a terminal. Ctrl-C while a command runs counts at the next line; a second one ends the command."""

    def __init__(self) -> None:
        self._is_reading = self._is_interrupted = False
        signal.signal(signal.SIGINT, self._note)  # a program that a shell starts beside it ignores Ctrl-C

    def read(self) -> str:
        """Return the next line. Raise KeyboardInterrupt after Ctrl-C, and EOFError at the end."""
        self._is_reading = True
        try:
            if self._is_interrupted:
                raise KeyboardInterrupt
            return input()
        finally:
            self._is_reading = self._is_interrupted = False

    def _note(self, _signal: int, _frame: FrameType | None) -> None:
        if self._is_reading or self._is_interrupted:
            raise KeyboardInterrupt
        self._is_interrupted = True


QUESTION = "Board or game"
WRONG = "Write the number of one of your boards, or one of: {games}."


def choose(server: Server, *, is_plain: bool) -> int | str | None:
    """Return a board or the name of a game as the player chooses; None if they quit."""
    boards = own_boards(server) if server.token is not None else []
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
    lines = boards_text(boards).split("\n") if boards else []
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
            wanted = play_now(server, wanted)
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
