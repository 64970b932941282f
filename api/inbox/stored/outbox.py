"""The outbox: what happens in the accounts and belongs into a player's inbox. The worker takes it there.

One note for each turn warns that it ends soon, however many workers there are.

Entries name things by id, and hold no name and no text. They are written in the transaction of what they report.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from api.conduct.stored.blocks import EITHER_WAY
from domain.engine.timestamps import format_time
from domain.json_fields import Time, says
from domain.store.sql.database import Database, Transaction
from projections.lists.inbox_entries import EntryKind, NoteDetails

TABLES = (
    """CREATE TABLE IF NOT EXISTS outbox (
        number BIGINT PRIMARY KEY, player TEXT NOT NULL, kind TEXT NOT NULL, about TEXT, at TEXT NOT NULL,
        data TEXT NOT NULL, written BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS outbox_of_player ON outbox (player)",
)
KEPT_US = 30 * 24 * 3600 * 1_000_000
"""How long entries are kept, for inboxes that are rebuilt."""
TAKE_NUMBERS = """INSERT INTO counters VALUES ('outbox', ?)
    ON CONFLICT (name) DO UPDATE SET last = counters.last + excluded.last RETURNING last"""
SELECT = "SELECT number, player, kind, about, at, data FROM outbox"


@dataclass(frozen=True)
class InboxNote:
    """An entry for the inbox of `player`, about the game or table with this id, if any."""

    player: str
    kind: EntryKind
    about: str | None
    data: NoteDetails


@dataclass(frozen=True)
class OutboxEntry:
    """A note with its number, in the order in which they were written, and its time in the format of events."""

    number: int
    note: InboxNote
    at: str


class Outbox:
    """The table `outbox`. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def last(self) -> int:
        """Return the number of the last entry that was ever written."""
        rows = self._database.run("SELECT last FROM counters WHERE name = 'outbox'")
        return int(rows[0][0]) if rows else 0

    def after(self, number: int, limit: int) -> list[OutboxEntry]:
        """Return the first entries above a number."""
        rows = self._database.run(f"{SELECT} WHERE number > ? ORDER BY number LIMIT ?", number, limit)
        return [
            OutboxEntry(int(entry), InboxNote(player, kind, about, json.loads(data)), at)
            for entry, player, kind, about, at, data in rows
        ]

    def delete_old(self) -> None:
        """Delete what is older than `KEPT_US`."""
        self._database.run("DELETE FROM outbox WHERE written < ?", self._database.now() - KEPT_US)


def leave_notes(transaction: Transaction, notes: Iterable[InboxNote]) -> None:
    """Write notes. Call this last in a transaction.

    Other writers wait here until it ends, so that nobody reads a number before a lower one is written.
    """
    found = list(notes)
    if not found:
        return
    first = int(transaction.run(TAKE_NUMBERS, len(found))[0][0]) - len(found) + 1
    at = transaction.now()
    rows = [
        (number, each.player, each.kind, each.about, format_time(at), json.dumps(each.data), at)
        for number, each in enumerate(found, first)
    ]
    transaction.run_many("INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def hears_of(transaction: Transaction, player: str, other: str) -> bool:
    """Return whether a player gets news of what another one does: neither has blocked the other."""
    return not transaction.run(EITHER_WAY, player, other, other, player)


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete the notes for a player."""
    transaction.run("DELETE FROM outbox WHERE player = ?", player)


class StoredNote(NoteDetails):
    """A note for the caller's inbox, with the fields of its kind."""

    kind: EntryKind
    about: Annotated[str | None, says("The id of the game or table.")]
    at: Time


def own_data(database: Database, player: str) -> list[StoredNote]:
    """Return the notes for a player, as JSON values."""
    rows = database.run(f"{SELECT} WHERE player = ? ORDER BY number", player)
    found = list[StoredNote]()
    for _, _, kind, about, at, data in rows:
        details: NoteDetails = json.loads(data)
        found.append({"kind": kind, "about": about, "at": at, **details})
    return found


WARNING_TABLES = (
    """CREATE TABLE IF NOT EXISTS deadline_warnings (
        game TEXT NOT NULL, since TEXT NOT NULL, written BIGINT NOT NULL, PRIMARY KEY (game, since))""",
)


class DeadlineWarnings:
    """The turns whose players were warned. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def leave(self, game: str, since: str, notes: Iterable[InboxNote]) -> bool:
        """Leave the notes about the turn that began `since`, unless somebody has; return whether they are left."""
        with self._database.transaction(writes=True) as transaction:
            insert = "INSERT INTO deadline_warnings VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            is_new = bool(transaction.count_changes(insert, game, since, transaction.now()))
            if is_new:
                leave_notes(transaction, notes)
        return is_new

    def delete_old(self) -> None:
        """Forget turns that were warned about long ago."""
        self._database.run("DELETE FROM deadline_warnings WHERE written < ?", self._database.now() - KEPT_US)
