"""Reads the log page by page, and the accounts' notes beside it; each page has its effect once.

The effect and the new place are one transaction, so a page is neither lost by a crash nor done by two processes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from api.inbox.stored.outbox import Outbox, OutboxEntry
from domain.store import Games, Notice
from domain.store.log import LogPosition, Numbers, Positions
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS reader_places (
        reader TEXT NOT NULL, shard BIGINT NOT NULL, position BIGINT NOT NULL, leaf TEXT NOT NULL,
        PRIMARY KEY (reader, shard))""",
)
NOTES = -1
"""Stands for the accounts' notes, where shards have their numbers. Each place has it, so there is a row to lock."""
LOCK = "UPDATE reader_places SET position = position WHERE reader = ? AND shard = ?"
"""Lets one process at a time go on."""
SELECT = "SELECT shard, position, leaf FROM reader_places WHERE reader = ? ORDER BY shard"


@dataclass(frozen=True)
class ReaderPlace:
    """A place in the log, and the number of the last note."""

    positions: Positions
    note: int = 0

    @property
    def rows(self) -> list[tuple[int, int, str]]:
        """The same as rows."""
        return [(NOTES, self.note, ""), *((each.shard, each.number, each.leaf) for each in self.positions)]


class ReaderPlaces:
    """The table `reader_places`. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, reader: str) -> ReaderPlace | None:
        """Return how far a reader has come; None before its first page."""
        rows = self._database.run(SELECT, reader)
        notes = next((number for shard, number, _ in rows if shard == NOTES), 0)
        return ReaderPlace(tuple(LogPosition(*row) for row in rows if row[0] != NOTES), notes) if rows else None

    @staticmethod
    def go_on(transaction: Transaction, reader: str, before: ReaderPlace | None, reached: ReaderPlace) -> bool:
        """Let a reader go on from `before` to `reached`; return False if another process has gone on from there."""
        if before is None:
            transaction.lock_schema()  # there is no row to lock yet
        else:
            transaction.run(LOCK, reader, NOTES)
        rows = [(int(shard), int(position), str(leaf)) for shard, position, leaf in transaction.run(SELECT, reader)]
        if rows != ([] if before is None else before.rows):
            return False
        transaction.run("DELETE FROM reader_places WHERE reader = ?", reader)
        new = [(reader, *row) for row in reached.rows]
        transaction.run_many("INSERT INTO reader_places VALUES (?, ?, ?, ?)", new)
        return True


PAGE = 500
"""Events read together, and notes."""


@dataclass(frozen=True)
class ReadPage:
    """The next facts of the log and the next notes, with the places before and after them.

    Rows that can't be read are left out: they fail for all readers, and lists name them.
    """

    facts: Sequence[Notice]
    notes: Sequence[OutboxEntry]
    before: ReaderPlace | None
    reached: ReaderPlace


class LogReader:
    """Several processes may each have one of a name: only one of them has the effect of a page."""

    def __init__(self, name: str, database: Database, games: Games, notes: Outbox | None, *, from_end: bool) -> None:
        """Without a place in this log, begin at its end or at its beginning; `notes` are read too."""
        self._name, self._database, self._games = name, database, games
        self._notes, self._from_end = notes, from_end
        self._places = ReaderPlaces(database)

    def next_page(self, upto: Numbers | None = None) -> ReadPage | None:
        """Return the next page, up to positions of the log; None if nothing is new.

        A place of another log counts as none: that's so after a return to a backup, or with another number of shards.
        """
        stored, log = self._places.of(self._name), self._games.log
        is_new = stored is None or not log.has_positions(stored.positions)
        before = self._begin(stored) if is_new else stored
        if before is None:
            return None
        page = log.read(before.positions, PAGE, upto)
        notes = [] if self._notes is None else self._notes.after(before.note, PAGE)
        if not page.rows and not notes:
            return None
        facts = [row for row in page.rows if isinstance(row, Notice)]
        return ReadPage(facts, notes, stored, ReaderPlace(page.end, notes[-1].number if notes else before.note))

    def go_on(self, page: ReadPage, effect: Callable[[Transaction], None] = lambda _: None) -> bool:
        """Have the effect of a page, and go on after it; return False if another process has."""
        return self._move(page.before, page.reached, effect)

    def _begin(self, stored: ReaderPlace | None) -> ReaderPlace | None:
        """Return the beginning of the log; or go to its end, and return None: a reader of news tells nothing old."""
        if not self._from_end:
            return ReaderPlace((), 0)
        end = ReaderPlace(self._games.log.heads(), 0 if self._notes is None else self._notes.last())
        self._move(stored, end, lambda _: None)
        return None

    def _move(self, before: ReaderPlace | None, reached: ReaderPlace, effect: Callable[[Transaction], None]) -> bool:
        with self._database.transaction(writes=True) as transaction:
            goes_on = ReaderPlaces.go_on(transaction, self._name, before, reached)
            if goes_on:
                effect(transaction)
        return goes_on
