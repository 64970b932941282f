"""Chat messages: texts at a table, to a partner or among watchers. They lie beside the log, so they can be erased.

Each message names the version of the game that its author saw, and perhaps the event that it comments on.
"""

import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal, get_args

from api.conduct.stored.blocks import HIDES
from api.inbox.stored.outbox import InboxNote, leave_notes
from domain.store.sql.database import Database, Transaction
from projections.lists.inbox_entries import NoteDetails

TABLES = (
    """CREATE TABLE IF NOT EXISTS chat_messages (
        game TEXT NOT NULL, number BIGINT NOT NULL, id TEXT NOT NULL UNIQUE, author TEXT NOT NULL,
        channel TEXT NOT NULL, side BIGINT NOT NULL, version BIGINT NOT NULL, event BIGINT, text TEXT,
        written BIGINT NOT NULL, erased BIGINT, sender TEXT NOT NULL UNIQUE, request TEXT NOT NULL,
        PRIMARY KEY (game, number))""",
    "CREATE INDEX IF NOT EXISTS chat_messages_of_author ON chat_messages (author)",
    "CREATE TABLE IF NOT EXISTS chat_counters (game TEXT PRIMARY KEY, last BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS chat_settings (game TEXT PRIMARY KEY, chat TEXT NOT NULL)",
)
Channel = Literal["table", "partner", "watchers"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
TABLE, PARTNER, WATCHERS = CHANNELS
ChatSetting = Literal["open", "between-hands"]
CHAT_SETTINGS: tuple[ChatSetting, ...] = get_args(ChatSetting)
OPEN, BETWEEN_HANDS = CHAT_SETTINGS
NO_SIDE = -1
NEXT_NUMBER = """INSERT INTO chat_counters VALUES (?, 1)
    ON CONFLICT (game) DO UPDATE SET last = chat_counters.last + 1 RETURNING last"""
SELECT = "SELECT number, id, author, channel, side, version, event, text, written, erased FROM chat_messages"
ERASE = "UPDATE chat_messages SET text = NULL, erased = ? WHERE {} = ? AND erased IS NULL"


@dataclass(frozen=True)
class ChatMessage:
    """A message; `text` is None once it is erased. `number` counts all messages of a game, so no client learns it.

    `side` is the lowest seat of the author's side in a message to a partner, else -1.
    """

    number: int
    id: str
    author: str
    channel: Channel
    side: int
    version: int
    event: int | None
    text: str | None = field(repr=False)
    written: int
    erased: int | None


@dataclass(frozen=True)
class ChatDraft:
    """A message to save. `sender` identifies the player and the Idempotency-Key, `request` the request."""

    author: str
    channel: Channel
    side: int
    version: int
    event: int | None
    text: str = field(repr=False)
    sender: str
    request: str


@dataclass(frozen=True)
class ChatReader:
    """The part of a game's chat that somebody reads: some channels, a side, messages up to a version.

    `side` is None for the messages to all partners. Blocks hide messages from `reader`; None reads in spite of them.
    """

    channels: Collection[Channel]
    side: int | None
    upto: int | None
    reader: str | None = None

    @property
    def condition(self) -> tuple[str, list[object]]:
        """The condition of a SELECT, with its values."""
        marks = ", ".join("?" * len(self.channels))
        parts, values = [f"channel IN ({marks})"], list[object](self.channels)
        if self.side is not None:
            parts.append("side IN (-1, ?)")
            values.append(self.side)
        if self.upto is not None:
            parts.append("version <= ?")
            values.append(self.upto)
        if self.reader is not None:
            parts.append(f"NOT {HIDES}")
            values += [self.reader] * HIDES.count("?")
        return " AND ".join(parts), values

    @property
    def order(self) -> tuple[str, str]:
        """The columns to sort by, with a mark for each.

        Messages of the table reach a late reader by version. By number, they would come before messages of watchers
        that the reader has already got.
        """
        return ("number", "?") if self.upto is None else ("version, number", "?, ?")

    def place_of(self, message: ChatMessage) -> tuple[int, ...]:
        """Return the values of a message in these columns."""
        return (message.number,) if self.upto is None else (message.version, message.number)


EVERYTHING = ChatReader(CHANNELS, None, None)
"""The messages that moderators can erase; they read no more than others."""


class ChatMessages:
    """The tables of messages and of the settings of tables. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, game: str, draft: ChatDraft, readers: Iterable[str] = ()) -> ChatMessage:
        """Save a message for the inboxes of `readers` and return it; a sender whose message is saved gets that one."""
        identity = "m_" + secrets.token_hex(12)
        with self._database.transaction(writes=True) as transaction:
            # other authors of the game wait here, so that nobody reads a number before a lower one is saved
            number = transaction.run(NEXT_NUMBER, game)[0][0]
            added = transaction.count_changes(
                "INSERT INTO chat_messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?) ON CONFLICT DO NOTHING",
                game, number, identity, draft.author, draft.channel, draft.side, draft.version, draft.event,
                draft.text, transaction.now(), draft.sender, draft.request,
            )  # fmt: skip
            message = ChatMessage(*transaction.run(f"{SELECT} WHERE sender = ?", draft.sender)[0])
            if added:
                about: NoteDetails = {"message": message.id, "to": draft.channel, "from": draft.author}
                leave_notes(transaction, [InboxNote(player, "chat", game, about) for player in readers])
        return message

    def find_sent(self, sender: str) -> tuple[ChatMessage, str] | None:
        """Return the message of an earlier request with the same sender, and that request."""
        found = self._database.run(f"{SELECT} WHERE sender = ?", sender)
        if not found:
            return None
        message = ChatMessage(*found[0])
        request = self._database.run("SELECT request FROM chat_messages WHERE id = ?", message.id)[0][0]
        return message, str(request)

    def find(self, game: str, identity: str, reader: ChatReader) -> ChatMessage | None:
        """Return the message with this id if the reader may read it."""
        where, values = reader.condition
        rows = self._database.run(f"{SELECT} WHERE game = ? AND id = ? AND {where}", game, identity, *values)
        return ChatMessage(*rows[0]) if rows else None

    def after(self, game: str, message: ChatMessage, reader: ChatReader, limit: int) -> list[ChatMessage]:
        """Return the first messages after one, the oldest first."""
        where, values = reader.condition
        columns, marks = reader.order
        rows = self._database.run(
            f"{SELECT} WHERE game = ? AND ({columns}) > ({marks}) AND {where} ORDER BY {columns} LIMIT ?",
            game, *reader.place_of(message), *values, limit,
        )  # fmt: skip
        return [ChatMessage(*row) for row in rows]

    def before(self, game: str, message: ChatMessage | None, reader: ChatReader, limit: int) -> list[ChatMessage]:
        """Return the last messages before one, or the newest ones (None), the oldest first."""
        where, values = reader.condition
        columns, marks = reader.order
        bound = "" if message is None else f"AND ({columns}) < ({marks})"
        bounds = () if message is None else reader.place_of(message)
        newest_first = ", ".join(f"{column} DESC" for column in columns.split(", "))
        rows = self._database.run(
            f"{SELECT} WHERE game = ? {bound} AND {where} ORDER BY {newest_first} LIMIT ?",
            game, *bounds, *values, limit,
        )  # fmt: skip
        return [ChatMessage(*row) for row in reversed(rows)]

    def erase(self, identity: str) -> None:
        """Erase the text of a message. Erasing it again changes nothing."""
        self._database.run(ERASE.format("id"), self._database.now(), identity)

    def choose(self, game: str, chat: str) -> None:
        """Save a table's setting before the game is opened. A repeated opening keeps the first one."""
        if chat != OPEN:
            self._database.run("INSERT INTO chat_settings VALUES (?, ?) ON CONFLICT DO NOTHING", game, chat)

    def setting(self, game: str) -> ChatSetting:
        """Return a table's setting."""
        found: list[ChatSetting] = [
            chat for (chat,) in self._database.run("SELECT chat FROM chat_settings WHERE game = ?", game)
        ]
        return found[0] if found else OPEN


def erase_message(transaction: Transaction, identity: str) -> bool:
    """Erase the text of a message, and return whether there was one."""
    return bool(transaction.count_changes(ERASE.format("id"), transaction.now(), identity))


def erase_player(transaction: Transaction, player: str) -> None:
    """Erase the texts of all messages by a player."""
    transaction.run(ERASE.format("author"), transaction.now(), player)


def messages_of(database: Database, player: str) -> list[ChatMessage]:
    """Return all messages by a player with their games, the oldest first."""
    return [ChatMessage(*row) for row in database.run(f"{SELECT} WHERE author = ? ORDER BY written, id", player)]
