"""Projections: tables, rows as their columns hold them, a fold of events into rows, and the SQL text for tables."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, Protocol

import msgspec

from domain.events import Event
from domain.store.log import LogPosition, Positions
from domain.store.sql.transactions import ColumnType, Dialect, RowValues, quote, to_json

Row = dict[str, Any]
MAX_NUMBER = (1 << 63) - 1
_from_json = msgspec.json.Decoder().decode


class DamagedRow(ValueError):
    """A stored row can't be read, as in a damaged file."""


class RowCodec:
    """Translates the rows of a table with these columns, each of which is stored as text, number or json."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self._names = tuple(columns)
        self._values: Callable[[Row], RowValues] = itemgetter(*self._names)
        kinds = list(columns.values())
        self._json, self._numbers, self._texts = (
            [index for index, each in enumerate(kinds) if each == kind] for kind in ("json", "number", "text")
        )

    def to_values(self, row: Row) -> RowValues:
        """Return a row as the values of its columns.

        Raise ValueError if a database refuses one of them: a number over 64 bits, or text with NUL.
        """
        values = list(self._values(row))
        for index in self._json:
            if values[index] is not None:
                values[index] = to_json(values[index])
        for index in self._numbers:
            number = values[index]
            if number is not None and not -MAX_NUMBER <= number <= MAX_NUMBER:
                raise ValueError(f"{self._names[index]} is over 64 bits")
        for index in self._texts:
            text = values[index]
            if text is not None and "\0" in text:
                raise ValueError(f"{self._names[index]} holds NUL")
        return tuple(values)

    def from_values(self, values: Iterable[Any]) -> Row:
        """Return the row that the values of its columns stand for. Raise DamagedRow if they stand for none."""
        try:
            row = dict(zip(self._names, values, strict=True))
            for index in self._json:
                name = self._names[index]
                if row[name] is not None:
                    row[name] = _from_json(row[name])
        except (TypeError, ValueError, msgspec.MsgspecError) as error:
            raise DamagedRow("a row of the projections isn't as it was written") from error
        return row


__all__ = [
    "Derivation",
    "DerivedTables",
    "Index",
    "Numbering",
    "Projection",
    "Row",
    "Rows",
    "TableColumns",
    "Totals",
]


@dataclass(frozen=True)
class Index:
    """An index on columns in this order. With `where` (SQL), it holds only the rows that satisfy the condition.

    One `by_range` is for a column that changes with every move. PostgreSQL notes only the least and the greatest value
    of some pages, so it finds what is new, and still changes rows in place.
    """

    columns: tuple[str, ...]
    where: str | None = None
    by_range: bool = False


@dataclass(frozen=True)
class Numbering:
    """New rows of a table get a number in `column`, in the order in which they are put.

    The rows with the same `owner` are counted together. The table `heads` has the last number of each owner, and a row
    keeps its number until it is removed. Only the last `most` rows of an owner stay, or a few more; and as many apart
    from them whose column `apart[0]` has one of the values `apart[1]`, so that neither push the others out.
    """

    column: str
    owner: str
    heads: str
    most: int
    apart: tuple[str, frozenset[str]]


@dataclass(frozen=True)
class Totals:
    """Sums over the rows of a table, over all games, in the table `table`.

    `amounts` returns what a row adds: to each key of that table a number for each of its other columns. A total whose
    first number becomes 0 is removed.
    """

    table: str
    amounts: Callable[[Row], Mapping[tuple[str, ...], tuple[int, ...]]]


class DerivedTables(Protocol):
    """The tables of a projection in an open transaction that writes: rows of all games, not of one."""

    def find(self, table: str, tail: str, *values: Any) -> list[Row]:
        """Return the rows that `tail` selects (WHERE, ORDER BY, LIMIT); ? is a value."""

    def find_among(self, table: str, column: str, values: Collection[str]) -> list[Row]:
        """Return the rows whose `column` is one of `values`."""

    def put(self, table: str, rows: Sequence[Row]) -> None:
        """Write rows, each replacing the row with the same key."""

    def remove(self, table: str, tail: str, *values: Any) -> None:
        """Remove the rows that `tail` (WHERE) selects."""


@dataclass(frozen=True)
class Derivation:
    """Tables that follow from rows of a table of all games: `derive` keeps the tables named, after these were written.

    It gets the rows that were replaced or removed, and the new ones, without those whose `column` is None.
    """

    column: str
    tables: tuple[str, ...]
    derive: Callable[[DerivedTables, Sequence[Row], Sequence[Row]], None]


@dataclass(frozen=True)
class TableColumns:
    """A table's columns in order. The first `key` columns are the primary key, and the first is the game's id.

    A fold puts each row of a table with a `numbering` once, with None for the number, and reads none. It neither reads
    nor writes a table of `totals`, which changes with the rows that are added up, or one of a `derivation`.

    Rows of a table `in_place` change often, and what changes is in no index but those by range: so PostgreSQL writes
    the new row on the page of the old one, and into no index.
    """

    name: str
    columns: dict[str, ColumnType]
    key: int = 1
    indexes: tuple[Index, ...] = ()
    in_place: bool = False
    numbering: Numbering | None = None
    totals: tuple[Totals, ...] = ()
    derivation: Derivation | None = None

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
        return next(table for table in self.tables if table.name == name)


class NoLiveRows(Exception):
    """A projection has no tables that readers use."""


@dataclass(frozen=True)
class Generation:
    """One generation of a projection's tables: its number, the projection's version, and the positions folded so far.

    The leafs in the positions tell the history that was folded.
    """

    number: int
    version: int
    at: Positions = ()


def write_positions(positions: Positions) -> str:
    """Return positions as the text of a column: number:leaf for each shard, in order, with spaces between."""
    return " ".join(f"{each.number}:{each.leaf}" for each in positions)


def read_positions(text: str) -> Positions:
    """Return the positions in the text of a column. Raise DamagedRow if it holds none."""
    try:
        pairs = [entry.partition(":")[::2] for entry in text.split()]
        return tuple(LogPosition(shard, int(number), leaf) for shard, (number, leaf) in enumerate(pairs))
    except (AttributeError, ValueError) as error:
        raise DamagedRow("a position isn't as it was written") from error


def table_names(projection: Projection, generation: Generation) -> dict[str, str]:
    """Return the name in the database of each of the projection's tables."""
    return {table.name: f"{projection.name}_{generation.number}_{table.name}" for table in projection.tables}


def create_statements(table_name: str, table: TableColumns, dialect: Dialect) -> Iterator[str]:
    """Yield the statements that create a table and its indexes."""
    types: dict[ColumnType, str] = {"text": dialect.text, "number": "BIGINT", "json": dialect.text}
    columns = ", ".join(f"{quote(column)} {types[kind]}" for column, kind in table.columns.items())
    room = dialect.in_place if table.in_place else ""
    yield f"CREATE TABLE {table_name} ({columns}, PRIMARY KEY ({', '.join(map(quote, table.key_columns))})){room}"
    for number, index in enumerate(table.indexes):
        indexed = (dialect.by_range if index.by_range else "({columns})").format(
            columns=", ".join(map(quote, index.columns))
        )
        where = "" if index.where is None else f" WHERE {index.where}"
        yield f"CREATE INDEX {table_name}_{number} ON {table_name} {indexed}{where}"


class MemoryRows:
    """The rows of one projection."""

    def __init__(self, projection: Projection) -> None:
        self._projection = projection
        self._rows: dict[str, dict[tuple[Any, ...], Row]] = {table.name: {} for table in projection.tables}

    def get(self, table: str, *key: Any) -> Row | None:
        """Return a copy of one row, or None."""
        row = self._rows[table].get(key)
        return None if row is None else dict(row)

    def put(self, table: str, row: Row) -> None:
        """Write one row, replacing the row with the same key."""
        self._rows[table][self._projection.table(table).key_of(row)] = dict(row)

    def all(self, table: str) -> list[Row]:
        """Return every row, in key order."""
        return [row for _, row in sorted(self._rows[table].items())]
