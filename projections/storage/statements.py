"""The SQL text for the tables of projections."""

from collections.abc import Iterator
from dataclasses import dataclass

from domain.store.log import LogPosition, Positions
from domain.store.sql.transactions import ColumnType, Dialect, quote
from projections.storage.tables import DamagedRow, Projection, TableColumns


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
