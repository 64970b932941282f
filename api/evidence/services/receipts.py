"""Receipts: signed notes of the size and root of a game's log, issued at ends of hands and to players, and all stored.

Each size of a game has at most one receipt, which never changes. Before the server signs a receipt, it checks the log
against the newest stored one: it never signs two histories of one game, whatever happens to its store.
"""

import logging
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import psycopg

from api.config.settings import ChosenWitness
from api.delivery.stored import queue
from api.delivery.stored.log_reader import LogReader
from api.delivery.stored.queue import WITNESSES
from api.evidence.services.keys import NoSigningKey, SigningKeys
from api.evidence.stored.receipts import StoredCosignatures, StoredReceipt, StoredReceipts
from domain.protocols.signed_notes import Checkpoint, Key, Note, Signature, game_origin, parse_note
from domain.store import Games, Notice, StoreUnavailable
from domain.store.aggregate import Corrupt
from domain.store.log import Numbers
from domain.store.sql.database import Database, Transaction
from replay.history import History
from replay.history.receipts import ReceiptChecks, check_receipts, with_receipt
from replay.history.signatures import BadSignature, cosignatures

LOG = logging.getLogger("trickbook.receipts")
ENDING_FACTS = frozenset(("HandScored", "HandThrownIn", "GameEnded", "RulingGiven", "RulingDecided"))
"""Facts after which the server issues a receipt without a request."""
TEMPORARY_ERRORS = (NoSigningKey, Corrupt, StoreUnavailable, sqlite3.Error, psycopg.Error)
DIFFERENT_LOG = "the log up to this event differs from the log that a receipt was issued for"
NO_SUCH_RECEIPT = "The server has no such receipt of this game."
NO_WITNESS = "None of the signatures is by a witness that this server takes: its host sets TRICKBOOK_WITNESSES."
MAX_PAGES = 20
READER = "receipts"
"""The name by which the place in the log is stored."""


class NoCosignature(ValueError):
    """There is no cosignature that the server takes; the message says why."""


class ReceiptIssuer:
    """Issues the receipts of one store's games and stores them with its accounts."""

    def __init__(
        self, database: Database, keys: SigningKeys, games: Games, witnesses: Sequence[ChosenWitness] = ()
    ) -> None:
        """`witnesses` are those whose cosignatures are stored and shown; those with an address are asked for them."""
        self._stored, self._games = StoredReceipts(database), games
        self._cosignatures = StoredCosignatures(database)
        self._reader = LogReader(READER, database, games, None, from_end=False)
        self.keys, self.witnesses = keys, tuple(each.key for each in witnesses)
        self._asked = [each.key.label for each in witnesses if each.url is not None]

    def stored_receipts(self, game: str) -> list[StoredReceipt]:
        """Return every receipt issued for the game, by size."""
        return self._stored.all_of(game)

    def issue(self, game: str, size: int | None = None) -> StoredReceipt:
        """Return the receipt over the first `size` events of the log (None: all events), signing it if it's new.

        One that was there has its cosignatures.

        Raise ValueError if the log is shorter, Corrupt if it differs from the log of an earlier receipt, NoSigningKey
        if the key isn't available.
        """
        newest = self._stored.newest(game)  # read first, so that the log is at least as new
        state, root = self._games.snapshot(game)
        self._check_log(game, newest, state.version, root)
        size = state.version if size is None else size
        if not 1 <= size <= state.version:
            raise ValueError(f"the log has events 1 to {state.version}")
        if newest is not None and newest.size == size:
            return self._cosigned(game, newest)
        root = self._root(game, size, state.version, root)
        known = None if newest is None or newest.size < size else self._stored.at_size(game, size)
        receipt = self._sign(game, size, root) if known is None else self._cosigned(game, known)
        if receipt.root != root:
            raise Corrupt(game, size, DIFFERENT_LOG)
        return receipt

    def find(self, game: str, at_most: int) -> StoredReceipt | None:
        """Return the newest receipt over at most `at_most` events with its cosignatures, or None.

        Nothing is signed or stored. Raise Corrupt if the log differs from the log of an earlier receipt.
        """
        newest = self._stored.newest(game)  # read first, so that the log is at least as new
        state, root = self._games.snapshot(game)
        self._check_log(game, newest, state.version, root)
        found = newest if newest is None or newest.size <= at_most else self._stored.newest(game, at_most)
        return None if found is None else self._cosigned(game, found)

    def _cosigned(self, game: str, receipt: StoredReceipt) -> StoredReceipt:
        return replace(receipt, note=self._cosignatures.with_lines(game, receipt.size, receipt.note))

    def add_cosignatures(
        self, game: str, size: int, lines: Sequence[Signature], at_most: int | None = None
    ) -> StoredReceipt:
        """Store cosignatures on the kept receipt of `size` events, and return it with all that it has.

        Raise LookupError without such a receipt of at most `at_most` events, NoCosignature if no line is by a known
        witness or one is invalid.
        """
        kept = None if at_most is not None and size > at_most else self._stored.at_size(game, size)
        if kept is None:
            raise LookupError(NO_SUCH_RECEIPT)
        try:
            found = cosignatures(Note(parse_note(kept.note).body, tuple(lines)), self.witnesses)
        except BadSignature as error:
            raise NoCosignature(str(error)) from None
        valid = {each.key.label for each in found}
        if not valid:
            raise NoCosignature(NO_WITNESS)
        self._cosignatures.add(game, size, [each for each in lines if each.label in valid])
        return self._cosigned(game, kept)

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

    def _sign(self, game: str, size: int, root: str) -> StoredReceipt:
        """Sign and store a receipt; if another process was faster, return the receipt that it stored."""
        key = self.keys.current()
        head = Checkpoint(game_origin(key.name, game), size, bytes.fromhex(root))
        return self._stored.add(game, StoredReceipt(size, root, self.keys.sign(head, key)))

    def issue_now(self, game: str, size: int) -> str | None:
        """Return the note over the first `size` events, or None if the receipt can't be issued now.

        The stored facts stand then, and the worker tries again.
        """
        try:
            return self.issue(game, size).note
        except TEMPORARY_ERRORS as error:
            LOG.warning("game %s: no receipt issued: %s", game, error)
            return None

    def with_receipt(self, history: History) -> History:
        """Return a history of the store as an export holds it: with every public key and its newest receipt, if any.

        If the log differs from that of an earlier receipt, attach that one: it shows verifiers the difference.
        """
        keys = [key.text for key in self.keys.public_keys()]
        return with_receipt(history, keys, self._stored_note(history.header.game, len(history.lines)))

    def check(
        self,
        history: History,
        given: Sequence[tuple[str, str]] = (),
        keys: Sequence[Key] = (),
        at_most: int | None = None,
    ) -> ReceiptChecks:
        """Check a history of the store against its stored receipts and against `given` ones (name, note).

        Leave out stored receipts over more than `at_most` events: the history ends there for its reader.
        """
        game = history.header.game
        stored = [each for each in self.stored_receipts(game) if at_most is None or each.size <= at_most]
        kept = [self._cosigned(game, each).note for each in stored]
        return check_receipts(history, given, kept, keys=keys, store=(*self.keys.public_keys(), *self.witnesses))

    def _stored_note(self, game: str, size: int) -> str | None:
        try:
            found = self.find(game, size)
        except Corrupt as error:
            LOG.warning("game %s: its export gets an earlier receipt: %s", game, error)
            newest = self._stored.newest(game)
            found = None if newest is None else self._cosigned(game, newest)
        except TEMPORARY_ERRORS as error:
            LOG.warning("game %s: its export gets no receipt: %s", game, error)
            return None
        return None if found is None else found.note

    def issue_missing(self, upto: Numbers) -> int:
        """Issue the missing receipts of hands and games that ended up to log positions, and return their number.

        Continue from the positions that the last worker reached, or from the beginning if the log is another one. Skip
        a log that differs from an earlier receipt.
        """
        issued = 0
        for _ in range(MAX_PAGES):
            page = self._reader.next_page(upto)
            if page is None:
                break
            ended = {row.game: row.event.version for row in page.facts if _is_ending(row)}
            issued += sum(self._issue_if_missing(game, version) for game, version in ended.items())
            if not self._reader.go_on(page, partial(self._leave_to_witnesses, ended)):  # another worker reads here
                break
        return issued

    def _leave_to_witnesses(self, games: Collection[str], transaction: Transaction) -> None:
        """Have the newest receipts of games signed by the witnesses with an address."""
        for game, label in product(games, self._asked):
            queue.add(transaction, WITNESSES, f"{game} {label}", "", transaction.now())

    def _issue_if_missing(self, game: str, version: int) -> bool:
        newest = self._stored.newest(game)
        if newest is not None and newest.size >= version:
            return False
        try:
            self.issue(game)
        except Corrupt as error:
            LOG.warning("game %s: no receipt issued: %s", game, error)
            return False
        return True


def _is_ending(notice: Notice) -> bool:
    return notice.event.fact in ENDING_FACTS
