"""How a page of the log is folded into rows: a bad event stops its game alone."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from domain.events import Event, GameOpened
from domain.store import NoSuchGame, UnreadableRow
from domain.store.aggregate import FOLD_ERRORS, Corrupt
from domain.store.log import LogPage, LogRow, Numbers, number_for, numbers_of
from domain.store.sql.transactions import Transaction, quote
from projections.storage.page_rows import PageRows
from projections.storage.quarantine import Fault, put_entry, remove_entry
from projections.storage.tables import Generation, Projection, table_names
from projections.storage.totals import StoredTables, change_totals

History = Callable[[str, Numbers], Iterable[Event[Any]]]
"""`history(game, numbers)` returns the game's events up to positions; raises Corrupt or NoSuchGame."""


class PageFold:
    """Folds pages of the log into one generation, within one transaction. `history` reads a game from its beginning."""

    def __init__(
        self, transaction: Transaction, projection: Projection, generation: Generation, history: History
    ) -> None:
        self._transaction, self._projection, self._generation = transaction, projection, generation
        self._history = history

    def fold(self, page: LogPage, left_out: Collection[str]) -> list[Fault]:
        """Fold a page without some games, which are in quarantine. Return the faults of games that are new in it.

        If an event of a game can't be folded, fold that game again from its first event: the rows may be damaged.
        """
        wanted, skipped = self._wanted(page.rows), set(left_out)
        games = {row.game for row in wanted}
        rows = PageRows(self._transaction, self._projection, self._generation, games)
        faults, unfolded = list[Fault](), list[str]()
        for row in wanted:
            if row.game in skipped:
                continue
            if isinstance(row, UnreadableRow):
                faults.append(Fault(row.game, row.position, row.version, row.reason, row.too_new))
                skipped.add(row.game)
            elif not self._fold_event(rows, row.event):
                unfolded.append(row.game)
                skipped.add(row.game)
        unfolded += sorted(rows.encode().difference(unfolded))
        for game in unfolded:
            rows.discard(game)
        rows.write()
        for fault in faults:
            self._put(fault)
        again = [self.refold(game, numbers_of(page.end)) for game in unfolded]
        return faults + [fault for fault in again if fault is not None]

    def _wanted(self, rows: list[LogRow]) -> list[LogRow]:
        """Return the rows that the projection looks at. At a game's first event and unreadable ones, all of them do."""
        facts = self._projection.facts
        if facts is None:
            return rows
        return [
            row
            for row in rows
            if isinstance(row, UnreadableRow) or type(row.event.data) in facts or row.event.version == 1
        ]

    def _fold_event(self, rows: PageRows, event: Event[Any]) -> bool:
        """Fold an event; return False if that fails, or if an opening isn't the game's first event."""
        if (event.version == 1) != isinstance(event.data, GameOpened):
            return False
        try:
            self._projection.fold(rows, event)
        except FOLD_ERRORS:
            return False
        return True

    def refold(self, game: str, upto: Numbers) -> Fault | None:
        """Fold a game's rows again from its first event up to these positions, and take it out of quarantine.

        If an event can't be read or folded, keep the rows before it, and put the game in quarantine.
        """
        self._remove_rows(game)
        rows, fault = self._fold_history(game, upto)
        if fault is not None and fault.version > 1 and rows is None:
            rows, _ = self._fold_history(game, upto, fault.version)
        if rows is not None:
            rows.encode()
            rows.write()
        if fault is None:
            remove_entry(self._transaction, self._projection.name, self._generation.number, game)
        else:
            self._put(fault)
        return fault

    def _fold_history(
        self, game: str, upto: Numbers, before: int | None = None
    ) -> tuple[PageRows | None, Fault | None]:
        """Fold a game's events before a version. Return its rows, and the fault of the first event that stops it.

        The rows are None if that event was folded in part.
        """
        rows = PageRows(self._transaction, self._projection, self._generation, [game], strict=True)
        version, position = 0, number_for(game, upto)
        try:
            for event in self._history(game, upto):
                if event.version == before:
                    break
                version = event.version
                self._projection.fold(rows, event)
        except Corrupt as error:
            return rows, Fault(game, position, error.version, error.what, error.too_new)
        except NoSuchGame:
            return rows, Fault(game, position, 0, "its row names no game")
        except FOLD_ERRORS as error:
            says = f"{self._projection.name} can't include this event ({type(error).__name__})"
            return None, Fault(game, position, version, says)
        return rows, None

    def drop(self, fault: Fault) -> None:
        """Remove a game's rows, and leave it out from now on."""
        self._remove_rows(fault.game)
        self._put(fault)

    def _remove_rows(self, game: str) -> None:
        names = table_names(self._projection, self._generation)
        tables = {table.name: table for table in self._projection.tables}
        for name, table in tables.items():
            where = f"FROM {names[name]} WHERE {quote(table.key_columns[0])} = ?"
            rows = []
            if table.totals or table.derivation:
                rows = self._transaction.run(f"SELECT {', '.join(map(quote, table.columns))} {where}", game)
                change_totals(self._transaction, tables, names, table, rows, ())
            self._transaction.run(f"DELETE {where}", game)
            StoredTables(self._transaction, tables, names).derive(table, rows, ())

    def _put(self, fault: Fault) -> None:
        put_entry(self._transaction, self._projection.name, self._generation.number, fault)
