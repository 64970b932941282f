"""The full screen: the table with everything around it, and a prompt below, with its completions."""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Float, FloatContainer, HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl, UIContent, UIControl
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from api.cli.terminal.lines import LOCAL_WORDS, OF_GAME
from api.cli.terminal.model import LineEnd, LogEntry, Message, TerminalModel, TerminalNote
from api.cli.terminal.screen import log_lines, screen_lines, screen_parts, utc_now
from api.cli.terminal.session import PlaySession
from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS
from projections.moves.text_moves import move_text

BEFORE_MOVES = frozenset(("play", "bid", "queue", "submit", "preview", "move", "throw"))
"""Words that a move or a card follows."""


class LineCompleter(Completer):
    """Completes what is typed at a table."""

    def __init__(self, model: TerminalModel) -> None:
        self._model = model

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield moves first, then words. For an empty prompt, only Tab asks for them."""
        typed = document.text_before_cursor.lstrip().removeprefix("/")
        if not typed and not complete_event.completion_requested:
            return  # the line was entered while its completions were being looked for
        words = typed.split()
        current = words.pop() if words and not typed.endswith(" ") else ""
        for each, meaning in line_choices(self._model, words):
            if each.lower().startswith(current.lower()):
                yield Completion(each, start_position=-len(current), display_meta=meaning)


def line_choices(model: TerminalModel, words: Sequence[str]) -> list[tuple[str, str]]:
    """Return what may follow these words, each with what it means."""
    if not words:
        return [*((move, "") for move in legal_moves(model.view)), *_commands()]
    word = words[0].lower()
    if word == "go":
        return [(str(board), "your turn") for board in model.next_boards] if len(words) == 1 else []
    if word == "help":
        return [(name, "") for name in (*SERVER_COMMANDS, *GAME_COMMANDS)] if len(words) == 1 else []
    if word in BEFORE_MOVES:
        return [(card, "") for card in _cards(model.view) if card not in words]
    return []


def legal_moves(view: Mapping[str, Any] | None) -> list[str]:
    """Return the moves that the player can make now, as they would write them."""
    you = None if view is None else view.get("you")
    if view is None or not you:
        return []
    moves = [move_text(move, view["rules"].get("moon")) for move in you["legal"]]
    return [*moves, "throw"] if you["choose"] and you["choose"]["type"] == "discard" else moves


def _cards(view: Mapping[str, Any] | None) -> list[str]:
    you = None if view is None else view.get("you")
    return list(you["cards"] or ()) if you else []


def _commands() -> list[tuple[str, str]]:
    local = [(name.split()[0], meaning) for name, meaning in LOCAL_WORDS.items()]
    known = {word for word, _ in local}
    of_game = [(name, GAME_COMMANDS[name].help) for name in OF_GAME if name in GAME_COMMANDS and name not in known]
    return [*local, *of_game]


Clock = Callable[[], datetime]
PROMPT = "> "
AGAIN_TO_QUIT = "Press Ctrl-C again to quit."
TOGETHER_S = 2.0
"""How close together two Ctrl-C are one wish to quit."""
STYLE = Style.from_dict(
    {
        "head": "reverse",
        "own": "bold",
        "own-turn": "bold",
        "legal": "bold",
        "dim": "",
        "typed": "bold",
        "refusal": "bold",
        "suit-c": "ansigreen",
        "suit-d": "ansibrightblue",
        "suit-h": "ansired",
    }
)
"""Four colors: green clubs, blue diamonds, red hearts, and spades in the color of the text."""


class TableControl(UIControl):
    """Draws everything but the prompt, and knows how far the log is scrolled back."""

    def __init__(self, model: TerminalModel, now: Clock) -> None:
        self._model, self._now, self._width, self._log_height = model, now, 80, 1
        self.back = 0

    def create_content(self, width: int, height: int) -> UIContent:
        """Return the lines for this size, as of now."""
        self._width, self._log_height = width, screen_parts(self._model, width, height, self._now()).log_height
        lines: list[StyleAndTextTuples] = [
            [*line] for line in screen_lines(self._model, width, height, self._now(), self.back)
        ]
        return UIContent(get_line=lines.__getitem__, line_count=len(lines), show_cursor=False)

    def scroll(self, pages: int) -> None:
        """Scroll the log back by pages, or forward again."""
        most = max(len(log_lines(self._model.entries, self._width)) - self._log_height, 0)
        self.back = min(max(self.back + pages * max(self._log_height - 1, 1), 0), most)

    def show_start_of(self, entries: Iterable[LogEntry]) -> None:
        """Scroll so that these newest entries can be read from the first line on."""
        self.back = max(len(log_lines(entries, self._width)) - self._log_height, 0)


class FullScreen:
    """Plays in the whole terminal. `tell` may be called from any thread."""

    def __init__(
        self, *, has_color: bool, keys: Input | None = None, output: Output | None = None, now: Clock = utc_now
    ) -> None:
        self.model = TerminalModel()
        self.control = TableControl(self.model, now)
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._interrupted_at = float("-inf")
        self._session: PlaySession | None = None
        self.buffer = Buffer(
            completer=LineCompleter(self.model),
            complete_while_typing=True,
            history=InMemoryHistory(),
            multiline=False,
            accept_handler=self._accept,
        )
        self.application: Application[None] = Application(
            layout=Layout(self._container(), focused_element=self.buffer),
            key_bindings=self._keys(),
            style=STYLE,
            full_screen=True,
            color_depth=None if has_color else ColorDepth.DEPTH_1_BIT,
            refresh_interval=1.0,
            input=keys,
            output=output,
        )

    def tell(self, message: Message) -> None:
        """Take in a message soon, in the thread that draws."""
        self._inbox.put(message)
        loop = self.application.loop
        if loop is not None:
            try:
                loop.call_soon_threadsafe(self.take_messages)
            except RuntimeError:
                return  # the program is quitting

    def take_messages(self) -> None:
        """Take in all messages that have come, and draw."""
        while not self._inbox.empty():
            message = self._inbox.get()
            added = self.model.apply(message)
            if added:
                self.control.show_start_of(added if isinstance(message, LineEnd) else ())
        self.application.invalidate()

    def run(self, session: PlaySession) -> None:
        """Play until the player quits."""
        self._session = session
        threading.Thread(target=self._send_lines, args=(session,), daemon=True).start()
        self.application.run(pre_run=self.take_messages)

    def _send_lines(self, session: PlaySession) -> None:
        """Send one line after the other, so that the screen goes on while one waits."""
        while session.submit(self._lines.get()):
            pass
        self._in_loop(self.application.exit)

    def _in_loop(self, do: Callable[[], None]) -> None:
        if self.application.loop is not None:
            self.application.loop.call_soon_threadsafe(do)

    def _container(self) -> FloatContainer:
        prompt = VSplit(
            [
                Window(FormattedTextControl(PROMPT), width=len(PROMPT), height=1, dont_extend_width=True),
                Window(BufferControl(self.buffer), height=1),
            ]
        )
        menu = Float(CompletionsMenu(max_height=8, scroll_offset=1), xcursor=True, ycursor=True)
        return FloatContainer(HSplit([Window(self.control), prompt]), [menu])

    def _accept(self, buffer: Buffer) -> bool:
        text = buffer.text.strip()
        if text:
            self.control.back = 0
            self._lines.put(text)
            if self._session is not None and self._session.is_secret(text):
                buffer.document = Document()  # no history keeps a password
        return False

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        keys.add("c-c")(self._interrupt)
        keys.add("pageup")(lambda _: self.control.scroll(1))
        keys.add("pagedown")(lambda _: self.control.scroll(-1))

        @keys.add("c-d")
        def _(event: KeyPressEvent) -> None:
            if self.buffer.text:
                self.buffer.delete()
            else:
                event.app.exit()

        @keys.add("tab")
        def _(_event: KeyPressEvent) -> None:
            if self.buffer.complete_state:
                self.buffer.complete_next()
            else:
                self.buffer.start_completion(select_first=True)

        @keys.add("s-tab")
        def _(_event: KeyPressEvent) -> None:
            self.buffer.complete_previous()

        @keys.add("enter")
        def _(_event: KeyPressEvent) -> None:
            self.buffer.validate_and_handle()

        return keys

    def _interrupt(self, event: KeyPressEvent) -> None:
        """Cancel the line; the second time in a row, quit."""
        now = time.monotonic()
        is_again = now - self._interrupted_at < TOGETHER_S and not self.buffer.text
        if is_again:
            event.app.exit()
            return
        self._interrupted_at = now
        self.buffer.reset()
        self.control.back = 0
        self.model.apply(TerminalNote(AGAIN_TO_QUIT))
