"""Private messages between players, and broadcasts of moderators to everybody. They lie beside the log.

Each person in a message has a row of their own: the author, and each reader. So it's erased for one without the others,
and gone for all when its author is erased.
"""

import json
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from api.conduct.stored.blocks import HIDES
from api.inbox.stored.outbox import InboxNote, leave_notes
from api.people.stored.settings import BROADCASTS
from domain.engine.timestamps import iso_time
from domain.json_fields import PlayerId, Time
from domain.store.sql.database import Database, Transaction
from projections.lists.inbox_entries import NoteDetails

TABLES = (
    """CREATE TABLE IF NOT EXISTS private_messages (
        owner TEXT NOT NULL, id TEXT NOT NULL, author TEXT NOT NULL, readers TEXT NOT NULL, text TEXT NOT NULL,
        written BIGINT NOT NULL, sender TEXT UNIQUE, request TEXT NOT NULL, PRIMARY KEY (owner, id))""",
    "CREATE INDEX IF NOT EXISTS private_messages_by_time ON private_messages (owner, written, id)",
    "CREATE INDEX IF NOT EXISTS private_messages_of_author ON private_messages (author)",
    "CREATE INDEX IF NOT EXISTS private_messages_by_age ON private_messages (written)",
    """CREATE TABLE IF NOT EXISTS broadcasts (
        id TEXT PRIMARY KEY, author TEXT NOT NULL, text TEXT NOT NULL, written BIGINT NOT NULL,
        sender TEXT NOT NULL UNIQUE, request TEXT NOT NULL, told TEXT)""",
    "CREATE INDEX IF NOT EXISTS broadcasts_by_time ON broadcasts (written, id)",
)
KEPT_US = 365 * 24 * 3600 * 1_000_000
"""How long messages and broadcasts are kept."""
NOTES_AT_ONCE = 200
"""How many players get the news of a broadcast in one transaction, so that other writers don't wait for long."""
READ_BY = (
    f"SELECT id, author, readers, text, written FROM private_messages WHERE owner = ? AND NOT {HIDES}",
    f"""SELECT id, author, NULL, text, written FROM broadcasts WHERE NOT EXISTS (SELECT 1 FROM command_settings
        WHERE player = ? AND name = '{BROADCASTS}' AND value = 'off') AND NOT {HIDES}""",
)
"""The messages that a player reads: those they wrote or got, and broadcasts unless they want none.

The player's id stands in for each mark. Each part has an index for its order: a page costs the same in a long list.
"""
NEXT_PLAYERS = f"""SELECT player FROM users WHERE player > ? AND player <> ? AND guest = 0
    AND player NOT IN (SELECT player FROM command_settings WHERE name = '{BROADCASTS}' AND value = 'off')
    AND NOT EXISTS (SELECT 1 FROM blocks WHERE (player = users.player AND other = ?)
        OR (player = ? AND other = users.player))
    ORDER BY player LIMIT {NOTES_AT_ONCE}"""


@dataclass(frozen=True)
class PrivateMessage:
    """A message; `readers` are the ids of those it was written to, None for a broadcast."""

    id: str
    author: str
    readers: tuple[str, ...] | None
    text: str = field(repr=False)
    written: int


@dataclass(frozen=True)
class MessageDraft:
    """A message to save. `sender` identifies the player and the Idempotency-Key.

    `requests` identify the request: as it's saved, then as an earlier version saved it.
    """

    author: str
    text: str = field(repr=False)
    sender: str
    requests: tuple[str, ...]


class StoredPrivateMessage(TypedDict):
    """A message that the caller wrote or got; `to` is null for a broadcast."""

    id: str
    written: Time
    by: PlayerId
    to: tuple[PlayerId, ...] | None
    text: str


class PrivateMessages:
    """The tables of messages and broadcasts. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, draft: MessageDraft, readers: Sequence[str], deaf: Collection[str]) -> PrivateMessage:
        """Save a message for its author and readers, but not for `deaf` ones, and note it in the readers' inboxes.

        A sender whose message is saved gets that one.
        """
        identity, written, names = _new_id(), self._database.now(), json.dumps(list(readers))
        row = (identity, draft.author, names, draft.text, written)
        with self._database.transaction(writes=True) as transaction:
            insert = "INSERT INTO private_messages VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
            if transaction.count_changes(insert, draft.author, *row, draft.sender, draft.requests[0]):
                hearing = [reader for reader in readers if reader not in deaf]
                transaction.run_many(insert, [(reader, *row, None, draft.requests[0]) for reader in hearing])
                about: NoteDetails = {"message": identity, "from": draft.author}
                leave_notes(transaction, [InboxNote(reader, "message", None, about) for reader in hearing])
        return self._require_sent(draft)

    def add_broadcast(self, draft: MessageDraft) -> PrivateMessage:
        """Save a broadcast. `tell_next` notes it in the inboxes. A sender whose broadcast is saved gets that one."""
        self._database.run(
            "INSERT INTO broadcasts VALUES (?, ?, ?, ?, ?, ?, '') ON CONFLICT DO NOTHING",
            _new_id(), draft.author, draft.text, self._database.now(), draft.sender, draft.requests[0],
        )  # fmt: skip
        return self._require_sent(draft)

    def find_sent(self, sender: str) -> tuple[PrivateMessage, str] | None:
        """Return the message of an earlier request with the same sender, and that request."""
        rows = self._database.run(
            """SELECT id, author, readers, text, written, request FROM private_messages WHERE sender = ?
            UNION ALL SELECT id, author, NULL, text, written, request FROM broadcasts WHERE sender = ?""",
            sender, sender,
        )  # fmt: skip
        return (_read(rows[0][:5]), str(rows[0][5])) if rows else None

    def before(self, player: str, message: str | None, limit: int) -> list[PrivateMessage]:
        """Return the last messages that a player reads before one, or the newest ones (None), the oldest first.

        A message that the player doesn't read has nothing before it.
        """
        bound, place = "", tuple[object, ...]()
        if message is not None:
            at = self.find(player, message)
            if at is None:
                return []
            bound, place = "AND (written, id) < (?, ?)", (at.written, at.id)
        tail = f"{bound} ORDER BY written DESC, id DESC LIMIT ?"
        found = [
            _read(row)
            for part in READ_BY
            for row in self._database.run(f"{part} {tail}", *[player] * part.count("?"), *place, limit)
        ]
        return sorted(found, key=lambda each: (each.written, each.id))[-limit:]

    def find(self, player: str, message: str) -> PrivateMessage | None:
        """Return a message if a player reads it."""
        for part in READ_BY:
            rows = self._database.run(f"{part} AND id = ?", *[player] * part.count("?"), message)
            if rows:
                return _read(rows[0])
        return None

    def tell_next(self) -> int:
        """Note the oldest unfinished broadcast in the next inboxes, and return how many; 0 once all are finished."""
        waiting = "SELECT id, author, told FROM broadcasts WHERE told IS NOT NULL ORDER BY written, id LIMIT 1"
        if not self._database.run(waiting):
            return 0
        with self._database.transaction(writes=True) as transaction:
            found = transaction.run(waiting)
            if not found:
                return 0
            identity, author, told = found[0]
            players = [str(player) for (player,) in transaction.run(NEXT_PLAYERS, told, author, author, author)]
            last = players[-1] if len(players) == NOTES_AT_ONCE else None
            moved = transaction.count_changes(
                "UPDATE broadcasts SET told = ? WHERE id = ? AND told = ?", last, identity, told
            )
            if moved:  # otherwise another process has just told these
                about: NoteDetails = {"message": identity, "from": author}
                leave_notes(transaction, [InboxNote(player, "message", None, about) for player in players])
        return len(players)

    def delete_old(self) -> None:
        """Delete what is older than `KEPT_US`."""
        for table in ("private_messages", "broadcasts"):
            self._database.run(f"DELETE FROM {table} WHERE written < ?", self._database.now() - KEPT_US)

    def _require_sent(self, draft: MessageDraft) -> PrivateMessage:
        found = self.find_sent(draft.sender)
        if found is None:
            raise LookupError("the message that was just saved is gone")
        return found[0]


def _new_id() -> str:
    return "m_" + secrets.token_hex(12)


def _read(row: tuple[str, str, str | None, str, int]) -> PrivateMessage:
    identity, author, readers, text, written = row
    return PrivateMessage(identity, author, None if readers is None else tuple(json.loads(readers)), text, written)


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete the messages that a player wrote, those they got, and their broadcasts."""
    transaction.run("DELETE FROM private_messages WHERE owner = ? OR author = ?", player, player)
    transaction.run("DELETE FROM broadcasts WHERE author = ?", player)


def own_data(database: Database, player: str) -> list[StoredPrivateMessage]:
    """Return the messages that a player wrote or got, and their broadcasts, as JSON values."""
    rows = database.run(
        """SELECT id, author, readers, text, written FROM private_messages WHERE owner = ?
        UNION ALL SELECT id, author, NULL, text, written FROM broadcasts WHERE author = ? ORDER BY written, id""",
        player, player,
    )  # fmt: skip
    return [
        {"id": each.id, "written": iso_time(each.written), "by": each.author, "to": each.readers, "text": each.text}
        for each in map(_read, rows)
    ]
