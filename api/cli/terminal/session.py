"""A player at a table: takes what they type, sends it to the server, and tells the answer as messages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from api.cli.terminal import lobby
from api.cli.terminal.followers import InboxFollower, TableFollower
from api.cli.terminal.lines import help_text, is_secret, typed_words, whole_line
from api.cli.terminal.model import (
    FORMING,
    BoardsArrival,
    EntryKind,
    LineEnd,
    LineStart,
    LogEntry,
    Message,
    TableSwitch,
    TerminalNote,
)
from api.client import ClientError, NoAnswer, Refusal, Server, Table
from api.lines.answer import refusal_text
from domain.rules.variants import VARIANTS

QUIT = frozenset(("quit", "exit"))
ANSWER_IS_TABLE = frozenset(("move", "confirm", "undo", "propose", "accept", "reject", "claim", "resign"))
"""Commands whose answer is the table, which the terminal shows anyway."""
NO_SUCH_BOARD = "{word!a} isn't the number of a board. Write for example: go 12"
NOTHING_WAITS = "No other board waits for you. Write boards for a list, or new for another table."
HAS_STARTED = "This game has started, and no seat is free. Write new for another table."
NOT_A_GAME = "{word!a} isn't a game. There are {games}."
Tell = Callable[[Message], None]
KeepToken = Callable[[str], None]


class PlaySession:
    """One player, and the table in front of them. `tell` may be called from several threads."""

    def __init__(self, server: Server, tell: Tell, keep_token: KeepToken) -> None:
        self.server, self._tell, self._keep_token = server, tell, keep_token
        self._board, self._variant = 0, ""
        self._name: str | None = None
        self._table: TableFollower | None = None
        self._inbox: InboxFollower | None = None
        self._boards: tuple[int, ...] = ()
        self._words: Mapping[str, Callable[[Sequence[str]], str | None]] = {
            "boards": self._list_boards,
            "go": self._go,
            "next": self._go_to_next,
            "new": self._new,
            "start": self._start,
        }

    def close(self) -> None:
        """Stop to follow anything."""
        for follower in (self._table, self._inbox):
            if follower is not None:
                follower.stop()

    def open(self, board: int) -> None:
        """Go to a board. Raise Refusal if it isn't there for this player."""
        view = self.server.get(f"/games/{board}")
        if self._table is not None:
            self._table.stop()
        self._board, self._variant = view["board"], view["variant"]
        self._tell(TableSwitch())
        self._follow_inbox()
        self._table = TableFollower(self.server.url, self.server.token, self._board, self._tell)
        self._table.start()

    def become_somebody(self) -> None:
        """Play as a guest, unless a token is there."""
        if self.server.token is None:
            name = self.server.guest()
            self._keep_token(str(self.server.token))
            self._tell(TerminalNote(f"You play as {name}. This computer keeps your token, so that you can come back."))

    def is_secret(self, text: str) -> bool:
        """Return whether a line of this player may hold a password."""
        words = typed_words(text)
        return bool(words) and words[0].lower() not in self._words and is_secret(text, self._name)

    def submit(self, text: str) -> bool:
        """Carry out what was typed; return False if the player wants to quit."""
        words = typed_words(text)
        if not words:
            return True
        if words[0].lower() in QUIT:
            return False
        self._tell(LineStart(f"{words[0]} …" if self.is_secret(text) else " ".join(words)))
        try:
            end = self._answer(words)
        except Refusal as refusal:
            end = LineEnd([LogEntry(EntryKind.REFUSAL, refusal.detail)])
        except NoAnswer as error:
            end = LineEnd([LogEntry(EntryKind.REFUSAL, f"{error} Nobody knows whether the line counts: look first.")])
        except ClientError as error:
            end = LineEnd([LogEntry(EntryKind.REFUSAL, str(error))])
        self._tell(end)
        return True

    def _answer(self, words: Sequence[str]) -> LineEnd:
        word = words[0].lower()
        if word == "help" and len(words) == 1:
            return LineEnd([LogEntry(EntryKind.HELP, help_text(self._variant))])
        local = self._words.get(word)
        if local is not None:
            says = local(words[1:])
            return LineEnd([] if says is None else [LogEntry(EntryKind.ANSWER, says)])
        return self._send(" ".join(words))

    def _send(self, text: str) -> LineEnd:
        """Send a line to the server; it's carried out once, however often it has to be sent."""
        if text.lower().startswith("join") and self.server.token is None:
            self.become_somebody()
            self.open(self._board)
        answer = self.server.connection.post_once(
            "/commands", {"line": whole_line(text, self._variant, self._board), "text": []}
        )
        if self._table is not None:
            self._table.refresh()
        return self._answer_entries(answer)

    def _answer_entries(self, answer: Mapping[str, Any]) -> LineEnd:
        entries = [LogEntry(EntryKind.NOTE, each) for each in answer["notices"]]
        if not answer["ok"]:
            return LineEnd([*entries, LogEntry(EntryKind.REFUSAL, _refusal(answer["problem"]))])
        is_here = answer["board"] == self._board
        if is_here and answer["command"] in ANSWER_IS_TABLE:
            return LineEnd(entries, _whole_view(answer["data"]))
        if not (is_here and answer["command"] == "chat"):
            kind = EntryKind.HELP if answer["command"] == "help" else EntryKind.ANSWER
            entries.append(LogEntry(kind, answer["text"]))
        if answer["board"] is not None and not is_here and answer["command"] in ("challenge", "join"):
            entries.append(LogEntry(EntryKind.NOTE, f"Write go {answer['board']} to play there."))
        return LineEnd(entries)

    def _follow_inbox(self) -> None:
        if self._inbox is None and self.server.token is not None:
            self._name = str(self.server.me()["name"])
            self._inbox = InboxFollower(self.server.url, self.server.token, self._name, self._take, self._refresh_table)
            self._inbox.start()

    def _take(self, message: Message) -> None:
        if isinstance(message, BoardsArrival):
            self._boards = message.boards
        self._tell(message)

    def _refresh_table(self) -> None:
        if self._table is not None:
            self._table.refresh()

    def _list_boards(self, _words: Sequence[str]) -> str:
        self.become_somebody()
        return lobby.boards_text(lobby.own_boards(self.server))

    def _go(self, words: Sequence[str]) -> str | None:
        if not words or not words[0].isascii() or not words[0].isdigit():
            return NO_SUCH_BOARD.format(word=words[0][:40] if words else "")
        self.open(int(words[0]))
        return None

    def _go_to_next(self, _words: Sequence[str]) -> str | None:
        boards = [board for board in self._boards if board != self._board]
        if not boards:
            return NOTHING_WAITS
        self.open(next((board for board in boards if board > self._board), boards[0]))
        return None

    def _new(self, words: Sequence[str]) -> str | None:
        variant = words[0].lower() if words else self._variant
        if variant not in VARIANTS:
            return NOT_A_GAME.format(word=variant[:40], games=", ".join(VARIANTS))
        self.become_somebody()
        self.open(lobby.play_now(self.server, variant))
        return None

    def _start(self, _words: Sequence[str]) -> str | None:
        """Start a table that forms, with bots in the free seats."""
        if self.server.get(f"/games/{self._board}")["status"] not in FORMING:
            return HAS_STARTED
        Table(self.server, self._board).start(lobby.BOT)
        return None


def _refusal(problem: Mapping[str, Any]) -> str:
    """Return a refusal as text; the syntax of a whole line is left out, since players needn't write one."""
    return refusal_text(problem).partition(" Write: ")[0]


def _whole_view(data: Any) -> Mapping[str, Any] | None:
    """Return the data of an answer if it's the view of a seat."""
    return data if isinstance(data, dict) and "turn" in data and "you" in data else None
