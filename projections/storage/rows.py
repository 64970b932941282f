"""Rows of projections, stored with the log positions up to which they are folded; all change in one transaction.

Each projection has generations of tables: the live one, which readers use; at times one that is being rebuilt; and the
retired one, kept so that readers who have just begun can finish. A follower first moves the positions from those it
read, and touches rows only if that succeeds: if two followers fold the same page, one of them does nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from domain.store.held_clock import machine_time
from domain.store.log import LogPage, Numbers, numbers_of
from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Timeouts
from domain.store.sql.database import DATABASE_ERRORS, Clock, describe_error
from domain.store.sql.transactions import Transaction, quote
from projections.storage import quarantine
from projections.storage.page_rows import PageRows
from projections.storage.pages import History, PageFold
from projections.storage.quarantine import CORRUPT_GAMES, Fault, QuarantineEntry, corrupt_among, fault_of
from projections.storage.repair import RowDatabase
from projections.storage.tables import (
    DamagedRow,
    Generation,
    NoLiveRows,
    Projection,
    Row,
    create_statements,
    read_positions,
    table_names,
    write_positions,
)

CREATE_FOLLOWERS = """CREATE TABLE IF NOT EXISTS followers (
    projection {text} NOT NULL, generation BIGINT NOT NULL, version BIGINT NOT NULL,
    state {text} NOT NULL, positions {text} NOT NULL DEFAULT '', PRIMARY KEY (projection, generation))"""
CREATE_TROUBLES = "CREATE TABLE IF NOT EXISTS troubles (projection {text} PRIMARY KEY, reason {text} NOT NULL)"
SELECT_GENERATION = "SELECT generation, version, positions FROM followers WHERE projection = ? AND state = ?"
SELECT_LIVE = "SELECT projection, generation, version, positions FROM followers WHERE state = 'live'"
MOVE_POSITIONS = """UPDATE followers SET positions = ?
    WHERE projection = ? AND generation = ? AND positions = ? AND state <> 'dropped'"""
LOCK_POSITIONS = "UPDATE followers SET positions = positions WHERE projection = ? AND state = 'live'"
INSERT_GENERATION = "INSERT INTO followers (projection, generation, version, state) VALUES (?, ?, ?, ?)"
MARK_DROPPED = "UPDATE followers SET state = 'dropped' WHERE projection = ? AND generation = ?"
SET_STATE = "UPDATE followers SET state = ? WHERE projection = ? AND generation = ? AND state = ?"
PUT_TROUBLE = "INSERT INTO troubles VALUES (?, ?) ON CONFLICT (projection) DO UPDATE SET reason = excluded.reason"
ADD_POSITIONS = "ALTER TABLE followers ADD COLUMN positions {text} NOT NULL DEFAULT ''"
COPY_POSITION = "UPDATE followers SET positions = position || ':' || {leaf} WHERE position > 0"
OLDER_COLUMNS = "position", "leaf"
"""A position was a number, since 0.2 with the leaf of its event. There was one shard."""


class RowsUnavailable(Exception):
    """The database of the projections failed. The log isn't affected."""


class RowSnapshot:
    """A projection's rows at one moment: those of all commits up to the positions `at`, in each shard.

    `is_current` is false while rows of an older version are read because the new ones aren't complete.
    """

    def __init__(self, transaction: Transaction, projection: Projection, generation: Generation) -> None:
        self.at, self.generation = generation.at, generation.number
        self.is_current = generation.version == projection.version
        self._stored_columns: dict[str, frozenset[str]] = {}
        self._transaction = transaction
        self._projection = projection
        self._names = table_names(projection, generation)

    def find(self, table: str, tail: str, *values: Any) -> list[Row]:
        """Return the rows that `tail` selects (WHERE, ORDER BY, LIMIT).

        {name} is a table, {corrupt} the games in quarantine, ? a value.
        """
        columns, codec = self._projection.table(table).columns, self._projection.table(table).codec
        selected = ", ".join(quote(column) if self.has_column(table, column) else "NULL" for column in columns)
        return [codec.from_values(row) for row in self._select(selected, table, tail, values)]

    def find_column(self, table: str, column: str, tail: str, *values: Any) -> list[Any]:
        """Return one column of the rows that `tail` selects."""
        return [value for (value,) in self._select(quote(column), table, tail, values)]

    def _select(self, selected: str, table: str, tail: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        names = {**self._names, "corrupt": CORRUPT_GAMES}
        return self._transaction.run(f"SELECT {selected} FROM {self._names[table]} {tail.format_map(names)}", *values)

    def has_column(self, table: str, column: str) -> bool:
        """Return whether the table has this column: rows of an older version may lack some, which read as None."""
        if self.is_current:
            return True
        if table not in self._stored_columns:
            self._stored_columns[table] = frozenset(self._transaction.columns(self._names[table]))
        return column in self._stored_columns[table]

    def fault(self, game: str) -> Fault | None:
        """Return why this projection leaves a game out, or None."""
        return fault_of(self._transaction, game, self._projection.name)

    def corrupt(self, games: Sequence[str]) -> frozenset[str]:
        """Return which of these games are in quarantine."""
        return corrupt_among(self._transaction, games)


class RowStore:
    """The rows of `projections`, in `data`/views.db or in the schema `views` at `url`.

    Safe for concurrent use by several processes. Methods raise RowsUnavailable if the database fails. If its tables are
    gone or its file is damaged, they are created again, empty; followers then fold the log again.
    """

    def __init__(
        self,
        data: Path | None,
        url: str | None,
        projections: Sequence[Projection],
        *,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        migrate: bool = True,
        clock: Clock = machine_time,
    ) -> None:
        self.projections = {projection.name: projection for projection in projections}
        self._database = RowDatabase(data, url, timeouts, self._create_missing_tables, clock)
        if migrate:
            try:
                self.migrate()
            except RowsUnavailable:
                if url is not None:
                    raise
                self.migrate()  # a damaged file was replaced by an empty one

    def migrate(self) -> None:
        """Create the missing tables. Safe for concurrent use by several processes."""
        with self._schema_transaction() as transaction:
            self._create_missing_tables(transaction)

    def live_generation(self, name: str) -> Generation:
        """Return the generation that readers use."""
        with self._transaction(writes=False) as transaction:
            return _live_generation(transaction, name)

    def live_generations(self) -> dict[str, Generation]:
        """Return the generation of each projection as `live_generation` does; leave out what is missing or damaged."""
        with self._transaction(writes=False) as transaction:
            rows = transaction.run(SELECT_LIVE)
        found: dict[str, Generation] = {}
        for name, *row in rows:
            with suppress(DamagedRow):
                found[name] = _read_generation(row)
        return found

    @contextmanager
    def snapshot(self, name: str) -> Iterator[RowSnapshot]:
        """Open a snapshot of a projection's live rows."""
        with self._transaction(writes=False) as transaction:
            yield RowSnapshot(transaction, self.projections[name], _live_generation(transaction, name))

    def fold(self, name: str, generation: Generation, page: LogPage, history: History) -> Sequence[Fault] | None:
        """Fold the page that follows the generation's positions, as `fold_together` does, into one projection."""
        return self.fold_together({name: generation}, page, history)[name]

    def fold_together(
        self, generations: Mapping[str, Generation], page: LogPage, history: History
    ) -> dict[str, Sequence[Fault] | None]:
        """Fold the page that follows the positions of these generations of projections, in one transaction.

        Return for each projection the faults of games that are new in quarantine, or None if another process has
        folded the page. `history` reads a game from its first event.
        """
        faults: dict[str, Sequence[Fault] | None] = {}
        with self._transaction(writes=True) as transaction:
            left_out: Mapping[tuple[str, int], set[str]] | None = None
            for name in filter(generations.__contains__, self.projections):  # in the order in which all lock them
                generation = generations[name]
                before = name, generation.number, write_positions(generation.at)
                if transaction.count_changes(MOVE_POSITIONS, write_positions(page.end), *before) != 1:
                    faults[name] = None
                    continue
                if left_out is None:
                    left_out = quarantine.games_in_quarantine(transaction, {row.game for row in page.rows})
                fold = PageFold(transaction, self.projections[name], generation, history)
                faults[name] = fold.fold(page, left_out.get((name, generation.number), ()))
        return faults

    def add_rows(
        self, name: str, table: str, rows: Sequence[Row], mark: tuple[str, Row], is_next: Callable[[RowSnapshot], bool]
    ) -> bool:
        """Add rows from another source than the log to a list, and put the row `mark`: (table, row), which counts them.

        Do nothing and return False if `is_next` is false by now: another process has added them.
        """
        projection = self.projections[name]
        with self._transaction(writes=True) as transaction:
            transaction.run(LOCK_POSITIONS, name)
            live = _live_generation(transaction, name)
            if live.version != projection.version or not is_next(RowSnapshot(transaction, projection, live)):
                return False
            page = PageRows(transaction, projection, live, (), strict=True)
            for row in rows:
                page.put(table, row)
            page.put(*mark)
            page.encode()
            page.write()
            return True

    def refold(self, name: str, game: str, history: History) -> Fault | None:
        """Fold a game's live rows again from its first event, and take it out of quarantine unless that fails."""
        with self._transaction(writes=True) as transaction:
            transaction.run(LOCK_POSITIONS, name)
            live = _live_generation(transaction, name)
            return PageFold(transaction, self.projections[name], live, history).refold(game, numbers_of(live.at))

    def quarantined(self, limit: int = 1000) -> list[QuarantineEntry]:
        """Return up to `limit` entries of games that the live lists leave out, by game."""
        with self._transaction(writes=False) as transaction:
            return quarantine.entries(transaction, limit)

    def count_quarantined(self) -> int:
        """Return the number of games in quarantine, without those that the operator dropped."""
        with self._transaction(writes=False) as transaction:
            return int(transaction.run(quarantine.COUNT_GAMES)[0][0])

    def quarantine_log(self, fault: Fault) -> None:
        """Put a game in quarantine whose log a worker couldn't load."""
        with self._transaction(writes=True) as transaction:
            quarantine.put_entry(transaction, quarantine.GAME_LOG, 0, fault)

    def release_logs(self) -> None:
        """Take every game out of the quarantine for logs that couldn't be loaded. Workers find them again."""
        with self._transaction(writes=True) as transaction:
            transaction.run(quarantine.REMOVE_LOG_ENTRIES)

    def release_log(self, game: str) -> None:
        """Take a game out of the quarantine for logs that couldn't be loaded."""
        with self._transaction(writes=True) as transaction:
            quarantine.remove_entry(transaction, quarantine.GAME_LOG, 0, game)

    def drop_game(self, game: str) -> bool:
        """Remove a game in quarantine from every list until the next rebuild; return False if it isn't in it."""
        with self._transaction(writes=True) as transaction:
            fault = quarantine.fault_of(transaction, game)
            if fault is None:
                return False
            for name, projection in self.projections.items():
                transaction.run(LOCK_POSITIONS, name)
                PageFold(transaction, projection, _live_generation(transaction, name), _no_history).drop(fault)
            transaction.run(quarantine.DROP_GAME, game)
            return True

    def set_trouble(self, name: str, reason: str | None) -> None:
        """Record why a projection's rows aren't updated, for the other processes; None if they are."""
        with self._transaction(writes=True) as transaction:
            if reason is None:
                transaction.run("DELETE FROM troubles WHERE projection = ?", name)
            else:
                transaction.run(PUT_TROUBLE, name, reason)

    def troubles(self) -> dict[str, str]:
        """Return the reason for each projection whose rows aren't updated."""
        with self._transaction(writes=False) as transaction:
            return dict(transaction.run("SELECT projection, reason FROM troubles"))

    def building_generation(self, name: str) -> Generation | None:
        """Return the generation that is being rebuilt, if any."""
        with self._transaction(writes=False) as transaction:
            return _generation_in_state(transaction, name, "building")

    def begin_rebuild(self, name: str, abandon: int | None = None) -> Generation:
        """Return a generation to rebuild from the first event; an interrupted rebuild of the same version continues.

        The rebuild of the generation with the number `abandon` isn't continued: its rows are of another history.
        """
        projection = self.projections[name]
        with self._schema_transaction() as transaction:
            unfinished = _generation_in_state(transaction, name, "building")
            if unfinished is not None and _can_continue(unfinished, projection, abandon):
                return unfinished
            if unfinished is not None:
                self._drop(transaction, projection, unfinished)
            retired = _generation_in_state(transaction, name, "retired")
            if retired is not None:
                self._drop(transaction, projection, retired)
            return self._create(transaction, projection, "building")

    def make_live(self, name: str, rebuilt: Generation) -> None:
        """Let readers use the rebuilt generation from now on. Do nothing if another process has already done so."""
        with self._schema_transaction() as transaction:
            live = _live_generation(transaction, name)
            if transaction.count_changes(SET_STATE, "live", name, rebuilt.number, "building"):
                transaction.run(SET_STATE, "retired", name, live.number, "live")

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Transaction]:
        try:
            with self._database.transaction(writes=writes) as transaction:
                yield transaction
        except (*DATABASE_ERRORS, DamagedRow, NoLiveRows) as error:
            raise RowsUnavailable(f"the database of the projections failed: {describe_error(error)}") from error

    @contextmanager
    def _schema_transaction(self) -> Iterator[Transaction]:
        with self._transaction(writes=True) as transaction:
            transaction.lock_schema()
            yield transaction

    def _create_missing_tables(self, transaction: Transaction) -> None:
        for statement in (CREATE_FOLLOWERS, CREATE_TROUBLES, quarantine.CREATE_QUARANTINE):
            transaction.run(statement.format(text=self._database.dialect.text))
        add_positions(transaction, self._database.dialect.text)
        for projection in self.projections.values():
            live = _generation_in_state(transaction, projection.name, "live")
            if live is not None and not _is_complete(transaction, projection, live):
                self._drop(transaction, projection, live)
                live = None
            if live is None:
                self._create(transaction, projection, "live")

    def _create(self, transaction: Transaction, projection: Projection, state: str) -> Generation:
        last = transaction.run("SELECT MAX(generation) FROM followers WHERE projection = ?", projection.name)[0][0]
        first = _first_generation(transaction) if projection.is_numbered else 1
        generation = Generation(first if last is None else last + 1, projection.version)
        transaction.run(INSERT_GENERATION, projection.name, generation.number, generation.version, state)
        for name, table_name in table_names(projection, generation).items():
            transaction.run(f"DROP TABLE IF EXISTS {table_name}")
            for statement in create_statements(table_name, projection.table(name), self._database.dialect):
                transaction.run(statement)
        return generation

    def _drop(self, transaction: Transaction, projection: Projection, old: Generation) -> None:
        """Drop a generation's tables. Its number isn't reused, so a follower that still holds it changes nothing."""
        transaction.run(MARK_DROPPED, projection.name, old.number)
        transaction.run(quarantine.REMOVE_GENERATION, projection.name, old.number)
        for table_name in table_names(projection, old).values():
            transaction.run(f"DROP TABLE IF EXISTS {table_name}")


def _generation_in_state(transaction: Transaction, name: str, state: str) -> Generation | None:
    rows = transaction.run(SELECT_GENERATION, name, state)
    return _read_generation(rows[0]) if rows else None


def _read_generation(row: Sequence[Any]) -> Generation:
    number, version, positions = row
    if not isinstance(number, int) or not isinstance(version, int):
        raise DamagedRow("a position isn't as it was written")
    return Generation(number, version, read_positions(positions))


def _first_generation(transaction: Transaction) -> int:
    """Return a number that no generation had that was lost with an earlier database: seconds since 1970."""
    return transaction.now() // 1_000_000


def _can_continue(unfinished: Generation, projection: Projection, abandon: int | None) -> bool:
    return unfinished.version == projection.version and unfinished.number != abandon


def _is_complete(transaction: Transaction, projection: Projection, generation: Generation) -> bool:
    """Return whether all tables of a generation exist; one of another version may have others."""
    names = table_names(projection, generation).values()
    return generation.version != projection.version or all(transaction.columns(name) for name in names)


def _live_generation(transaction: Transaction, name: str) -> Generation:
    live = _generation_in_state(transaction, name, "live")
    if live is None:
        raise NoLiveRows(f"the projection {name} has no rows in this database")
    return live


def _no_history(_game: str, _upto: Numbers) -> tuple[()]:
    return ()


def add_positions(transaction: Transaction, text_type: str) -> None:
    """Replace the columns of a position by that of positions, one for each shard, unless that's done."""
    columns = transaction.columns("followers")
    if "positions" in columns:
        return
    transaction.run(ADD_POSITIONS.format(text=text_type))
    transaction.run(COPY_POSITION.format(leaf="leaf" if "leaf" in columns else "''"))
    for column in columns.intersection(OLDER_COLUMNS):
        transaction.run(f"ALTER TABLE followers DROP COLUMN {column}")
