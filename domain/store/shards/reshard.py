"""Copying a log into another number of shards, within its own database.

The rows of each game keep their order, and those of several games follow in the order of time. Rows are copied in
pages, each in one transaction with the number reached, so that an interrupted copy goes on where it stopped. In the end
the writers are locked out, the counts and a digest of all events are compared, and the new tables take the place of the
old ones. Each event holds the root of those before it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from heapq import merge
from itertools import islice
from uuid import UUID

from domain.store.application import FactMapper, translate_errors
from domain.store.log import Notice, Numbers, ShardedLog, read_log_row, shard_of
from domain.store.recorder import RawLogRow
from domain.store.shards.layout import SetProgress

PAGE = 2000
"""The most rows of a transaction."""
READ_AT_ONCE = 500
"""The most rows that one query reads from the log."""
DIFFERS = "the copy differs from the log and is dropped; run trickbook store check, then try again"
LACKS_FIRST = (
    "the log lacks the first event of game {game}, so the copy is dropped; run trickbook store check, then try again"
)

CopiedRow = tuple[UUID, int, str, bytes]
"""A row without its number: (game, version, topic, state)."""


class CannotReshard(Exception):
    """The log can't be copied; str(error) says why and what to do. Nothing was switched."""


class _WrongCopy(CannotReshard):
    """The copy is complete, but must not take the place of the log."""


@dataclass(frozen=True)
class Contents:
    """The numbers of games and events in some tables, and a digest of all events with their links."""

    games: int
    events: int
    digest: int


class CopyTransaction(ABC):
    """A transaction on the database of a log that is being copied."""

    @abstractmethod
    def insert(self, shard: int, rows: Sequence[CopiedRow]) -> None:
        """Append rows to a shard of the copy."""

    @abstractmethod
    def save_progress(self, copied: Numbers) -> None:
        """Remember the number reached in each shard of the log."""

    @abstractmethod
    def lock(self) -> None:
        """Wait for the writers of the log, and lock them out until the transaction ends."""

    @abstractmethod
    def copied_rows(self) -> Iterator[CopiedRow]:
        """Yield every row of the copy, in any order."""

    @abstractmethod
    def game_without_opening(self) -> UUID | None:
        """Return a game of the copy whose first event is missing, or None."""

    @abstractmethod
    def switch(self) -> None:
        """Put the copy in the place of the log."""


class CopyPlace(ABC):
    """The database of a log, and in it a copy with another number of shards."""

    shards: int
    """The number of shards of the copy."""

    @abstractmethod
    def begin(self) -> list[int]:
        """Create the tables of the copy, or find those of an interrupted copy; return the numbers that it reached.

        A copy into another number of shards is dropped.
        """

    @abstractmethod
    def drop(self) -> None:
        """Drop the tables of the copy."""

    @abstractmethod
    def abandon(self) -> None:
        """Drop a copy that isn't complete, into whatever number of shards."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[CopyTransaction]:
        """Open a transaction; an exception undoes it."""


def reshard(log: ShardedLog, place: CopyPlace, copying: SetProgress, comparing: SetProgress) -> Contents:
    """Copy a log and let the copy take its place. Return what it holds.

    `copying` and `comparing` are called with the number of events done; to compare reads each event twice. Raise
    CannotReshard if a row can't be copied, or if the copy differs, and StoreUnavailable or psycopg's errors.
    """
    with translate_errors():
        copied = place.begin()
        for page in _pages(_in_order(log, copied)):
            with place.transaction() as transaction:
                _copy_page(transaction, page, place.shards, copied)
            copying(sum(copied))
        try:
            return _finish(log, place, copied, comparing)
        except _WrongCopy:
            place.drop()
            raise


def _finish(log: ShardedLog, place: CopyPlace, copied: list[int], comparing: SetProgress) -> Contents:
    """Copy what was written meanwhile, compare, and switch, without writers. Raise _WrongCopy if the copy is wrong."""
    with place.transaction() as transaction:
        transaction.lock()
        for page in _pages(_in_order(log, copied)):
            _copy_page(transaction, page, place.shards, copied)
        count = _Counter(comparing)
        rows = (_require_game(*each) for shard in range(log.shards) for each in _shard_rows(log, shard, 0))
        before, after = (_contents(count.each(each)) for each in (rows, transaction.copied_rows()))
        if before != after:
            raise _WrongCopy(DIFFERS)
        if (game := transaction.game_without_opening()) is not None:
            raise _WrongCopy(LACKS_FIRST.format(game=game))
        transaction.switch()
    return before


def _in_order(log: ShardedLog, copied: Sequence[int]) -> Iterator[tuple[int, RawLogRow]]:
    """Yield (shard, row) of all rows that aren't copied, in the order of time if there are several shards."""
    if log.shards == 1:
        return _shard_rows(log, 0, copied[0])
    timed = (_with_time(log.mapper, _shard_rows(log, *each)) for each in enumerate(copied))
    return (found for _, found in merge(*timed, key=lambda each: each[0]))


def _with_time(
    mapper: FactMapper, rows: Iterator[tuple[int, RawLogRow]]
) -> Iterator[tuple[str, tuple[int, RawLogRow]]]:
    time = ""
    for shard, row in rows:
        notice = read_log_row(mapper, row)
        time = max(time, notice.event.at) if isinstance(notice, Notice) else time
        yield time, (shard, row)


def _shard_rows(log: ShardedLog, shard: int, after: int) -> Iterator[tuple[int, RawLogRow]]:
    while rows := log.raw_rows(shard, after, READ_AT_ONCE):
        yield from ((shard, row) for row in rows)
        after = rows[-1][0]


def _pages(rows: Iterator[tuple[int, RawLogRow]]) -> Iterator[list[tuple[int, RawLogRow]]]:
    while page := list(islice(rows, PAGE)):
        yield page


def _copy_page(
    transaction: CopyTransaction, page: Iterable[tuple[int, RawLogRow]], shards: int, copied: list[int]
) -> None:
    rows: dict[int, list[CopiedRow]] = {}
    reached = list(copied)
    for shard, row in page:
        checked = _require_game(shard, row)
        rows.setdefault(shard_of(checked[0], shards), []).append(checked)
        reached[shard] = row[0]
    for shard, some in sorted(rows.items()):
        transaction.insert(shard, some)
    transaction.save_progress(tuple(reached))
    copied[:] = reached


def _require_game(shard: int, row: RawLogRow) -> CopiedRow:
    """Return a row without its number. Raise CannotReshard for a row that no log should hold."""
    number, game, version, topic, state = row
    if not isinstance(game, UUID) or version is None or topic is None or state is None:
        where = f"the row at position {number} of shard {shard}"
        raise CannotReshard(f"{where} names no game or holds values of another kind; run trickbook store check")
    return game, version, topic, state


@dataclass
class _Counter:
    progress: SetProgress
    count: int = 0

    def each(self, rows: Iterable[CopiedRow]) -> Iterator[CopiedRow]:
        for row in rows:
            self.count += 1
            if self.count % PAGE == 0:
                self.progress(self.count)
            yield row


def _contents(rows: Iterable[CopiedRow]) -> Contents:
    """Return the contents of tables. Their order doesn't matter. A row's state begins with the root before it."""
    games = events = digest = 0
    for game, version, topic, state in rows:
        row = sha256(b"%s %d %d %s " % (game.bytes, version, len(topic), topic.encode()) + state).digest()
        games, events, digest = games + (version == 1), events + 1, (digest + int.from_bytes(row)) % (1 << 256)
    return Contents(games, events, digest)
