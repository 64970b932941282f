"""Line by line: for pipes, simple terminals and screen readers. Nothing that was printed changes."""

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import TextIO

from api.cli.terminal.model import EntryKind, LogEntry, Message, TerminalModel, ViewArrival, is_own_turn, seat_names
from api.cli.terminal.session import PlaySession
from replay.text.board import board_text
from replay.text.layout import fold_text

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
