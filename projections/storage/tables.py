"""Projections: tables, and a fold of events into their rows that doesn't depend on a database."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal, Protocol

from domain.events import Event
from projections.storage.row_codec import Row, RowCodec

__all__ = ["ColumnType", "Index", "Numbering", "Projection", "Row", "Rows", "TableColumns"]

ColumnType = Literal["text", "number", "json"]
"""How a column is stored. Every column may hold None."""


@dataclass(frozen=True)
class Index:
    """An index on columns in this order. With `where` (SQL), it holds only the rows that satisfy the condition."""

    columns: tuple[str, ...]
    where: str | None = None


@dataclass(frozen=True)
class Numbering:
    """New rows of a table get a number in `column`, in the order in which they are put.

    The rows with the same `owner` are counted together. The table `heads` has the last number of each owner, and a row
    keeps its number until it is removed. Only the last `most` rows of an owner stay, or a few more.
    """

    column: str
    owner: str
    heads: str
    most: int


@dataclass(frozen=True)
class TableColumns:
    """A table's columns in order. The first `key` columns are the primary key, and the first is the game's id.

    A fold puts each row of a table with a `numbering` once, with None for the number, and reads none.
    """

    name: str
    columns: dict[str, ColumnType]
    key: int = 1
    indexes: tuple[Index, ...] = ()
    numbering: Numbering | None = None

    @cached_property
    def key_columns(self) -> tuple[str, ...]:
        """The columns of the primary key."""
        return tuple(self.columns)[: self.key]

    @cached_property
    def codec(self) -> RowCodec:
        """The translation between rows and values."""
        return RowCodec(self.columns)

    @cached_property
    def key_of(self) -> Callable[[Row], tuple[Any, ...]]:
        """The function from a row to its primary key."""
        names = self.key_columns
        return itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)


class Rows(Protocol):
    """The rows of one game that a fold reads and writes. A fold that changes a row it got must put it back."""

    def get(self, table: str, *key: Any) -> Row | None:
        """Return one row, or None."""

    def put(self, table: str, row: Row) -> None:
        """Write one row, replacing the row with the same key. The row is the caller's no more."""


@dataclass(frozen=True)
class Projection:
    """Rows folded from events in commit order. An event changes rows of its own game only.

    If `version` differs from the version of the stored rows, they are rebuilt from the first event. `facts` are the
    types of fact that the fold looks at; without them, it looks at all.
    """

    name: str
    version: int
    tables: tuple[TableColumns, ...]
    fold: Callable[[Rows, Event[Any]], None]
    facts: frozenset[type[Any]] | None = None

    @property
    def is_numbered(self) -> bool:
        """Whether a table has a numbering: then no generation may have the number of an earlier one, ever."""
        return any(table.numbering is not None for table in self.tables)

    def table(self, name: str) -> TableColumns:
        """Return the table with this name."""
        return next(table for table in self.tables if table.name == name)
