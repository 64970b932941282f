"""The log of all games, read and written through its shards."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any
from uuid import UUID

from eventsourcing.persistence import InfrastructureFactory, JSONTranscoder, StoredEvent
from eventsourcing.utils import EnvType

from domain.store.application import GameApplication, SharedParts
from domain.store.group_commit import GroupCommit
from domain.store.mapper import FactMapper
from domain.store.positions import LogPosition, Numbers, Positions, beginning, numbers_of, shard_of, short_leaf
from domain.store.recorder import LogRecorder, LogTables, RawEvent, RawLogRow
from domain.store.repository import GameCache, parse_uuid, translate_errors
from domain.store.results import LogPage, UnreadableRow
from domain.store.shards.subscription import ShardsSubscription
from domain.store.wakeups import Wakeups

OnCommit = Callable[[str, int], None]


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
        rows = [self.mapper.read_log_row(row, shard) for shard, row in found if upto is None or row[0] <= upto[shard]]
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
            LogPosition(shard, found[shard][0], self.mapper.row_leaf(found[shard])) if shard in found else empty
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
        return LogPosition(shard, number, self.mapper.row_leaf(found[0][1]))

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
        if row is None or self.mapper.row_leaf(row) == position.leaf:
            return row is not None
        return isinstance(self.mapper.read_log_row(row), UnreadableRow)

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


def _uuid(game: UUID | str) -> UUID:
    return game if isinstance(game, UUID) else UUID(game)
