"""The rows of a projection as readers see them."""

from collections.abc import Sequence
from typing import Any

from domain.store.sql.transactions import Transaction, quote
from projections.storage.quarantine import CORRUPT_GAMES, Fault, corrupt_among, fault_of
from projections.storage.statements import Generation, table_names
from projections.storage.tables import Projection, Row


class RowSnapshot:
    """A projection's rows at one moment: those of all commits up to the positions `at`, in each shard.

    `is_current` is false while rows of an older version are read because the new ones aren't complete.
    """

    def __init__(self, transaction: Transaction, projection: Projection, generation: Generation) -> None:
        self.at, self.generation = generation.at, generation.number
        self.is_current = generation.version == projection.version
        self._stored_columns: dict[str, frozenset[str]] = {}
        self._transaction = transaction
        self._projection = projection
        self._names = table_names(projection, generation)

    def find(self, table: str, tail: str, *values: Any) -> list[Row]:
        """Return the rows that `tail` selects (WHERE, ORDER BY, LIMIT).

        {name} is a table, {corrupt} the games in quarantine, ? a value.
        """
        columns, codec = self._projection.table(table).columns, self._projection.table(table).codec
        selected = ", ".join(quote(column) if self.has_column(table, column) else "NULL" for column in columns)
        return [codec.from_values(row) for row in self._select(selected, table, tail, values)]

    def find_column(self, table: str, column: str, tail: str, *values: Any) -> list[Any]:
        """Return one column of the rows that `tail` selects."""
        return [value for (value,) in self._select(quote(column), table, tail, values)]

    def _select(self, selected: str, table: str, tail: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        names = {**self._names, "corrupt": CORRUPT_GAMES}
        return self._transaction.run(f"SELECT {selected} FROM {self._names[table]} {tail.format_map(names)}", *values)

    def has_column(self, table: str, column: str) -> bool:
        """Return whether the table has this column: rows of an older version may lack some, which read as None."""
        if self.is_current:
            return True
        if table not in self._stored_columns:
            self._stored_columns[table] = frozenset(self._transaction.columns(self._names[table]))
        return column in self._stored_columns[table]

    def fault(self, game: str) -> Fault | None:
        """Return why this projection leaves a game out, or None."""
        return fault_of(self._transaction, game, self._projection.name)

    def corrupt(self, games: Sequence[str]) -> frozenset[str]:
        """Return which of these games are in quarantine."""
        return corrupt_among(self._transaction, games)
