"""A check of a whole store without a server: its databases, log rows, games, and the records beside the log.

    with open_raw_store(config) as store:
        result = check_store(store, decode_rows)

It reads the rows as they are stored, so that it also finds what no game shows: rows of no game, and gaps.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from api.accounts.admin_log import RESTORED
from api.config import Config
from api.ops.check.game import GameCheck, check_game, unreadable_game
from api.ops.check.raw_postgres import postgres_store
from api.ops.check.raw_sqlite import sqlite_store
from api.ops.check.raw_store import OFFICE, RawRow, RawStore, StoreDamaged
from api.ops.check.side_records import LISTS, RECEIPTS, ReceiptRow, SideRecords, read_side_records
from domain.protocols.signed_notes import Key
from domain.store.aggregate import Corrupt
from domain.store.positions import shard_of
from replay.audit import GREEN, WRONG
from replay.history.findings import Finding

FORMAT = "trickbook-check/1"
VERDICT_TEXTS = {GREEN: "all is in order", WRONG: "something is wrong"}
DecodeRows = Callable[[str, Iterable[RawRow]], Iterable[RawRow]]
"""Returns a game's rows with their states decrypted; raises Corrupt."""


@dataclass(frozen=True)
class StoreFinding:
    """One fault: the check that found it (`by`), and its game and event, if it has any."""

    by: str
    says: str
    game: str | None = None
    board: int | None = None
    version: int | None = None

    def __str__(self) -> str:
        board = "" if self.board is None else f" (board {self.board})"
        game = f"{self.by}: " if self.game is None else f"game {self.game}{board}: "
        return game + str(Finding(self.version, self.says))

    def to_json(self) -> dict[str, object]:
        """Return the finding as reports show it."""
        return {"by": self.by, "game": self.game, "board": self.board, "version": self.version, "says": self.says}


@dataclass
class StoreCheck:
    """The result of a check. `notes` aren't faults; `listing` has board, size and root of each game that was read.

    `kind` is sqlite or postgresql.
    """

    kind: str
    events: int = 0
    findings: list[StoreFinding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    listing: list[dict[str, Any]] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code: 0 if everything is in order, 1 if something is wrong."""
        return WRONG if self.findings else GREEN

    def to_json(self) -> dict[str, Any]:
        """Return the report."""
        return {
            "check": FORMAT,
            "store": self.kind,
            "events": self.events,
            "games": self.listing,
            "findings": [finding.to_json() for finding in self.findings],
            "notes": self.notes,
            "verdict": {"code": self.code, "says": VERDICT_TEXTS[self.code], "findings": len(self.findings)},
        }


def open_raw_store(config: Config) -> AbstractContextManager[RawStore]:
    """Open the configured databases read-only. Raise FileNotFoundError if they never held a game."""
    if config.database_url is None:
        return sqlite_store(config.data)
    return postgres_store(config.database_url, config.with_long_statements().timeouts)


CheckGame = Callable[[str, tuple[RawRow, ...], tuple[ReceiptRow, ...], tuple[Key, ...]], GameCheck]
AddGamesBar = Callable[[int], Callable[[int], None]]
"""`add_bar(games)` starts a progress bar; call its result with the number of games read."""


def check_store(
    store: RawStore, decode_rows: DecodeRows, check_one: CheckGame = check_game, add_bar: AddGamesBar | None = None
) -> StoreCheck:
    """Check everything in `store`, each game with `check_one`."""
    checker = _Checker(StoreCheck(store.kind), store, decode_rows, check_one, read_side_records(store))
    checker.check_databases()
    checker.check_games(add_bar)
    checker.check_office()
    return checker.result


@dataclass
class _Checker:
    result: StoreCheck
    store: RawStore
    decode_rows: DecodeRows
    check_one: CheckGame
    side_records: SideRecords
    rows: dict[Any, int] = field(default_factory=dict)
    boards: dict[str, int | None] = field(default_factory=dict)

    def add(self, by: str, says: str, **where: Any) -> None:
        self.result.findings.append(StoreFinding(by, says, **where))

    def check_databases(self) -> None:
        """Check the databases and the order of all rows."""
        for where, says in (*self.side_records.damaged, *self.store.faults()):
            self.add("database", f"{where}: {says}")
        for says in self.side_records.forged:
            self.add(RECEIPTS, says)
        try:
            self._check_order()
        except StoreDamaged as damage:
            self.add("database", f"{damage.where}: {damage}")

    def _check_order(self) -> None:
        for shard in range(self.store.shards):
            self._check_shard(shard)

    def _check_shard(self, shard: int) -> None:
        before, last = 0, dict[Any, Any]()
        for position, stored_id, version in self.store.row_positions(shard):
            if not isinstance(position, int) or position <= before:
                self.add("order", f"position {position!r} comes after {before}")
            elif self.store.gapless and position != before + 1:
                self.add("order", f"rows are missing between positions {before} and {position}")
            before = position if isinstance(position, int) else before
            self._check_row(shard, stored_id, version, last.get(stored_id, 0), position)
            last[stored_id] = version
        tail = self.side_records.tails.get(shard, 0)
        if tail > before:
            which = f"shard {shard} of the log" if self.store.shards > 1 else "the log"
            self.add(LISTS, f"the lists followed {which} to position {tail}, but it ends at {before}")

    def _check_row(self, shard: int, stored_id: Any, version: Any, after: Any, position: Any) -> None:
        self.result.events += 1
        self.rows[stored_id] = self.rows.get(stored_id, 0) + 1
        game = _game_id(stored_id)
        if game is not None and self._shard_of(game) != shard:
            says = f"a row is in shard {shard}, where no server looks for this game"
            self.add("order", says, game=game, version=version if isinstance(version, int) else None)
        if game is not None and not (isinstance(version, int) and isinstance(after, int) and version == after + 1):
            says = f"at position {position} it follows event {after}"
            self.add("order", says, game=game, version=version if isinstance(version, int) else None)

    def _shard_of(self, game: str) -> int:
        return shard_of(UUID(game), self.store.shards)

    def check_games(self, add_bar: AddGamesBar | None) -> None:
        """Check each game that a row names."""
        set_progress = None if add_bar is None else add_bar(len(self.rows))
        for done, (stored_id, rows) in enumerate(sorted(self.rows.items(), key=repr), 1):
            game = _game_id(stored_id)
            if game is None:
                self.add("rows", f"{rows} rows are of {stored_id!r}, which isn't a game's id")
            else:
                self._check_game(game, stored_id, rows)
            if set_progress is not None:
                set_progress(done)

    def _check_game(self, game: str, stored_id: Any, count: int) -> None:
        try:
            rows = self.store.rows_of(self._shard_of(game), stored_id)
        except StoreDamaged as damage:
            self.add("database", f"{damage.where}: {damage}", game=game)
            return
        if len(rows) != count:
            self.add("database", f"the index finds {len(rows)} of its {count} rows", game=game)
        if not rows:
            return
        checked = self._decode_and_check(game, rows)
        board = self.boards[game] = checked.board
        for by, finding in checked.findings:
            self.add(by, finding.says, game=game, board=board, version=finding.version)
        if checked.size:
            if (followed := self.side_records.lobby.get(game, 0)) > checked.size:
                says = f"the event is missing: the lobby followed this game to event {followed}"
                self.add(LISTS, says, game=game, board=board, version=checked.size + 1)
            self._list_game(game, checked)

    def _list_game(self, game: str, checked: GameCheck) -> None:
        receipt = max((size for size, _, _ in self.side_records.receipts_of(game)), default=None)
        listed = {"game": game, "board": checked.board, "size": checked.size, "root": checked.root, "receipt": receipt}
        self.result.listing.append(listed)
        if checked.ended is not None and (receipt or 0) < checked.ended:
            self.result.notes.append(f"game {game} is over, but no receipt of its end is stored")

    def _decode_and_check(self, game: str, rows: list[RawRow]) -> GameCheck:
        try:
            receipts, keys = self.side_records.receipts_of(game), tuple(self.side_records.keys)
            return self.check_one(game, tuple(self.decode_rows(game, rows)), receipts, keys)
        except Corrupt as error:
            return unreadable_game(error)

    def check_office(self) -> None:
        """Check the boards and the side records against the games in the log."""
        try:
            bound = {str(game): number for number, game in self.store.boards() or ()}
            journal = self.store.select(OFFICE, "journal", ("number", "at", "what")) or ()
            self.result.notes += [f"the admin log says: {what} at {at}" for _, at, what in journal if what == RESTORED]
        except StoreDamaged as damage:
            self.add("database", f"{damage.where}: {damage}")
            return
        for game, board in self.boards.items():
            if board is not None and game not in bound:
                self.add("office", "it has no board number", game=game, board=board)
            elif board is not None and bound[game] != board:
                says = f"its board number is {bound[game]}, but it was opened as board {board}"
                self.add("office", says, game=game, board=board, version=1)
        for game, number in bound.items():
            if game not in self.boards and game not in self.side_records.games:
                self.result.notes.append(f"board {number} was given to game {game}, which has no events")
        for game in sorted(self.side_records.games.keys() - self.boards.keys()):
            self.add(self.side_records.games[game], "the game existed, but all of its events are missing", game=game)


def _game_id(stored_id: Any) -> str | None:
    """Return the game's id for a value of the id column, or None if the value is invalid."""
    if isinstance(stored_id, UUID):
        return str(stored_id)
    try:
        uuid = UUID(stored_id)
    except (ValueError, AttributeError, TypeError):
        return None
    return str(uuid) if uuid.hex == stored_id else None
