"""The databases of a place as they stand: every row read as it is, at one moment, and nothing ever written.

Nothing here goes through the store, the office or the followers: they make what is missing, and trust what they read.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

LOG, OFFICE, VIEWS = "log", "office", "views"
Row = tuple[Any, ...]
Placed = tuple[Any, Any, Any]
"""A row's place among all: position, game as it is spelt there, version. Values may be of any kind."""
Stored = tuple[Any, Any, Any]
"""A row of one game: version, topic, state. Values may be of any kind."""


class OutOfReach(Exception):
    """A database cannot be read now; the sentence says why."""


class Damaged(Exception):
    """A database does not hold what it should; `where` is the file or schema."""

    def __init__(self, where: str, says: str) -> None:
        super().__init__(says)
        self.where = where


class Place(Protocol):
    """What a check reads. Each method raises OutOfReach or Damaged."""

    store: str
    gapless: bool
    """Whether positions have no gaps: PostgreSQL spends one on every commit that lost a race."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Where the database itself is not in order, and how."""

    def order(self) -> Iterator[Placed]:
        """Every row there is, by position, read from the table itself."""

    def of(self, game: Any) -> list[Stored]:
        """The rows of one game by version, found as the store finds them: by the index."""

    def boards(self) -> list[Row] | None:
        """Number and game of each board, those of the newest games among them; None where there is no such table."""

    def select(self, schema: str, table: str, columns: Sequence[str], **where: object) -> list[Row] | None:
        """Rows of the office or of the views; None where there is no such table."""


def selecting(table: str, columns: Iterable[str], where: Iterable[str], mark: str) -> str:
    """The SELECT of columns where others have values; table and column names are ours."""
    only = " AND ".join(f"{column} = {mark}" for column in where)
    return f"SELECT {', '.join(columns)} FROM {table}" + (f" WHERE {only}" if only else "") + " ORDER BY 1"
