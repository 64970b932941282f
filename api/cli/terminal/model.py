"""The contents of a terminal: the view of a table, what happened as sentences, and what was said.

Messages change it, one at a time.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import msgspec

from domain import events as facts
from domain.events.codec import Unreadable, decode
from replay.text.layout import sanitize
from replay.text.narrate import narrate

QUIET = (
    facts.BeaconRecorded,
    facts.CeremonyOpened,
    facts.CeremonyRevealed,
    facts.CeremonyVoided,
    facts.CardsDealt,
    facts.CardsTaken,
    facts.CardsBuried,
    facts.CutOpened,
    facts.SeedKept,
    facts.StockLaid,
    facts.TurnTimed,
)
"""Facts that only matter to those who check a game, or that the table shows anyway."""
View = Mapping[str, Any]


def seat_names(view: View) -> dict[int, str]:
    """Return what to call each seat of a view; a bot is `bot 2`, or `strong bot 2`."""
    names = view.get("names", {})
    return {each["seat"]: player_name(each["player"], names) for each in view["seats"]}


def player_name(player: str | None, names: Mapping[str, str]) -> str:
    """Return what to call a player, as one line without control characters."""
    kind, _, rest = (player or "").partition(":")
    if kind == "bot":
        strategy, _, number = rest.partition(":")
        return sanitize(f"bot {number}" if strategy == "simple" else f"{strategy} bot {number}")
    return sanitize(names.get(player or "", player or "nobody"))


def event_sentence(event: View, who: Mapping[int, str], rules: View | None = None) -> str | None:
    """Return the sentence for an event as JSON; None for one that is quiet, or that this program doesn't know."""
    try:
        fact = decode(msgspec.json.encode(event, order="deterministic")).data
        return None if isinstance(fact, QUIET) else sanitize(narrate(fact, who, rules))
    except (Unreadable, KeyError, TypeError):
        return None  # a newer server; its table is shown all the same


MOST_ENTRIES = 500
FORMING = frozenset(("forming", "closing"))


class EntryKind(Enum):
    """The kind of a line of the log."""

    NEWS = "news"
    CHAT = "chat"
    TYPED = "typed"
    ANSWER = "answer"
    HELP = "help"
    REFUSAL = "refusal"
    NOTE = "note"


@dataclass(frozen=True)
class LogEntry:
    """A line or more of the log. `text` may hold anything; those who print it make it safe."""

    kind: EntryKind
    text: str


@dataclass(frozen=True)
class TableSwitch:
    """The terminal goes to another table."""


@dataclass(frozen=True)
class ViewArrival:
    """The table as it is now."""

    view: View


@dataclass(frozen=True)
class EventArrival:
    """A line of the game's stream or of its past."""

    line: Mapping[str, Any]


@dataclass(frozen=True)
class ChatArrival:
    """Messages of the table, the oldest first, and the names of those who wrote them."""

    items: Sequence[Mapping[str, Any]]
    names: Mapping[str, str]


@dataclass(frozen=True)
class LinkChange:
    """The server can't be reached, or can again."""

    is_live: bool


@dataclass(frozen=True)
class BoardsArrival:
    """The boards on which it's the player's turn."""

    boards: tuple[int, ...]


@dataclass(frozen=True)
class LineStart:
    """A line is on its way to the server."""

    text: str


@dataclass(frozen=True)
class LineEnd:
    """The server's answer to a line, or a sentence of this program."""

    entries: Sequence[LogEntry]
    view: View | None = None


@dataclass(frozen=True)
class TerminalNote:
    """A sentence of this program."""

    text: str


Message = (
    TableSwitch
    | ViewArrival
    | EventArrival
    | ChatArrival
    | LinkChange
    | BoardsArrival
    | LineStart
    | LineEnd
    | TerminalNote
)


@dataclass
class TerminalModel:
    """The state of the terminal. `apply` returns the entries that a message adds to the log."""

    view: View | None = None
    entries: deque[LogEntry] = field(default_factory=lambda: deque(maxlen=MOST_ENTRIES))
    is_live: bool = True
    line: str | None = None
    """The line that waits for its answer."""
    boards: tuple[int, ...] = ()
    """The boards on which it's the player's turn."""
    _events: int = 0
    _chat: set[str] = field(default_factory=set)

    def apply(self, message: Message) -> list[LogEntry]:
        """Take in a message, and return the entries that it adds."""
        added = self._take(message)
        self.entries.extend(added)
        return added

    @property
    def next_boards(self) -> tuple[int, ...]:
        """The other boards on which it's the player's turn."""
        if self.view is None:
            return ()
        return tuple(board for board in self.boards if board != self.view["board"])

    def _take(self, message: Message) -> list[LogEntry]:
        match message:
            case TableSwitch():
                self.view, self._events, self._chat = None, 0, set()
                self.entries.clear()
            case ViewArrival(view):
                self._take_view(view)
            case BoardsArrival(boards):
                self.boards = boards
            case EventArrival(line):
                return self._take_event(line)
            case ChatArrival(items, names):
                return [entry for item in items for entry in self._take_chat(item, names)]
            case LinkChange(is_live):
                return self._take_link(is_live=is_live)
            case _:
                return self._take_line(message)
        return []

    def _take_line(self, message: Message) -> list[LogEntry]:
        """Take in what the player typed, and what came of it."""
        match message:
            case LineStart(text):
                self.line = text
                return [LogEntry(EntryKind.TYPED, text)]
            case LineEnd(entries, view):
                self.line = None
                if view is not None:
                    self._take_view(view)
                return list(entries)
            case TerminalNote(text):
                return [LogEntry(EntryKind.NOTE, text)]
        return []

    def _take_view(self, view: View) -> None:
        """Keep a view, unless a newer one is there; names of an older one stay known."""
        old = self.view
        if old is not None and (view["id"] != old["id"] or view["version"] < old["version"]):
            return
        names = {} if old is None else old.get("names", {})
        self.view = {**view, "names": {**names, **view.get("names", {})}}

    def _take_event(self, line: Mapping[str, Any]) -> list[LogEntry]:
        """Tell an event, once."""
        if line["version"] <= self._events:
            return []
        self._events = line["version"]
        event = line.get("event")
        if event is None or self.view is None or "turn" not in self.view:
            return []
        sentence = event_sentence(event, seat_names(self.view), self.view["rules"])
        return [] if sentence is None else [LogEntry(EntryKind.NEWS, sentence)]

    def _take_chat(self, item: Mapping[str, Any], names: Mapping[str, str]) -> list[LogEntry]:
        """Tell a message of the chat, once."""
        if item["id"] in self._chat or item["erased"]:
            return []
        self._chat.add(item["id"])
        to = "" if item["to"] == "table" else " (to their partner)"
        return [LogEntry(EntryKind.CHAT, f"{player_name(item['by'], names)}{to}: {item['text']}")]

    def _take_link(self, *, is_live: bool) -> list[LogEntry]:
        if is_live == self.is_live:
            return []
        self.is_live = is_live
        return [
            LogEntry(EntryKind.NOTE, "Connected again." if is_live else "The server can't be reached. Reconnecting.")
        ]


def is_own_turn(view: View | None) -> bool:
    """Return whether the table waits for a move of the player."""
    you = None if view is None else view.get("you")
    return bool(you and (you["legal"] or you["choose"]))
