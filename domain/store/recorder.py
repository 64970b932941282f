"""The recorder's interface, the same for both databases, and the settings by which eventsourcing finds it.

Two guarantees hold on both stores: `insert_events` and `insert_batches` return once their commit is on disk, and
notification ids rise in the order of the commits, so a reader that continues from the last id it saw misses nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

from eventsourcing.persistence import DatabaseError, OperationalError, StoredEvent

from domain.store.group_commit import GroupCommit
from domain.store.shards.subscription import LiveRecorder
from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Timeouts
from domain.store.sql.sqlite_errors import FileDamaged
from domain.store.wakeups import CommitWatch

RawEvent: TypeAlias = tuple[int, str, bytes]
"""A stored row without its game: (version, topic, state)."""

RawLogRow: TypeAlias = tuple[int, UUID | str, int | None, str | None, bytes | None]
"""A stored row with its place: (notification id, game, version, topic, state).

A game that isn't a UUID is the text that was stored. None replaces a value of another kind, as in a damaged file.
"""


CIPHER = "eventsourcing.cryptography:AESCipher"
LOG_SCHEMA = "log"
STATEMENT_TIMEOUT = "POSTGRES_STATEMENT_TIMEOUT"
"""Our own key among the library's: seconds."""


class LogFileDamaged(FileDamaged, DatabaseError):
    """The file of the log is damaged."""


class NoLog(OperationalError):
    """There is no log in this place yet."""

    def __init__(self, place: str) -> None:
        super().__init__(f"there is no log in {place} yet; a server makes one when it starts")


class LogRecorder(LiveRecorder):
    """The library's recorder, with the queries by which a process keeps its games up to date."""

    group: GroupCommit | None = None
    """The group commit of the log, which all its shards share."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: object) -> Sequence[int] | None:
        """Insert all events in one commit, and return their ids once they are on disk.

        Those of one game may share their transaction with other games' events that wait at the same time. A call of a
        round gives its turn to other calls meanwhile. Raise IntegrityError if a version is taken. That can also be so
        because the connection broke after these very events were stored: then look for them in the log.
        """
        if not stored_events:
            return None
        if self.group is None or len({event.originator_id for event in stored_events}) > 1:
            return self.insert_alone(stored_events)
        return self.group.insert(stored_events)

    @abstractmethod
    def insert_alone(self, stored_events: Sequence[StoredEvent]) -> Sequence[int]:
        """Insert events in a transaction of their own. Raise IntegrityError if a version is taken."""

    @abstractmethod
    def insert_batches(self, batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        """Insert the events of several games in one commit, and return the ids of each batch.

        A batch holds events of one game with consecutive versions. It's left out, and its result is None, unless it
        follows the last event of its game in the store. An error means that no batch was stored, or that the caller
        must look for each in the log.
        """

    @abstractmethod
    def last_version(self, originator_id: UUID) -> int | None:
        """Return the version of the game's last event, or None. Reads only the index."""

    def raw_events(self, originator_id: UUID, gt: int = 0, lte: int | None = None) -> list[RawEvent]:
        """Return the game's stored rows above version gt, up to and including lte, in order of version."""
        return self._game_rows(originator_id, gt, MAX_INTEGER if lte is None else lte, None)

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        above, upto = -MAX_INTEGER if gt is None else gt, MAX_INTEGER if lte is None else lte
        rows = self._game_rows(originator_id, above, upto, limit, desc=desc)
        return [StoredEvent(originator_id, version, topic, state) for version, topic, state in rows]

    @abstractmethod
    def _game_rows(
        self, game: UUID | str, above: int, upto: int, limit: int | None, *, desc: bool = False
    ) -> list[RawEvent]:
        """Return up to `limit` rows of a game with above < version <= upto, in order, or the other way round."""

    @abstractmethod
    def log_rows(self, gt: int, limit: int) -> list[RawLogRow]:
        """Return up to `limit` rows of all games with an id above gt, in order. No stored value makes this fail."""

    @abstractmethod
    def openings(self, gt: int, lte: int, limit: int) -> list[tuple[int, UUID]]:
        """Return up to `limit` (notification id, game) of first events with gt < id <= lte, in order."""

    @abstractmethod
    def version_at(self, originator_id: UUID, lte: int) -> int | None:
        """Return the version of the game's last event with a notification id of at most lte, or None."""


class LogTables(ABC):
    """The tables of all shards in one database, for what goes over several of them."""

    @property
    @abstractmethod
    def recorders(self) -> Sequence[LogRecorder]:
        """The recorder of each shard, in order."""

    def watch_commits(self) -> CommitWatch:
        """Return a watch over all shards, which their recorders share from now on."""
        watch = CommitWatch(self.last_ids)
        for shard, recorder in enumerate(self.recorders):
            recorder.watch, recorder.shard = watch, shard
        return watch

    @abstractmethod
    def insert_batches(self, shards: Sequence[int], batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        """Insert batches in one commit as `LogRecorder.insert_batches` does, each into the shard at its place."""

    @abstractmethod
    def last_ids(self) -> list[int]:
        """Return the last notification id of each shard, 0 for an empty one."""

    @abstractmethod
    def log_rows(self, after: Sequence[int | None], limit: int) -> list[tuple[int, RawLogRow]]:
        """Return (shard, row) for up to `limit` rows of each shard with ids above `after`, by shard and id.

        A shard with None is left out.
        """

    def examine(self) -> None:  # noqa: B027 - a database has no files of ours
        """Raise LogFileDamaged if the files of the log aren't those that are in use."""

    def rows_on_disk(self, places: Sequence[tuple[int, int]]) -> list[tuple[int, RawLogRow]]:
        """Return (shard, row) for the rows at these places, (shard, id) each, as they are stored now.

        A row that's gone is left out.
        """
        found: list[tuple[int, RawLogRow]] = []
        left = sorted(places)
        while left:
            first = dict(reversed(left))
            left = [place for place in left if first[place[0]] != place[1]]
            after = [first[shard] - 1 if shard in first else None for shard in range(len(self.recorders))]
            found += [(shard, row) for shard, row in self.log_rows(after, 1) if row[0] == first[shard]]
        return found

    @abstractmethod
    def try_to_write(self) -> None:
        """Commit something that changes no event. Raise what a commit would raise."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""


MAX_INTEGER = (1 << 63) - 1
"""The largest integer in both databases, above every version and id."""


def recorder_env(
    data_dir: Path, url: str | None, *, name: str = "Games", schema: str = LOG_SCHEMA, **settings: str
) -> dict[str, str]:
    """Return the `env` of the Application called `name`: SQLite in data_dir/log.db, or PostgreSQL at `url`.

    `settings` are keys of the library: MAPPER_TOPIC, CIPHER_TOPIC, CIPHER_KEY, COMPRESSOR_TOPIC, CREATE_TABLE="n", ...
    A key for the cipher is enough: the library's AES is the default topic. The library also reads os.environ, and
    prefers NAME_KEY to KEY. So the result holds every key in both spellings.
    """
    place = _postgres(url, schema) if url else _sqlite(data_dir)
    cipher = {"CIPHER_TOPIC": CIPHER} if settings.get("CIPHER_KEY") else {}
    plain = _QUIET | timeout_settings(DEFAULT_TIMEOUTS) | place | cipher | settings
    return plain | {f"{name.upper()}_{key}": value for key, value in plain.items()}


def _sqlite(data_dir: Path) -> dict[str, str]:
    factory = "domain.store.sqlite:SqliteLogFactory"
    return {"PERSISTENCE_MODULE": factory, "SQLITE_DBNAME": str(data_dir / "log.db")}


def _postgres(url: str, schema: str) -> dict[str, str]:
    factory = "domain.store.postgres:PostgresLogFactory"
    return {"PERSISTENCE_MODULE": factory, "POSTGRES_URL": url, "POSTGRES_SCHEMA": schema}


def timeout_settings(timeouts: Timeouts) -> dict[str, str]:
    """Return the settings for these time limits, to be passed to `recorder_env`."""
    return {
        "SQLITE_LOCK_TIMEOUT": str(timeouts.lock_s),
        "POSTGRES_LOCK_TIMEOUT": str(timeouts.lock_s),
        "POSTGRES_CONNECT_TIMEOUT": str(timeouts.connect_s),
        STATEMENT_TIMEOUT: str(timeouts.statement_s),
    }


_UNSET = (
    "INFRASTRUCTURE_FACTORY", "FACTORY_TOPIC", "TRANSCODER_TOPIC", "MAPPER_TOPIC", "CIPHER_TOPIC", "CIPHER_KEY",
    "COMPRESSOR_TOPIC", "APPLICATION_RECORDER_TOPIC", "TRACKING_RECORDER_TOPIC", "PROCESS_RECORDER_TOPIC",
    "AGGREGATE_CACHE_MAXSIZE", "SQLITE_DBNAME", "POSTGRES_URL", "POSTGRES_SCHEMA", "POSTGRES_DBNAME", "POSTGRES_HOST",
    "POSTGRES_PORT", "POSTGRES_USER", "POSTGRES_PASSWORD", "POSTGRES_GET_PASSWORD_TOPIC", "POSTGRES_CONN_MAX_AGE",
    "POSTGRES_MAX_WAITING", "POSTGRES_POOL_SIZE", "POSTGRES_MAX_OVERFLOW",
    "POSTGRES_IDLE_IN_TRANSACTION_SESSION_TIMEOUT",
)  # fmt: skip

_QUIET = dict.fromkeys(_UNSET, "") | {
    "IS_SNAPSHOTTING_ENABLED": "n",
    "AGGREGATE_CACHE_FASTFORWARD": "y",
    "AGGREGATE_CACHE_FASTFORWARD_SKIPPING": "n",
    "DEEPCOPY_FROM_AGGREGATE_CACHE": "y",
    "ORIGINATOR_ID_TYPE": "uuid",
    "SINGLE_ROW_TRACKING": "y",
    "CREATE_TABLE": "y",
    "POSTGRES_PRE_PING": "n",
    "POSTGRES_ENABLE_DB_FUNCTIONS": "n",  # drops the lock that keeps ids in order: followers would miss events
}
