"""Projections: tables, and a fold of events into their rows that doesn't depend on a database."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from domain.events import Event

Row = dict[str, Any]
ColumnType = Literal["text", "number", "json"]
"""How a column is stored. Every column may hold None."""


@dataclass(frozen=True)
class Table:
    """A table's columns in order. The first `key` columns are the primary key."""

    name: str
    columns: dict[str, ColumnType]
    key: int = 1
    indexes: tuple[tuple[str, ...], ...] = ()

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns of the primary key."""
        return tuple(self.columns)[: self.key]

    def key_of(self, row: Row) -> tuple[Any, ...]:
        """Return the primary key of a row."""
        return tuple(row[column] for column in self.key_columns)


class Rows(Protocol):
    """The rows that a fold reads and writes. A fold may change a row it got and put it back."""

    def get(self, table: str, *key: Any) -> Row | None:
        """Return a copy of one row, or None."""

    def put(self, table: str, row: Row) -> None:
        """Write one row, replacing the row with the same key."""


@dataclass(frozen=True)
class Projection:
    """Rows folded from events in commit order.

    If `version` differs from the version of the stored rows, they are rebuilt from the first event.
    """

    name: str
    version: int
    tables: tuple[Table, ...]
    fold: Callable[[Rows, Event[Any]], None]

    def table(self, name: str) -> Table:
        """Return the table with this name."""
        return next(table for table in self.tables if table.name == name)
