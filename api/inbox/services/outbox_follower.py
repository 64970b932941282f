"""Takes the notes of the accounts into the inboxes, in the order in which they were written, each once.

One note warns a player whose turn ends soon.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from api.container import Services
from api.inbox.stored.outbox import InboxNote, Outbox, OutboxEntry
from domain.engine.paces import EVENT_TIME
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt
from projections.lists.deadlines import DEADLINES, games_to_warn
from projections.lists.inbox import OUTBOX, new_entry
from projections.lists.inbox_pages import outbox_position
from projections.storage.rows import RowStore
from projections.storage.tables import Row

LOOK_BACK = timedelta(days=1)
"""How far a worker looks back that has just started: another one may have stopped before."""
OVERLAP = timedelta(minutes=2)
"""How far it looks back later on: the list of deadlines may be that far behind the log."""
MOST_AT_ONCE = 500


class DeadlineWarner:
    """Goes through the warnings in order of time. Several processes may each have one."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._done = _before(services.clock.now(), LOOK_BACK)

    def run_once(self) -> int:
        """Warn the players whose time has come, and return the number of turns."""
        now = self._services.clock.now()
        with self._services.rows.snapshot(DEADLINES.name) as reading:
            rows = games_to_warn(reading, self._done, now, MOST_AT_ONCE)
        warned = sum(self._warn(row) for row in rows)
        self._done = rows[-1]["warns_at"] if len(rows) == MOST_AT_ONCE else max(self._done, _before(now, OVERLAP))
        return warned

    def _warn(self, row: Row) -> bool:
        """Warn the people in turn if it's still the turn that the list shows."""
        try:
            state = self._services.games.state(row["game"])
        except (Corrupt, NoSuchGame):
            return False
        seats = [seat for seat in row["turn"] if seat in state.turn and seat in row["people"]]
        notes = [
            InboxNote(state.seats[seat].player, "deadline", row["game"], {"seat": seat, "version": state.version})
            for seat in seats
        ]
        return bool(notes) and self._services.accounts.deadline_warnings.leave(row["game"], row["since"], notes)


def _before(moment: str, time: timedelta) -> str:
    return (datetime.fromisoformat(moment) - time).strftime(EVENT_TIME)


PAGE = 500


class OutboxFollower:
    """Safe for concurrent use by several processes: only one of them takes each page."""

    def __init__(self, outbox: Outbox, rows: RowStore) -> None:
        self._outbox, self._rows = outbox, rows
        self._taken = -1

    def run_once(self) -> int:
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
            last = self._outbox.last()
            # accounts that are older than the inboxes count from there: as many notes would be passed over
            if last < at and self._add([], last, at):
                return self._next_page()
            self._taken = at
            return []
        return entries if self._add(entries, entries[-1].number, at) else []

    def _add(self, entries: Sequence[OutboxEntry], last: int, at: int) -> bool:
        """Take entries, and move the mark from `at` to `last`; return False if another process has moved it."""
        mark, rows = {"source": OUTBOX, "last": last}, [_row(each) for each in entries]
        return self._rows.add_rows("inbox", "entries", rows, ("sources", mark), lambda now: outbox_position(now) == at)


def _row(entry: OutboxEntry) -> Row:
    note = entry.note
    return new_entry(OUTBOX, entry.number, note.player, note.kind, note.about, entry.at, note.data)
