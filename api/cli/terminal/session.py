"""A player at a table: takes what they type, sends it to the server, and tells the answer as messages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    player_name,
)
from api.client import ClientError, NoAnswer, Refusal, Server, Table
from api.lines.line_sender import refusal_text
from domain.rules.variants import VARIANTS
from replay.text.layout import columns, in_words

BOT = "bot:simple"
USUAL_SEATS = 4
SEALED = {"cuts": "sealed", "window_s": 5}
"""A new table's deals wait for the cuts of its players; this program makes them (docs/fairness.md)."""
MOST_BOARDS = 50


@dataclass(frozen=True)
class OwnBoard:
    """One of the player's boards, and what it waits for."""

    board: int
    variant: str
    waits_for: str
    is_own_turn: bool


def own_boards(server: Server) -> list[OwnBoard]:
    """Return the player's boards that are going on, those that wait for them first, then tables that form."""
    me = server.me()
    active = _page(server, f"/games?player={me['name']}&status=active&limit={MOST_BOARDS}")
    forming = _page(server, f"/games?player={me['name']}&status=forming&limit={MOST_BOARDS}")
    boards = [_active(game, names, me["id"]) for game, names in active]
    boards.sort(key=lambda each: (not each.is_own_turn, each.board))
    return [*boards, *(OwnBoard(game["board"], game["variant"], "players", is_own_turn=False) for game, _ in forming)]


def _page(server: Server, path: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, str]]]:
    page = server.get(server.after_write(path))
    return ((game, page.get("names", {})) for game in page["items"])


def _active(game: Mapping[str, Any], names: Mapping[str, str], player: str) -> OwnBoard:
    waiting = [player_name(each, names) for each in game["waiting"]]
    is_own = player in game["waiting"]
    return OwnBoard(game["board"], game["variant"], "you" if is_own else in_words(waiting) or "the server", is_own)


def boards_text(boards: list[OwnBoard]) -> str:
    if not boards:
        return "You have no boards."
    return "\n".join(columns((each.board, each.variant, f"waits for {each.waits_for}") for each in boards))


def play_now(server: Server, variant: str) -> int:
    """Take the last free seat at a table that waits, or open one with bots; return the board. As the page does."""
    me = server.me()
    for table in _waiting_tables(server, variant):
        if table["opener"] != me["id"] and (board := _claim(server, table["id"])) is not None:
            return board
    seats = next(each["seats"] for each in server.variants() if each["name"] == variant)
    count = USUAL_SEATS if USUAL_SEATS in seats else max(seats)
    players = [me["name"], *[BOT] * (count - 1)]
    return _board_of(Table.open(server, variant, players, undo="practice", fairness=SEALED))


def _waiting_tables(server: Server, variant: str) -> list[Mapping[str, Any]]:
    """Return the tables that begin as soon as one more person sits down, the oldest first."""
    try:
        page = server.get(f"/games?status=forming&variant={variant}&limit={MOST_BOARDS}")
    except ClientError:
        return []  # bots never say no
    return [table for table in reversed(page["items"]) if _needs_one(table)]


def _needs_one(table: Mapping[str, Any]) -> bool:
    states = [seat["state"] for seat in table["seats"]]
    return states.count("open") == 1 and set(states) <= {"open", "claimed"}


def _claim(server: Server, game: str) -> int | None:
    """Take the free seat, and return the board; None if somebody was quicker."""
    try:
        return _board_of(Table.join(server, game))
    except Refusal:
        return None


def _board_of(table: Table) -> int:
    board: int = table.view()["board"]
    return board


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
        return boards_text(own_boards(self.server))

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
        self.open(play_now(self.server, variant))
        return None

    def _start(self, _words: Sequence[str]) -> str | None:
        """Start a table that forms, with bots in the free seats."""
        if self.server.get(f"/games/{self._board}")["status"] not in FORMING:
            return HAS_STARTED
        Table(self.server, self._board).start(BOT)
        return None


def _refusal(problem: Mapping[str, Any]) -> str:
    """Return a refusal as text; the syntax of a whole line is left out, since players needn't write one."""
    return refusal_text(problem).partition(" Write: ")[0]


def _whole_view(data: Any) -> Mapping[str, Any] | None:
    """Return the data of an answer if it's the view of a seat."""
    return data if isinstance(data, dict) and "turn" in data and "you" in data else None
