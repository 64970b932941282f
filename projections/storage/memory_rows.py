"""Rows in memory, for folds that aren't stored."""

from typing import Any

from projections.storage.tables import Projection, Row


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
