"""Receipts: signed notes of how long a game's log is and what its root is, given to whoever asks, and all of them kept.

A receipt at one size of a game is given once and is the same ever after. Before one is signed the log is held against
the newest that is kept: this server never signs two histories of one game, whatever happens to its store.
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
from replay.history.receipts import Receipts as Checked
from replay.history.receipts import check_receipts, signed

LOG = logging.getLogger("trickbook.receipts")
ENDING_FACTS = frozenset(("HandScored", "HandThrownIn", "GameEnded", "RulingGiven", "RulingDecided"))
"""Facts after which a receipt is given unasked."""
TEMPORARY_ERRORS = (NoSigningKey, Corrupt, StoreUnavailable, sqlite3.Error, psycopg.Error)
DIFFERENT_LOG = "the log up to it is not the one that a receipt was given of"
PAGE_SIZES = (500, 20, 1)
"""Events looked at together; fewer where one of them cannot be read, until that one is found and passed over."""
MAX_PAGES = 20


@dataclass(frozen=True)
class StoredReceipt:
    """A receipt that was given: over how many events, the root in hex, and the note."""

    size: int
    root: str
    note: str


class ReceiptIssuer:
    """The receipts of the games in one store, kept in its office."""

    def __init__(self, sql: Database, keys: SigningKeys, games: Games) -> None:
        self._sql, self._games = sql, games
        self.keys = keys

    def stored_receipts(self, game: str) -> list[StoredReceipt]:
        """Every receipt given of the game, by size."""
        rows = self._sql.run("SELECT size, root, note FROM receipts WHERE game = ? ORDER BY size", game)
        return [StoredReceipt(*row) for row in rows]

    def issue(self, game: str, size: int | None = None) -> StoredReceipt:
        """The receipt over the first `size` events of the log, all of them where it is None.

        Raises ValueError for a size the log does not have, Corrupt where the log is not the one that a receipt was
        given of before, NoKey where the key is not to be had.
        """
        newest = self._newest(game)  # first, so that the log is at least as new
        state, root = self._games.snapshot(game)
        self._holds(game, newest, state.version, root)
        size = state.version if size is None else size
        if not 1 <= size <= state.version:
            raise ValueError(f"the log has events 1 to {state.version}")
        if newest is not None and newest.size == size:
            return newest
        return self._given(game, size, self._root(game, size, state.version, root))

    def _newest(self, game: str) -> StoredReceipt | None:
        rows = self._sql.run("SELECT size, root, note FROM receipts WHERE game = ? ORDER BY size DESC LIMIT 1", game)
        return StoredReceipt(*rows[0]) if rows else None

    def _holds(self, game: str, newest: StoredReceipt | None, version: int, root: str) -> None:
        if newest is None:
            return
        if newest.size > version:
            raise Corrupt(game, version + 1, f"it is gone: a receipt was given of {newest.size} events")
        if self._root(game, newest.size, version, root) != newest.root:
            raise Corrupt(game, newest.size, DIFFERENT_LOG)

    def _root(self, game: str, size: int, version: int, root: str) -> str:
        """The root at `size`: the link of the event after it."""
        return root if size == version else self._games.entries(game, size, size + 1)[0].prev.hex()

    def _given(self, game: str, size: int, root: str) -> StoredReceipt:
        kept = self._at(game, size) or self._sign(game, size, root)
        if kept.root != root:
            raise Corrupt(game, size, DIFFERENT_LOG)
        return kept

    def _at(self, game: str, size: int) -> StoredReceipt | None:
        rows = self._sql.run("SELECT size, root, note FROM receipts WHERE game = ? AND size = ?", game, size)
        return StoredReceipt(*rows[0]) if rows else None

    def _sign(self, game: str, size: int, root: str) -> StoredReceipt:
        """Sign and keep; where another process was faster, what that one kept."""
        head = Checkpoint(game_origin(self.keys.current().name, game), size, bytes.fromhex(root))
        made = StoredReceipt(size, root, self.keys.sign(head))
        added = self._sql.run(
            "INSERT INTO receipts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING size",
            game, size, root, made.note, time.time_ns() // 1000,
        )  # fmt: skip
        return made if added else self._at(game, size) or made

    def issue_at_end(self, game: str, entries: Sequence[Entry]) -> str | None:
        """The note over the log up to the last of `entries`, where a hand or the game ends in them; else None.

        None too where it cannot be had now: what has been stored stands, and the worker looks after it.
        """
        if not any(entry.event.fact in ENDING_FACTS for entry in entries):
            return None
        try:
            return self.issue(game, entries[-1].event.version).note
        except TEMPORARY_ERRORS as error:
            LOG.warning("game %s: no receipt: %s", game, error)
            return None

    def with_receipt(self, history: History) -> History:
        """A history of the store as an export carries it: with every public key, and a receipt over all of it.

        Where the log is not the one of an earlier receipt it carries that one, which says so to whoever verifies it.
        """
        keys = [key.text for key in self.keys.public_keys()]
        return signed(history, keys, self._over(history.header.game, len(history.lines)))

    def check(self, history: History, given: Sequence[tuple[str, str]] = (), keys: Sequence[Key] = ()) -> Checked:
        """A history of the store against the receipts that were kept of it, and those that are `given` (name, note)."""
        kept = [each.note for each in self.stored_receipts(history.header.game)]
        return check_receipts(history, given, kept, keys=keys, store=self.keys.public_keys())

    def _over(self, game: str, size: int) -> str | None:
        try:
            return self.issue(game, size).note
        except Corrupt as error:
            LOG.warning("game %s: an earlier receipt goes with its export: %s", game, error)
            newest = self._newest(game)
            return None if newest is None else newest.note
        except TEMPORARY_ERRORS as error:
            LOG.warning("game %s: no receipt: %s", game, error)
            return None

    def issue_missing(self, upto: int) -> int:
        """Give what is missing where a hand or a game ended up to a position of the log; how many receipts that were.

        It goes on from where the last worker left off. A log that is not the one of an earlier receipt is passed over.
        """
        many, after = 0, self._followed()
        for _ in range(MAX_PAGES):
            if after >= upto:
                break
            after, ended = self._ended(after, upto)
            many += sum(self._missing(game, version) for game, version in ended.items())
            self._follow(after)
        return many

    def _ended(self, after: int, upto: int) -> tuple[int, dict[str, int]]:
        """How far the next page goes, and in which games something ended in it, and at which version last."""
        for limit in PAGE_SIZES:
            with suppress(Corrupt):
                page = [each for each in self._games.notifications(after, limit) if each.position <= upto]
                ended = {each.game: each.event.version for each in page if each.event.fact in ENDING_FACTS}
                return (page[-1].position if page else upto), ended
        return after + 1, {}

    def _missing(self, game: str, version: int) -> bool:
        newest = self._newest(game)
        if newest is not None and newest.size >= version:
            return False
        try:
            self.issue(game)
        except Corrupt as error:
            LOG.warning("game %s: no receipt: %s", game, error)
            return False
        return True

    def _followed(self) -> int:
        rows = self._sql.run("SELECT last FROM counters WHERE name = 'receipts'")
        return int(rows[0][0]) if rows else 0

    def _follow(self, position: int) -> None:
        self._sql.run(
            "INSERT INTO counters VALUES ('receipts', ?) ON CONFLICT (name) DO UPDATE SET last = excluded.last"
            " WHERE counters.last < excluded.last",
            position,
        )
