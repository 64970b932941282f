"""Takes the notes of the accounts into the inboxes, in the order in which they were written, each once."""

from api.accounts.inbox.outbox import Outbox, OutboxEntry
from projections.lists.inbox import OUTBOX, new_entry
from projections.lists.inbox_pages import outbox_position
from projections.storage.rows import RowStore
from projections.storage.tables import Row

PAGE = 500


class OutboxFollower:
    """Safe for concurrent use by several processes: only one of them takes each page."""

    def __init__(self, outbox: Outbox, rows: RowStore) -> None:
        self._outbox, self._rows = outbox, rows
        self._taken = -1

    def turn(self) -> int:
        """Take every note that isn't in the inboxes yet, and return their number."""
        count = 0
        while entries := self._next_page():
            count += len(entries)
        return count

    def is_behind(self, last: int) -> bool:
        """Return whether there may be notes up to this number that aren't in the inboxes."""
        return last != self._taken

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
