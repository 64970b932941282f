"""Rows as the values that the columns of a table hold."""

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any

import msgspec

from domain.store.sql.statements import RowValues, to_json

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
