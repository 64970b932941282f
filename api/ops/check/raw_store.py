"""Raw access to a store's databases: every row as it is stored, at one moment, and nothing is written.

The games' store, the accounts and the followers aren't used: they create missing tables and trust what they read.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from domain.store.compression import NoDictionary, compressor_topic

LOG, ACCOUNTS, VIEWS = "log", "office", "views"
"""The schemas of the log, of the accounts, and of the lists."""
Row = tuple[Any, ...]
RowPosition = tuple[Any, Any, Any]
"""Position, game id as stored, and version of a row. The values may have any type."""
RawRow = tuple[Any, Any, Any]
"""Version, topic and state of a row. The values may have any type."""


class StoreUnreachable(Exception):
    """A database can't be read now; the message says why."""


class StoreDamaged(Exception):
    """A database's content is damaged; `where` is the file or schema."""

    def __init__(self, where: str, says: str) -> None:
        super().__init__(says)
        self.where = where


class RawStore(Protocol):
    """The databases that a check reads. Each method raises StoreUnreachable or StoreDamaged."""

    kind: str
    gapless: bool
    """Whether positions have no gaps: PostgreSQL uses one up for every commit that lost a race."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield (where, fault) for the faults of the databases themselves."""

    shards: int
    """The number of shards of the log."""

    def row_positions(self, shard: int) -> Iterator[RowPosition]:
        """Yield every row of a shard by position, read from the tables and not from an index."""

    def rows_of(self, shard: int, game: str) -> list[RawRow]:
        """Return the rows of one game in a shard by version, found through the index as a server does."""

    def boards(self) -> Iterator[Row]:
        """Yield number and game of each board, also of the newest games; nothing if the table is missing."""

    def boards_of(self, games: Sequence[str]) -> list[Row]:
        """Return game and number of the boards of these games; nothing if the table is missing."""

    def select(self, schema: str, table: str, columns: Sequence[str], **where: object) -> list[Row] | None:
        """Return rows of the schema office or views; None if the table is missing."""

    def select_games(self, schema: str, table: str, columns: Sequence[str], games: Sequence[str]) -> list[Row]:
        """Return the rows whose first column names one of these games; nothing if the table is missing."""

    def scan(self, schema: str, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Yield the rows of a table by their first column; nothing if the table is missing."""


def require_dictionaries(versions: Sequence[int]) -> None:
    """Raise StoreUnreachable if states may be compressed with a dictionary that's missing."""
    try:
        compressor_topic(versions)
    except NoDictionary as error:
        raise StoreUnreachable(str(error)) from None


def select_statement(table: str, columns: Iterable[str], where: Iterable[str], mark: str) -> str:
    """Return a SELECT of columns with conditions. Table and column names must be trusted."""
    return select_where(table, columns, " AND ".join(f"{column} = {mark}" for column in where))


def select_where(table: str, columns: Iterable[str], condition: str) -> str:
    """Return a SELECT of columns, in the order of the first. Everything must be trusted."""
    where = f" WHERE {condition}" if condition else ""
    return f"SELECT {', '.join(columns)} FROM {table}{where} ORDER BY 1"
