"""What a projection is: tables, and a fold of events into their rows that knows no database."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from domain.events import Event

Row = dict[str, Any]
Kind = Literal["text", "number", "json"]
"""How a column is kept; every column may hold None."""


@dataclass(frozen=True)
class Table:
    """A table's columns in order; the first `key` of them name a row."""

    name: str
    columns: dict[str, Kind]
    key: int = 1
    indexes: tuple[tuple[str, ...], ...] = ()

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns that name a row."""
        return tuple(self.columns)[: self.key]

    def key_of(self, row: Row) -> tuple[Any, ...]:
        """What names `row`."""
        return tuple(row[column] for column in self.key_columns)


class Rows(Protocol):
    """The rows a fold reads and writes; what it gets is its own to change and put back."""

    def get(self, table: str, *key: Any) -> Row | None:
        """A copy of one row, None where there is none."""

    def put(self, table: str, row: Row) -> None:
        """Write one whole row over what had its key."""


@dataclass(frozen=True)
class Projection:
    """Rows made from events, one after another, in the order of their commits.

    Another `version` than the one the rows were made with means that they are made anew from the first event.
    """

    name: str
    version: int
    tables: tuple[Table, ...]
    fold: Callable[[Rows, Event[Any]], None]

    def table(self, name: str) -> Table:
        """The table called `name`."""
        return next(table for table in self.tables if table.name == name)


class MemoryRows:
    """Rows in memory, for a fold that is thrown away."""

    def __init__(self, projection: Projection) -> None:
        self._projection = projection
        self._rows: dict[str, dict[tuple[Any, ...], Row]] = {table.name: {} for table in projection.tables}

    def get(self, table: str, *key: Any) -> Row | None:
        """A copy of one row, None where there is none."""
        row = self._rows[table].get(key)
        return None if row is None else dict(row)

    def put(self, table: str, row: Row) -> None:
        """Write one whole row over what had its key."""
        self._rows[table][self._projection.table(table).key_of(row)] = dict(row)

    def all(self, table: str) -> list[Row]:
        """Every row, in the order of the keys."""
        return [row for _, row in sorted(self._rows[table].items())]
