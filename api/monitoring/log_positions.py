"""Where the log ended when a process last looked: with it, a log that lost its end is known (docs/operations.md).

A position is written only after its event is on disk, so the log always has it, whenever a process is killed.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from domain.store.log import LogPosition
from domain.store.sql.database import Database

TABLES = (
    """CREATE TABLE IF NOT EXISTS log_positions (
        shard BIGINT NOT NULL, number BIGINT NOT NULL, leaf TEXT NOT NULL, seen BIGINT NOT NULL,
        PRIMARY KEY (shard, number))""",
)
SELECT = "SELECT shard, number, leaf, seen FROM log_positions ORDER BY shard, number DESC"
INSERT = "INSERT INTO log_positions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
FORGET = "DELETE FROM log_positions"
DELETE = "DELETE FROM log_positions WHERE shard = ? AND number = ?"


@dataclass(frozen=True)
class SeenPosition:
    """A position at which the log ended, and when, in UTC microseconds since 1970."""

    at: LogPosition
    seen: int


class LogPositions:
    """The table `log_positions`. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[SeenPosition]:
        """Return the positions that are remembered: by shard, the last one first."""
        return [SeenPosition(LogPosition(*at), seen) for *at, seen in self._database.run(SELECT)]

    def remember(self, ends: Iterable[LogPosition], known: Sequence[SeenPosition]) -> None:
        """Remember where each shard ends. `known` is what `all` returned before; forget what is too much of it."""
        with self._database.transaction(writes=True) as transaction:
            now = transaction.now()
            for end in ends:
                transaction.run(INSERT, end.shard, end.number, end.leaf, now)
                numbers = [each.at.number for each in known if each.at.shard == end.shard]
                transaction.run_many(DELETE, [(end.shard, number) for number in too_many(end.number, numbers)])

    def forget(self) -> None:
        """Forget all: its events have other numbers now, or it's served although it lost its end."""
        self._database.run(FORGET)


def too_many(end: int, numbers: Iterable[int]) -> list[int]:
    """Return which numbers needn't be kept: at most two are for each power of two in their distance from the end."""
    by_distance = defaultdict[int, list[int]](list)
    for number in sorted(each for each in numbers if each < end):
        by_distance[(end - number).bit_length()].append(number)
    return [number for alike in by_distance.values() for number in alike[1:-1]]
