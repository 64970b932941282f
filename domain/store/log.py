"""The log of all games: read and written through its shards, each in the order of commits.

A position is a place in that order, and the leaf of the event there tells one history from another: somebody may put
the log back from a backup and play on, until it is longer than before. Then a number alone names another event than it
did, but the leaf differs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self, TypeAlias
from uuid import UUID

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import InfrastructureFactory, JSONTranscoder, StoredEvent, Tracking
from eventsourcing.utils import EnvType

from domain.events import Event
from domain.protocols import merkle_log
from domain.store.aggregate import PREV_SIZE, Corrupt, read_event
from domain.store.application import (
    FactMapper,
    GameApplication,
    GameCache,
    SharedParts,
    game_id,
    parse_uuid,
    translate_errors,
)
from domain.store.group_commit import GroupCommit
from domain.store.recorder import LogRecorder, LogTables, RawEvent, RawLogRow
from domain.store.shards.subscription import live_rows
from domain.store.wakeups import Wakeups
from domain.struct import Value, redacted_repr

LEAF_DIGITS = 8
"""The number of hex digits of a leaf in a position."""


@dataclass(frozen=True)
class LogPosition:
    """A place in the log of a shard: the number of an event in the order of commits, and the start of its leaf in hex.

    Before the first event the number is 0, and the leaf is empty.
    """

    shard: int
    number: int
    leaf: str


Positions: TypeAlias = tuple[LogPosition, ...]
"""One position for each shard, in order. The empty tuple is the beginning of a log with any number of shards."""
Numbers: TypeAlias = tuple[int, ...]
"""The number of a position in each shard, in order."""


def beginning(shards: int) -> Positions:
    """Return the positions before the first event of each shard."""
    return tuple(LogPosition(shard, 0, "") for shard in range(shards))


def numbers_of(positions: Iterable[LogPosition]) -> Numbers:
    return tuple(position.number for position in positions)


def includes(reached: Sequence[int], wanted: Iterable[LogPosition]) -> bool:
    """Return whether a reader that has reached these numbers has seen everything up to the wanted positions."""
    return all(not each.number or (each.shard < len(reached) and each.number <= reached[each.shard]) for each in wanted)


def shard_of(game: UUID, shards: int) -> int:
    """Return the number of the shard that always holds a game."""
    return game.int % shards


def number_for(game: str, numbers: Numbers) -> int:
    """Return the number in the shard of a game; 0 at the beginning, or if the id is no game's."""
    try:
        return numbers[shard_of(UUID(game), len(numbers))] if numbers else 0
    except ValueError:
        return 0


def short_leaf(leaf: bytes) -> str:
    """Return the part of a leaf that stands in a position."""
    return leaf.hex()[:LEAF_DIGITS]


class Notice(Value, frozen=True):
    """An event of some game and its place in the order of the commits of a shard. `raw` is its canonical bytes."""

    position: int
    game: str
    event: Event[Any]
    raw: bytes
    shard: int = 0

    __repr__ = redacted_repr("raw")

    @property
    def leaf(self) -> str:
        """The start of the event's leaf, as in a LogPosition."""
        return short_leaf(merkle_log.leaf(self.raw))


@dataclass(frozen=True)
class UnreadableRow:
    """A row of the log that this program can't read, its place in the order of commits of a shard, and the reason.

    `game` is what its row names, which may be no game's id. `too_new` means that a newer program may read it.
    """

    position: int
    game: str
    version: int
    reason: str
    too_new: bool = False
    leaf: str = ""
    """The start of the row's leaf, as in a LogPosition."""
    shard: int = 0


LogRow = Notice | UnreadableRow


@dataclass(frozen=True)
class LogPage:
    """Rows of the log, those of a shard together and in order, and the positions after them, of every shard."""

    rows: list[LogRow]
    end: Positions


MAX_SHOWN_ID = 100
"""The most characters shown of a stored id that is no game's."""
OnCommit = Callable[[str, int], None]


class ShardsSubscription(Iterator[tuple[DomainEventProtocol[UUID], Tracking]]):
    """The library's ApplicationSubscription, but to all shards of a log at once.

    It yields each event with its `Tracking`: the name of the shard's application, and the position in that shard. The
    events of a shard come in order. `gt` returns the position from which an application goes on, such as
    `view.max_tracking_id`. `stop`, in any thread, ends the iteration.
    """

    def __init__(
        self,
        shards: Sequence[GameApplication],
        gt: Callable[[str], int | None] = lambda _name: None,
        topics: Sequence[str] = (),
    ) -> None:
        self._shards, self._has_been_stopped = shards, False
        recorders = [shard.recorder for shard in shards]
        starts = [gt(shard.name) for shard in shards]
        self._rows = live_rows(recorders, starts, topics, lambda: self._has_been_stopped)

    def __next__(self) -> tuple[DomainEventProtocol[UUID], Tracking]:
        place, row = next(self._rows)
        shard = self._shards[place]
        return shard.mapper.to_domain_event(row), Tracking(shard.name, row.id)

    def stop(self) -> None:
        """End the iteration."""
        self._has_been_stopped = True
        self._shards[0].recorder.watch.wake()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()


class ShardedLog:
    """The shards of one log. A game's id names its shard; nobody else needs to know.

    Safe for concurrent use by several threads. Methods raise StoreUnavailable if the database fails.
    """

    def __init__(
        self,
        settings: Sequence[tuple[str, EnvType]],
        factory: InfrastructureFactory[Any],
        tables: LogTables,
        cache: int,
    ) -> None:
        """Open the application of each shard, given their names and settings, with `cache` games in memory."""
        self.factory, self._tables = factory, tables
        self.cache, self.group = GameCache(cache), GroupCommit(self)
        for recorder in tables.recorders:
            recorder.group = self.group
        parts = (SharedParts(factory, self.cache, recorder) for recorder in tables.recorders)
        self._shards = tuple(GameApplication(env, name, own) for (name, env), own in zip(settings, parts, strict=True))
        self.mapper = FactMapper(JSONTranscoder(), factory.compressor(), factory.cipher())
        self._on_commit: list[OnCommit] = []
        self.wakeups = Wakeups()
        """They ring after each transaction of this process."""

    @property
    def shards(self) -> int:
        """The number of shards, the same forever."""
        return len(self._shards)

    def application_of(self, game: UUID) -> GameApplication:
        """Return the application of the shard that holds a game."""
        return self._shards[shard_of(game, len(self._shards))]

    def recorder(self, shard: int) -> LogRecorder:
        """Return the recorder of a shard's table."""
        return self._shards[shard].recorder

    def last_version(self, originator_id: UUID) -> int | None:
        """Return the version of the game's last event, or None, as the recorder of its shard does."""
        return self.application_of(originator_id).recorder.last_version(originator_id)

    def raw_events(self, originator_id: UUID, gt: int = 0, lte: int | None = None) -> list[RawEvent]:
        """Return the game's stored rows above version gt, up to lte, as the recorder of its shard does."""
        return self.application_of(originator_id).recorder.raw_events(originator_id, gt, lte)

    def insert_batches(self, batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        """Insert the events of several games in one transaction, as a recorder does, and return their numbers."""
        shards = [shard_of(_uuid(batch[0].originator_id), len(self._shards)) for batch in batches]
        numbers = self._tables.insert_batches(shards, batches)
        if any(stored is not None for stored in numbers):
            self.wakeups.ring()
        for on_commit in self._on_commit:
            for batch, stored in zip(batches, numbers, strict=True):
                if stored is not None:
                    on_commit(str(batch[0].originator_id), batch[-1].originator_version)
        return numbers

    def position_of(self, game: UUID, number: int, leaf: bytes) -> LogPosition:
        """Return the position of an event of a game."""
        return LogPosition(shard_of(game, len(self._shards)), number, short_leaf(leaf))

    def version_at(self, game: UUID, upto: Numbers | None) -> int:
        """Return the version that a game had at these positions, or has now; 0 if it had no events."""
        with translate_errors():
            if upto is None:
                return self.last_version(game) or 0
            number = upto[shard_of(game, len(self._shards))] if upto else 0
            return self.application_of(game).recorder.version_at(game, number) or 0

    def openings(self, shard: int, after: int, upto: int, limit: int) -> list[tuple[int, str]]:
        """Return (number, id) of games opened in a shard above `after`, up to and including `upto`, in order."""
        with translate_errors():
            return [(at, str(game)) for at, game in self.recorder(shard).openings(after, upto, limit)]

    def read(self, after: Positions, limit: int, upto: Numbers | None = None) -> LogPage:
        """Return the next rows above these positions, `limit` at most. A row that can't be read stops no other.

        With `upto`, return no row beyond these numbers.
        """
        ends = list(after or beginning(len(self._shards)))
        last = self.last_numbers() if upto is None else upto
        behind = [end.number if end.number < last[end.shard] else None for end in ends]
        most = limit // max(1, len(behind) - behind.count(None))
        with translate_errors():
            found = self._tables.log_rows(behind, max(1, most)) if any(each is not None for each in behind) else []
        rows = [read_log_row(self.mapper, row, shard) for shard, row in found if upto is None or row[0] <= upto[shard]]
        for row, following in pairwise([*rows, None]):
            if row is not None and (following is None or following.shard != row.shard):
                ends[row.shard] = LogPosition(row.shard, row.position, row.leaf)
        return LogPage(rows, tuple(ends))

    def changed_games(self, after: Numbers, limit: int) -> tuple[set[str], Numbers]:
        """Return the games of the next events above these numbers, and the numbers reached.

        At most `limit` events of each shard are read, and none is decoded. Numbers beyond the end go back to it.
        """
        last = self.last_numbers()
        behind = [number if number < end else None for number, end in zip(after, last, strict=True)]
        with translate_errors():
            rows = self._tables.log_rows(behind, limit) if any(each is not None for each in behind) else []
        reached = {shard: row[0] for shard, row in rows}
        return {str(row[1]) for _, row in rows}, tuple(reached.get(shard, end) for shard, end in enumerate(last))

    def raw_rows(self, shard: int, after: int, limit: int) -> list[RawLogRow]:
        """Return the next stored rows of a shard above a number."""
        with translate_errors():
            found = self._tables.log_rows([after if each == shard else None for each in range(self.shards)], limit)
        return [row for _, row in found]

    def last_numbers(self) -> Numbers:
        """Return the number of the last event in each shard, 0 in an empty one."""
        with translate_errors():
            return tuple(self._tables.last_ids())

    def heads(self) -> Positions:
        """Return the position of the last event in each shard."""
        return self._positions_at(self.last_numbers())

    def _positions_at(self, numbers: Sequence[int]) -> Positions:
        """Return the positions with these numbers; before the first event where a shard has no such event."""
        with translate_errors():
            rows = self._tables.log_rows([number - 1 if number > 0 else None for number in numbers], 1)
        found = {shard: row for shard, row in rows if row[0] == numbers[shard]}
        return tuple(
            LogPosition(shard, found[shard][0], row_leaf(self.mapper, found[shard])) if shard in found else empty
            for shard, empty in enumerate(beginning(len(numbers)))
        )

    def head(self, game: str) -> LogPosition:
        """Return the position of the last event in the shard of a game; of shard 0 if the id is no game's."""
        uuid = parse_uuid(game)
        number = 0 if uuid is None else shard_of(uuid, len(self._shards))
        with translate_errors():
            last = self._shards[number].recorder.max_notification_id() or 0
        return self.position_at(number, last) or LogPosition(number, 0, "")

    def position_at(self, shard: int, number: int) -> LogPosition | None:
        """Return the position with this number in a shard, or None if the shard has no such event."""
        if not 0 <= shard < len(self._shards) or number < 1:
            return None
        with translate_errors():
            found = self._tables.log_rows([number - 1 if each == shard else None for each in range(self.shards)], 1)
        if not found or found[0][1][0] != number:
            return None
        return LogPosition(shard, number, row_leaf(self.mapper, found[0][1]))

    def has_position(self, position: LogPosition) -> bool:
        """Return whether this log has that event at that position: it may not after a return to a backup."""
        if position.number == 0 and not position.leaf:
            return 0 <= position.shard < len(self._shards)
        return position == self.position_at(position.shard, position.number)

    def has_positions(self, positions: Positions) -> bool:
        """Return whether a reader at these positions has read this log, and not one of other shards."""
        if not positions:
            return True
        return len(positions) == len(self._shards) and positions == self._positions_at(numbers_of(positions))

    def missing(self, positions: Sequence[LogPosition]) -> list[LogPosition]:
        """Return those of these positions that aren't in the log as it's stored now, past what this process remembers.

        An event that can't be read is there: it stops its own game alone. Raise LogDamaged if the files of the log
        were removed, replaced or damaged.
        """
        places = [(each.shard, each.number) for each in positions if 0 <= each.shard < self.shards and each.number > 0]
        with translate_errors():
            self._tables.examine()
            rows = {(shard, row[0]): row for shard, row in self._tables.rows_on_disk(places)} if places else {}
        return [each for each in positions if not self._is_at(each, rows.get((each.shard, each.number)))]

    def _is_at(self, position: LogPosition, row: RawLogRow | None) -> bool:
        if row is None or row_leaf(self.mapper, row) == position.leaf:
            return row is not None
        return isinstance(read_log_row(self.mapper, row), UnreadableRow)

    def try_to_write(self) -> None:
        """Commit something that changes no event. Raise StoreUnavailable if the log can't be written."""
        with translate_errors():
            self._tables.try_to_write()

    def changes(self, after: Numbers, limit: int) -> tuple[Numbers, list[tuple[str, int]]]:
        """Return the game and version of the next rows above these numbers, and the numbers after them.

        There are up to `limit` rows of each shard, and none is decoded. The numbers go back if the log did.
        """
        last = self.last_numbers()
        reached = [min(pair) for pair in zip(after, last, strict=True)]
        with translate_errors():
            found = (
                []
                if reached == [*last]
                else self._tables.log_rows(
                    [None if number == last[shard] else number for shard, number in enumerate(reached)], limit
                )
            )
        for shard, row in found:
            reached[shard] = row[0]
        return tuple(reached), [(str(game), version or 0) for _, (_, game, version, *_) in found]

    @property
    def applications(self) -> Sequence[GameApplication]:
        """The library's application of each shard, in order."""
        return self._shards

    def subscribe(
        self, gt: Callable[[str], int | None] = lambda _name: None, topics: Sequence[str] = ()
    ) -> ShardsSubscription:
        """Return the events of all shards, live, each with its shard and position. See `ShardsSubscription`."""
        return ShardsSubscription(self._shards, gt, topics)

    def call_on_commit(self, on_commit: OnCommit) -> None:
        """Call `on_commit(game, version)` after each commit of this process, in the thread that stores it."""
        self._on_commit.append(on_commit)

    def close(self) -> None:
        """End all subscriptions, and close the database."""
        self._tables.close()
        for shard in self._shards:
            shard.close()


def read_log_row(mapper: FactMapper, row: RawLogRow, shard: int = 0) -> LogRow:
    """Decode a row of a shard with its place, without checking its link. If that fails, return the reason."""
    position, stored_game, version, topic_name, state = row
    game, number = stored_game if isinstance(stored_game, str) else game_id(stored_game), version or 0
    if isinstance(stored_game, str):
        reason = "its row names no game"
        return UnreadableRow(position, game[:MAX_SHOWN_ID], number, reason, leaf=row_leaf(mapper, row), shard=shard)
    if version is None or topic_name is None or state is None:
        reason = "its row holds values of another kind"
        return UnreadableRow(position, game, number, reason, leaf=row_leaf(mapper, row), shard=shard)
    try:
        raw = mapper.decrypt(game, version, state)[PREV_SIZE:]
        return Notice(position, game, read_event(game, version, topic_name, raw), raw, shard)
    except Corrupt as error:
        return UnreadableRow(position, game, number, error.what, error.too_new, row_leaf(mapper, row), shard)


def row_leaf(mapper: FactMapper, row: RawLogRow) -> str:
    """Return the start of a row's leaf. A row that can't be decrypted has one, too: that of its stored bytes."""
    _, game, version, _, state = row
    stored = state or b""
    with suppress(Corrupt):
        stored = mapper.decrypt(str(game), version or 0, stored)
    return short_leaf(merkle_log.leaf(stored[PREV_SIZE:]))


def _uuid(game: UUID | str) -> UUID:
    return game if isinstance(game, UUID) else UUID(game)
