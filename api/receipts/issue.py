"""Receipts: signed notes of the size and root of a game's log, issued to any caller and all stored.

Each size of a game has at most one receipt, which never changes. Before the server signs a receipt, it checks the log
against the newest stored one: it never signs two histories of one game, whatever happens to its store.
"""

import logging
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import psycopg

from api.receipts.keys import NoSigningKey, SigningKeys
from domain.protocols.signed_notes import Checkpoint, Key, game_origin
from domain.store import Games, StoreUnavailable
from domain.store.aggregate import Corrupt, Entry
from projections.storage.database import Database
from replay.history import History
from replay.history.receipts import ReceiptChecks, check_receipts, with_receipt

LOG = logging.getLogger("trickbook.receipts")
ENDING_FACTS = frozenset(("HandScored", "HandThrownIn", "GameEnded", "RulingGiven", "RulingDecided"))
"""Facts after which the server issues a receipt without a request."""
TEMPORARY_ERRORS = (NoSigningKey, Corrupt, StoreUnavailable, sqlite3.Error, psycopg.Error)
DIFFERENT_LOG = "the log up to this event differs from the log that a receipt was issued for"
PAGE_SIZES = (500, 20, 1)
"""Events read together: fewer if one can't be read, until that one is found and skipped."""
MAX_PAGES = 20


@dataclass(frozen=True)
class StoredReceipt:
    """An issued receipt: the number of events it covers, the root in hex, and the note."""

    size: int
    root: str
    note: str


class ReceiptIssuer:
    """Issues the receipts of one store's games and stores them with its accounts."""

    def __init__(self, database: Database, keys: SigningKeys, games: Games) -> None:
        self._database, self._games = database, games
        self.keys = keys

    def stored_receipts(self, game: str) -> list[StoredReceipt]:
        """Return every receipt issued for the game, by size."""
        rows = self._database.run("SELECT size, root, note FROM receipts WHERE game = ? ORDER BY size", game)
        return [StoredReceipt(*row) for row in rows]

    def issue(self, game: str, size: int | None = None) -> StoredReceipt:
        """Return the receipt over the first `size` events of the log (None: all events), signing it if it's new.

        Raise ValueError if the log is shorter, Corrupt if it differs from the log of an earlier receipt, NoSigningKey
        if the key isn't available.
        """
        newest = self._newest(game)  # read first, so that the log is at least as new
        state, root = self._games.snapshot(game)
        self._check_log(game, newest, state.version, root)
        size = state.version if size is None else size
        if not 1 <= size <= state.version:
            raise ValueError(f"the log has events 1 to {state.version}")
        if newest is not None and newest.size == size:
            return newest
        return self._stored_or_signed(game, size, self._root(game, size, state.version, root))

    def _newest(self, game: str) -> StoredReceipt | None:
        statement = "SELECT size, root, note FROM receipts WHERE game = ? ORDER BY size DESC LIMIT 1"
        rows = self._database.run(statement, game)
        return StoredReceipt(*rows[0]) if rows else None

    def _check_log(self, game: str, newest: StoredReceipt | None, version: int, root: str) -> None:
        if newest is None:
            return
        if newest.size > version:
            raise Corrupt(game, version + 1, f"the event is missing: a receipt was issued for {newest.size} events")
        if self._root(game, newest.size, version, root) != newest.root:
            raise Corrupt(game, newest.size, DIFFERENT_LOG)

    def _root(self, game: str, size: int, version: int, root: str) -> str:
        """Return the root at `size`: the link in the next event."""
        return root if size == version else self._games.entries(game, size, size + 1)[0].prev.hex()

    def _stored_or_signed(self, game: str, size: int, root: str) -> StoredReceipt:
        receipt = self._at_size(game, size) or self._sign(game, size, root)
        if receipt.root != root:
            raise Corrupt(game, size, DIFFERENT_LOG)
        return receipt

    def _at_size(self, game: str, size: int) -> StoredReceipt | None:
        rows = self._database.run("SELECT size, root, note FROM receipts WHERE game = ? AND size = ?", game, size)
        return StoredReceipt(*rows[0]) if rows else None

    def _sign(self, game: str, size: int, root: str) -> StoredReceipt:
        """Sign and store a receipt; if another process was faster, return the receipt that it stored."""
        head = Checkpoint(game_origin(self.keys.current().name, game), size, bytes.fromhex(root))
        receipt = StoredReceipt(size, root, self.keys.sign(head))
        added = self._database.run(
            "INSERT INTO receipts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING size",
            game, size, root, receipt.note, time.time_ns() // 1000,
        )  # fmt: skip
        return receipt if added else self._at_size(game, size) or receipt

    def issue_at_end(self, game: str, entries: Sequence[Entry]) -> str | None:
        """Return the note over the log up to the last of `entries` if a hand or the game ends in them, else None.

        If the receipt can't be issued now, also return None: the stored facts stand, and the worker tries again.
        """
        if not any(entry.event.fact in ENDING_FACTS for entry in entries):
            return None
        try:
            return self.issue(game, entries[-1].event.version).note
        except TEMPORARY_ERRORS as error:
            LOG.warning("game %s: no receipt issued: %s", game, error)
            return None

    def with_receipt(self, history: History) -> History:
        """Return a history of the store as an export holds it: with every public key and a receipt over all events.

        If the log differs from that of an earlier receipt, attach that one: it shows verifiers the difference.
        """
        keys = [key.text for key in self.keys.public_keys()]
        return with_receipt(history, keys, self._note_over(history.header.game, len(history.lines)))

    def check(self, history: History, given: Sequence[tuple[str, str]] = (), keys: Sequence[Key] = ()) -> ReceiptChecks:
        """Check a history of the store against its stored receipts and against `given` ones (name, note)."""
        kept = [each.note for each in self.stored_receipts(history.header.game)]
        return check_receipts(history, given, kept, keys=keys, store=self.keys.public_keys())

    def _note_over(self, game: str, size: int) -> str | None:
        try:
            return self.issue(game, size).note
        except Corrupt as error:
            LOG.warning("game %s: its export gets an earlier receipt: %s", game, error)
            newest = self._newest(game)
            return None if newest is None else newest.note
        except TEMPORARY_ERRORS as error:
            LOG.warning("game %s: no receipt issued: %s", game, error)
            return None

    def issue_missing(self, upto: int) -> int:
        """Issue the missing receipts of hands and games that ended up to a log position, and return their number.

        Continue from the position that the last worker reached. Skip a log that differs from an earlier receipt.
        """
        issued, after = 0, self._position()
        for _ in range(MAX_PAGES):
            if after >= upto:
                break
            after, ended = self._read_page(after, upto)
            issued += sum(self._issue_if_missing(game, version) for game, version in ended.items())
            self._save_position(after)
        return issued

    def _read_page(self, after: int, upto: int) -> tuple[int, dict[str, int]]:
        """Return the last position of the next page, and `{game: version}` of the last ending in it of each game."""
        for limit in PAGE_SIZES:
            with suppress(Corrupt):
                page = [each for each in self._games.notifications(after, limit) if each.position <= upto]
                ended = {each.game: each.event.version for each in page if each.event.fact in ENDING_FACTS}
                return (page[-1].position if page else upto), ended
        return after + 1, {}

    def _issue_if_missing(self, game: str, version: int) -> bool:
        newest = self._newest(game)
        if newest is not None and newest.size >= version:
            return False
        try:
            self.issue(game)
        except Corrupt as error:
            LOG.warning("game %s: no receipt issued: %s", game, error)
            return False
        return True

    def _position(self) -> int:
        rows = self._database.run("SELECT last FROM counters WHERE name = 'receipts'")
        return int(rows[0][0]) if rows else 0

    def _save_position(self, position: int) -> None:
        self._database.run(
            "INSERT INTO counters VALUES ('receipts', ?) ON CONFLICT (name) DO UPDATE SET last = excluded.last"
            " WHERE counters.last < excluded.last",
            position,
        )
