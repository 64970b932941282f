"""The recorder's interface, the same for both databases, and the settings by which eventsourcing finds it.

Two guarantees hold on both stores: `insert_events` returns once its commit is on disk, and notification ids rise in the
order of the commits, so a reader that continues from the last id it saw misses nothing.
"""

from abc import abstractmethod
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder

RawEvent: TypeAlias = tuple[int, str, bytes]
"""A stored row without its game: (version, topic, state)."""

LOCK_TIMEOUT = 5
"""Seconds that a writer waits for other writers before it raises OperationalError."""

CONNECT_TIMEOUT = 3
"""Seconds to wait for a connection to PostgreSQL. Short, to notice soon that the store is down."""


class LogRecorder(ApplicationRecorder):
    """The library's recorder, with the queries by which a process keeps its games up to date."""

    @abstractmethod
    def last_version(self, originator_id: UUID) -> int | None:
        """Return the version of the game's last event, or None. Reads only the index."""

    @abstractmethod
    def raw_events(self, originator_id: UUID, gt: int = 0, lte: int | None = None) -> list[RawEvent]:
        """Return the game's stored rows above version gt, up to and including lte, in order of version."""

    @abstractmethod
    def openings(self, gt: int, lte: int, limit: int) -> list[tuple[int, UUID]]:
        """Return up to `limit` (notification id, game) of first events with gt < id <= lte, in order."""

    @abstractmethod
    def version_at(self, originator_id: UUID, lte: int) -> int | None:
        """Return the version of the game's last event with a notification id of at most lte, or None."""


MAX_INTEGER = (1 << 63) - 1
"""The largest integer in both databases, above every version and id."""


def recorder_env(
    data_dir: Path, url: str | None, *, name: str = "Games", schema: str = "log", **settings: str
) -> dict[str, str]:
    """Return the `env` of the Application called `name`: SQLite in data_dir/log.db, or PostgreSQL at `url`.

    `settings` are keys of the library: MAPPER_TOPIC, CIPHER_TOPIC, CIPHER_KEY, COMPRESSOR_TOPIC, CREATE_TABLE="n", ...
    The library also reads os.environ, and prefers NAME_KEY to KEY. So the result holds every key in both spellings.
    """
    plain = _QUIET | (_postgres(url, schema) if url else _sqlite(data_dir)) | settings
    return plain | {f"{name.upper()}_{key}": value for key, value in plain.items()}


def _sqlite(data_dir: Path) -> dict[str, str]:
    factory = "domain.store.sqlite:SqliteLogFactory"
    return {"PERSISTENCE_MODULE": factory, "SQLITE_DBNAME": str(data_dir / "log.db")}


def _postgres(url: str, schema: str) -> dict[str, str]:
    factory = "domain.store.postgres:PostgresLogFactory"
    return {"PERSISTENCE_MODULE": factory, "POSTGRES_URL": url, "POSTGRES_SCHEMA": schema}


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
    "SQLITE_LOCK_TIMEOUT": str(LOCK_TIMEOUT),
    "POSTGRES_LOCK_TIMEOUT": str(LOCK_TIMEOUT),
    "POSTGRES_CONNECT_TIMEOUT": str(CONNECT_TIMEOUT),
    "POSTGRES_PRE_PING": "n",
    "POSTGRES_ENABLE_DB_FUNCTIONS": "n",  # drops the lock that keeps ids in order: followers would miss events
}
