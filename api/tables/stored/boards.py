"""Board numbers, the public numbers of games, and the players who opened the games.

Both are reserved in one transaction, which counts what the player has opened before. Only one such transaction of a
store runs at a time, in whichever process, so that no player gets past a limit by asking several servers at once.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock

from cachetools import LRUCache

from api.tables.stored.seats import FULL, TableStatus
from domain.store.sql.database import Database, Transaction

TABLES = (
    "CREATE TABLE IF NOT EXISTS boards (number BIGINT PRIMARY KEY, game TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, last BIGINT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS openings (
        game TEXT PRIMARY KEY, opener TEXT NOT NULL, opened BIGINT NOT NULL, over BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS openings_by_opener ON openings (opener, opened)",
    "CREATE INDEX IF NOT EXISTS openings_not_over ON openings (opener, over)",
)
HOUR_US = 3600 * 1_000_000
"""In microseconds, as `opened` is."""
CACHED_NUMBERS = 10_000
ABANDONED_AFTER = 10 * 60 * 1_000_000
"""Microseconds after which a number without a game in the log no longer counts: the server stopped in between."""


@dataclass(frozen=True)
class OpeningLimits:
    """How many unfinished games a player may have opened, and how many they may open in an hour; None is any number."""

    unfinished: int | None = None
    per_hour: int | None = None


ANY_NUMBER = OpeningLimits()


class TooManyUnfinished(Exception):
    """The player has opened `count` games that aren't known to be over."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} games aren't over")
        self.count = count


class OpenedTooOften(Exception):
    """The player opened `count` games in the last hour; in `wait_s` whole seconds they may open another one."""

    def __init__(self, count: int, wait_s: int) -> None:
        super().__init__(f"{count} games in an hour; try again in {wait_s} s")
        self.count = count
        self.wait_s = wait_s


class Boards:
    """The tables of board numbers and openings. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._games: LRUCache[int, str] = LRUCache(CACHED_NUMBERS)
        self._lock = Lock()

    def reserve(self, game: str, opener: str, limits: OpeningLimits = ANY_NUMBER) -> int:
        """Return the next board number, from 1, now bound to `game`; an earlier one if the game already has one.

        Raise TooManyUnfinished or OpenedTooOften if the player has reached a limit; then no number is used up.
        """
        with self._database.transaction(writes=True) as transaction:
            bound = transaction.run("SELECT number FROM boards WHERE game = ?", game)
            if bound:
                return int(bound[0][0])
            number = int(transaction.run(TAKE_NUMBER)[0][0])  # others wait here until this transaction ends
            bound = transaction.run("INSERT INTO boards VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING number",
                                    number, game)  # fmt: skip
            if not bound:
                return int(transaction.run("SELECT number FROM boards WHERE game = ?", game)[0][0])
            _require_room(transaction, opener, limits)
            transaction.run("INSERT INTO openings VALUES (?, ?, ?, 0)", game, opener, transaction.now())
            return number

    def bind(self, number: int, game: str) -> bool:
        """Bind a number to its game again, after both have been lost. Return False if either is bound otherwise."""
        with self._database.transaction(writes=True) as transaction:
            bind_boards(transaction, [(number, game)])
            return transaction.run("SELECT game FROM boards WHERE number = ?", number) == [(game,)]

    def opened_in_last_hour(self, opener: str) -> tuple[int, int]:
        """Return how many games the player opened in the last hour, and in how many seconds there's one less."""
        rows = self._database.run(SELECT_RECENT, opener, (moment := self._database.now()) - HOUR_US)
        return len(rows), max(1, -((moment - HOUR_US - int(rows[0][0])) // 1_000_000)) if rows else 0

    def unfinished(self, opener: str) -> list[str]:
        """Return the games that the player opened and that aren't known to be over, oldest first."""
        rows = self._database.run("SELECT game FROM openings WHERE opener = ? AND over = 0 ORDER BY opened", opener)
        return [str(game) for (game,) in rows]

    def abandoned(self, games: Iterable[str]) -> list[str]:
        """Return which of these games were reserved so long ago that the log would hold them by now."""
        before = self._database.now() - ABANDONED_AFTER
        find = "SELECT game FROM openings WHERE game = ? AND opened < ?"
        return [game for game in games if self._database.run(find, game, before)]

    def finish(self, games: Iterable[str]) -> None:
        """Record that these games are over."""
        with self._database.transaction(writes=True) as transaction:
            transaction.run_many("UPDATE openings SET over = 1 WHERE game = ?", [(game,) for game in games])

    def known_among(self, games: Collection[str]) -> set[str]:
        """Return which of these games have a number, and aren't of a table that has never closed."""
        with self._database.transaction(writes=False) as transaction:
            numbered = {str(game) for (game,) in transaction.read_among("SELECT game FROM boards", "game", games)}
            tables = transaction.read_among("SELECT game, status FROM forming_tables", "game", games)
        return numbered - {game for game, status in tables if status not in FULL}

    def has_any(self) -> bool:
        """Return whether any number was ever taken."""
        return bool(self._database.run("SELECT number FROM boards LIMIT 1"))

    def number_of(self, game: str) -> int | None:
        """Return a game's board number."""
        rows = self._database.run("SELECT number FROM boards WHERE game = ?", game)
        return int(rows[0][0]) if rows else None

    def game_of(self, number: int) -> str | None:
        """Return the id of the game that a number is bound to forever. The log may not hold that game yet."""
        with self._lock:
            known = self._games.get(number)
        if known is not None:
            return known
        rows = self._database.run("SELECT game FROM boards WHERE number = ?", number)
        if not rows:
            return None
        with self._lock:
            self._games[number] = str(rows[0][0])
        return str(rows[0][0])


SELECT_RECENT = "SELECT opened FROM openings WHERE opener = ? AND opened > ? ORDER BY opened"
TAKE_NUMBER = (
    "INSERT INTO counters VALUES ('boards', 1) ON CONFLICT (name) DO UPDATE SET last = counters.last + 1 RETURNING last"
)


def bind_boards(transaction: Transaction, boards: Sequence[tuple[int, str]]) -> None:
    """Bind numbers to games that are dealt, unless either is bound already; later games get higher numbers."""
    transaction.run(KEEP_NUMBER, max((number for number, _ in boards), default=0))
    transaction.run_many("INSERT INTO boards VALUES (?, ?) ON CONFLICT DO NOTHING", boards)
    transaction.run_many(SET_DEALT, [(TableStatus.DEALT, game) for _, game in boards])


def _require_room(transaction: Transaction, opener: str, limits: OpeningLimits) -> None:
    """Raise an exception if the player has reached a limit."""
    if limits.per_hour is not None:
        recent = "SELECT opened FROM openings WHERE opener = ? AND opened > ? ORDER BY opened DESC LIMIT ?"
        opened = transaction.run(recent, opener, (moment := transaction.now()) - HOUR_US, limits.per_hour)
        if len(opened) >= limits.per_hour:
            raise OpenedTooOften(len(opened), max(1, -((moment - HOUR_US - int(opened[-1][0])) // 1_000_000)))
    if limits.unfinished is not None:
        count = "SELECT COUNT(*) FROM openings WHERE opener = ? AND over = 0"
        unfinished = int(transaction.run(count, opener)[0][0])
        if unfinished >= limits.unfinished:
            raise TooManyUnfinished(unfinished)


SET_DEALT = "UPDATE forming_tables SET status = ? WHERE game = ?"
KEEP_NUMBER = (
    "INSERT INTO counters VALUES ('boards', ?) ON CONFLICT (name) DO UPDATE SET last ="
    " CASE WHEN excluded.last > counters.last THEN excluded.last ELSE counters.last END"
)
