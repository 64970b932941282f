"""Long lists of a check, in temporary files: a check of any number of games needs the same memory.

Each is a private file of SQLite in the folder of TMPDIR, which SQLite writes only when a list is longer than its cache,
and which disappears with the list. To read log, receipts and lists in one order and compare them side by side needs no
files, but one damaged page of an index would end the check, which must go on and name everything that is wrong.
"""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, Generic, TypeVar
from uuid import UUID

T = TypeVar("T")

MOST_RECENT = 20_000
"""How many games `RowCounts` keeps in memory."""


def _temporary_file(table: str) -> sqlite3.Connection:
    """Open a new private file with one table; nothing in it is ever rolled back."""
    file = sqlite3.connect("", check_same_thread=False)
    file.execute("PRAGMA journal_mode = OFF")
    file.execute(table)
    return file


class Lines(Generic[T]):
    """A list of JSON values that only grows. Two are equal if their values are."""

    def __init__(self) -> None:
        self._file, self._count = _temporary_file("CREATE TABLE lines (value TEXT)"), 0

    def append(self, value: T) -> None:
        """Add a value."""
        self._file.execute("INSERT INTO lines VALUES (?)", (json.dumps(value),))
        self._count += 1

    def __len__(self) -> int:
        """Return the number of values."""
        return self._count

    def __iter__(self) -> Iterator[T]:
        """Yield each value in the order of their coming."""
        for (value,) in self._file.execute("SELECT value FROM lines ORDER BY rowid"):
            yield json.loads(value)

    def __eq__(self, other: object) -> bool:
        """Compare the values."""
        return isinstance(other, Lines) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


class RowCounts:
    """The games that rows name: how many rows each has, and the version of the last row that was added."""

    def __init__(self) -> None:
        table = "CREATE TABLE games (game BLOB PRIMARY KEY, rows INTEGER, shard INTEGER, last) WITHOUT ROWID"
        self._file, self._count = _temporary_file(table), 0
        self._recent = dict[bytes, list[Any]]()

    def add(self, game: bytes, shard: int, version: object) -> Any:
        """Count a row of a game, and return the version of its row before that in the same shard, or 0."""
        found = self._recent.get(game) or self._read(game)
        before = found[2] if found[1] == shard else 0
        found[0] += 1
        found[1], found[2] = shard, version
        return before

    def _read(self, game: bytes) -> list[Any]:
        """Return rows, shard and last version of a game, a list to be changed."""
        if len(self._recent) >= MOST_RECENT:
            self._write()
        row = self._file.execute("SELECT rows, shard, last FROM games WHERE game = ?", (game,)).fetchone()
        self._count += row is None
        found = self._recent[game] = [0, -1, 0] if row is None else list(row)
        return found

    def _write(self) -> None:
        """Move the games in memory into the file."""
        rows = [(game, *found) for game, found in sorted(self._recent.items())]
        self._file.executemany("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?)", rows)
        self._recent.clear()

    def __len__(self) -> int:
        """Return the number of games."""
        return self._count

    def __contains__(self, game: object) -> bool:
        """Return whether a row names the game with this id."""
        self._write()
        key = key_of(str(game).replace("-", ""))
        if key is None or str(UUID(bytes=key)) != game:
            return False
        return self._file.execute("SELECT 1 FROM games WHERE game = ?", (key,)).fetchone() is not None

    def pages(self, size: int) -> Iterator[list[tuple[str, int]]]:
        """Yield games and their numbers of rows in the order of their ids, in lists of up to `size`."""
        self._write()
        found = self._file.execute("SELECT game, rows FROM games ORDER BY game")
        while page := found.fetchmany(size):
            yield [(str(UUID(bytes=game)), rows) for game, rows in page]


def key_of(stored_id: object) -> bytes | None:
    """Return the bytes of a game's id, as it is stored in a log; None for anything else."""
    if isinstance(stored_id, UUID):
        return stored_id.bytes
    try:
        key = bytes.fromhex(stored_id) if isinstance(stored_id, str) else b""
    except ValueError:
        return None
    return key if len(key) == 16 and key.hex() == stored_id else None
