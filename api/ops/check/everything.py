"""A check of a whole store without a server: its databases, log rows, games, and the records beside the log.

    with open_raw_store(config) as store:
        result = check_store(store, decode_rows)

It reads the rows as they are stored, so that it also finds what no game shows: rows of no game, and gaps. It holds the
rows and records of a page of games at a time, so that any number of games needs the same memory.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from api.config import Config
from api.ops.check.game import (
    BOARDS,
    LISTS,
    RECEIPTS,
    GameCheck,
    GameRecords,
    ReceiptRow,
    SideRecords,
    check_game,
    read_side_records,
    unreadable_game,
)
from api.ops.check.long_lists import Lines, RowCounts, key_of
from api.ops.check.raw_postgres import postgres_store
from api.ops.check.raw_sqlite import sqlite_store
from api.ops.check.raw_store import ACCOUNTS, RawRow, RawStore, StoreDamaged
from api.ops.progress import AddBar, SetProgress, no_bar
from api.people.stored.admin_log import GAME_RESTORED, RESTORED, SERVED_AFTER_LOSS, SERVED_WITHOUT_ACCOUNTS
from domain.protocols.signed_notes import Key
from domain.store.aggregate import Corrupt
from domain.store.log import shard_of
from replay.audit import GREEN, WRONG
from replay.history.findings import Finding

FORMAT = "trickbook-check/1"
VERDICT_TEXTS = {GREEN: "all is in order", WRONG: "something is wrong"}
GAMES_PER_PAGE, ROWS_PER_REPORT = 500, 10_000
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
    notes: Lines[str] = field(default_factory=Lines)
    listing: Lines[dict[str, Any]] = field(default_factory=Lines)

    @property
    def code(self) -> int:
        """The exit code: 0 if everything is in order, 1 if something is wrong."""
        return WRONG if self.findings else GREEN

    def to_json(self) -> dict[str, Any]:
        """Return the report; `games` and `notes` may be too long for memory."""
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


def check_store(
    store: RawStore,
    decode_rows: DecodeRows,
    check_one: CheckGame = check_game,
    add_bar: AddBar = no_bar,
    witnesses: Sequence[Key] = (),
) -> StoreCheck:
    """Check everything in `store`, each game with `check_one`, and signatures of `witnesses` on receipts."""
    records = read_side_records(store)
    checker = _Checker(StoreCheck(store.kind), store, decode_rows, check_one, records, add_bar, tuple(witnesses))
    checker.check_databases()
    checker.check_order()
    checker.check_games()
    checker.check_records()
    return checker.result


@dataclass
class _Checker:
    result: StoreCheck
    store: RawStore
    decode_rows: DecodeRows
    check_one: CheckGame
    side_records: SideRecords
    add_bar: AddBar
    witnesses: tuple[Key, ...]
    games: RowCounts = field(default_factory=RowCounts)
    others: Counter[Any] = field(default_factory=Counter)
    """The number of rows for each value that isn't a game's id."""
    board_faults: list[StoreFinding] = field(default_factory=list)

    def add(self, by: str, says: str, **where: Any) -> None:
        self.result.findings.append(StoreFinding(by, says, **where))

    def check_databases(self) -> None:
        """Check the databases themselves."""
        self._add_damage(self.store.faults())
        for says in self.side_records.forged:
            self.add(RECEIPTS, says)

    def _add_damage(self, damage: Iterable[tuple[str, str]]) -> None:
        for where, says in damage:
            self.add("database", f"{where}: {says}")

    def check_order(self) -> None:
        set_progress = self.add_bar("rows", None)
        try:
            for shard in range(self.store.shards):
                self._check_shard(shard, set_progress)
        except StoreDamaged as damage:
            self._add_damage([(damage.where, str(damage))])

    def _check_shard(self, shard: int, set_progress: SetProgress) -> None:
        before = 0
        for position, stored_id, version in self.store.row_positions(shard):
            if not isinstance(position, int) or position <= before:
                self.add("order", f"position {position!r} comes after {before}")
            elif self.store.gapless and position != before + 1:
                self.add("order", f"rows are missing between positions {before} and {position}")
            before = position if isinstance(position, int) else before
            self._check_row(shard, stored_id, version, position)
            self.result.events += 1
            if self.result.events % ROWS_PER_REPORT == 0:
                set_progress(self.result.events)
        which = f"shard {shard} of the log" if self.store.shards > 1 else "the log"
        if (tail := self.side_records.tails.get(shard, 0)) > before:
            self.add(LISTS, f"the lists followed {which} to position {tail}, but it ends at {before}")
        if (seen := self.side_records.seen.get(shard, 0)) > before:
            self.add(ACCOUNTS, f"the accounts have seen {which} end at position {seen}, but it ends at {before}")

    def _check_row(self, shard: int, stored_id: Any, version: Any, position: Any) -> None:
        game = key_of(stored_id)
        if game is None:
            self.others[stored_id] += 1
            return
        after = self.games.add(game, shard, version)
        if self.store.shards > 1 and shard_of(UUID(bytes=game), self.store.shards) != shard:
            self._add_order(game, version, f"a row is in shard {shard}, where no server looks for this game")
        if not (isinstance(version, int) and isinstance(after, int) and version == after + 1):
            self._add_order(game, version, f"at position {position} it follows event {after}")

    def _add_order(self, game: bytes, version: Any, says: str) -> None:
        self.add("order", says, game=str(UUID(bytes=game)), version=version if isinstance(version, int) else None)

    def check_games(self) -> None:
        """Check each game that a row names, with its records."""
        for stored_id, rows in sorted(self.others.items(), key=repr):
            self.add("rows", f"{rows} rows are of {stored_id!r}, which isn't a game's id")
        set_progress, done = self.add_bar("games", len(self.games)), 0
        for page in self.games.pages(GAMES_PER_PAGE):
            records = self.side_records.of([game for game, _ in page])
            for game, rows in page:
                self._check_game(game, rows, records)
                done += 1
                set_progress(done)

    def _check_game(self, game: str, count: int, records: GameRecords) -> None:
        try:
            rows = self.store.rows_of(shard_of(UUID(game), self.store.shards), game)
        except StoreDamaged as damage:
            self.add("database", f"{damage.where}: {damage}", game=game)
            return
        if len(rows) != count:
            self.add("database", f"the index finds {len(rows)} of its {count} rows", game=game)
        if not rows:
            return
        checked = self._decode_and_check(game, rows, records)
        for by, finding in checked.findings:
            self.add(by, finding.says, game=game, board=checked.board, version=finding.version)
        for size in records.unmatched.get(game, ()):
            self.add(RECEIPTS, f"a witness signed a receipt of {size} events that isn't stored", game=game)
        if checked.size:
            if (followed := records.lobby.get(game, 0)) > checked.size:
                says = f"the event is missing: the lobby followed this game to event {followed}"
                self.add(LISTS, says, game=game, board=checked.board, version=checked.size + 1)
            self._list_game(game, checked, records)
        self._check_board(game, checked.board, records)

    def _list_game(self, game: str, checked: GameCheck, records: GameRecords) -> None:
        receipt = max((size for size, _, _ in records.receipts_of(game)), default=None)
        listed = {"game": game, "board": checked.board, "size": checked.size, "root": checked.root, "receipt": receipt}
        self.result.listing.append(listed)
        if checked.ended is not None and (receipt or 0) < checked.ended:
            self.result.notes.append(f"game {game} is over, but no receipt of its end is stored")

    def _decode_and_check(self, game: str, rows: list[RawRow], records: GameRecords) -> GameCheck:
        try:
            receipts, keys = records.receipts_of(game), (*self.side_records.keys, *self.witnesses)
            return self.check_one(game, tuple(self.decode_rows(game, rows)), receipts, keys)
        except Corrupt as error:
            return unreadable_game(error)

    def _check_board(self, game: str, board: int | None, records: GameRecords) -> None:
        if board is None or BOARDS in self.side_records.damaged:
            return
        if game not in records.boards:
            self.board_faults.append(StoreFinding(ACCOUNTS, "it has no board number", game, board))
        elif board != records.boards[game]:
            says = f"its board number is {records.boards[game]}, but it was opened as board {board}"
            self.board_faults.append(StoreFinding(ACCOUNTS, says, game, board, version=1))

    def check_records(self) -> None:
        """Check that the log holds every game that the records beside it name, and add the notes on them."""
        self.result.findings += self.board_faults
        missing = self.side_records.missing_from(self.games)
        with self.side_records.unless_damaged(ACCOUNTS):
            journal = self.store.select(ACCOUNTS, "journal", ("number", "at", "what")) or ()
            for _, at, what in journal:
                if what in (RESTORED, GAME_RESTORED, SERVED_AFTER_LOSS, SERVED_WITHOUT_ACCOUNTS):
                    self.result.notes.append(f"the admin log says: {what} at {at}")
        with self.side_records.unless_damaged(BOARDS):
            for number, game in self.store.boards():
                if str(game) not in self.games and str(game) not in missing:
                    self.result.notes.append(f"board {number} was given to game {game}, which has no events")
        for game, kind in sorted(missing.items()):
            self.add(kind, "the game existed, but all of its events are missing", game=game)
        self._add_damage(dict.fromkeys(self.side_records.damaged.values()))
