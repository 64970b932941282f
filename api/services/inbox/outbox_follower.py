"""Takes the notes of the accounts into the inboxes, in the order in which they were written, each once."""

import logging
import threading
from time import monotonic

from api.accounts.inbox.outbox import Outbox, OutboxEntry
from projections.followers.troubles import TroubleLog
from projections.lists.inbox import OUTBOX, new_entry
from projections.lists.inbox_pages import outbox_position
from projections.storage.rows import RowStore, RowsUnavailable
from projections.storage.tables import Row

LOG = logging.getLogger("trickbook.inbox")
PAGE = 500
POLL_S = 0.1
LOOK_S = 1.0
"""How often the inboxes are looked at although no note is new: they may have been rebuilt."""


class OutboxFollower:
    """Safe for concurrent use by several processes: only one of them takes each page."""

    def __init__(self, outbox: Outbox, rows: RowStore) -> None:
        self._outbox, self._rows = outbox, rows
        self._taken = -1

    def run(self, stop: threading.Event) -> None:
        """Take notes until `stop` is set, despite errors."""
        trouble, look_at = TroubleLog(LOG, "taking notes into inboxes"), 0.0
        while not stop.wait(POLL_S):
            with trouble.attempt(RowsUnavailable):
                if monotonic() >= look_at or self.is_behind():
                    self.turn()
                    look_at = monotonic() + LOOK_S

    def turn(self) -> int:
        """Take every note that isn't in the inboxes yet, and return their number."""
        count = 0
        while entries := self._next_page():
            count += len(entries)
        return count

    def is_behind(self) -> bool:
        """Return whether there may be notes that aren't in the inboxes."""
        return self._outbox.last() != self._taken

    def _next_page(self) -> list[OutboxEntry]:
        with self._rows.snapshot("inbox") as reading:
            at = outbox_position(reading)
        entries = self._outbox.after(at, PAGE)
        if not entries:
            self._taken = at
            return []
        mark = {"source": OUTBOX, "last": entries[-1].number}
        rows = [_row(each) for each in entries]
        added = self._rows.add_rows("inbox", "entries", rows, ("sources", mark), lambda now: outbox_position(now) == at)
        return entries if added else []


def _row(entry: OutboxEntry) -> Row:
    note = entry.note
    return new_entry(OUTBOX, entry.number, note.player, note.kind, note.about, entry.at, note.data)
