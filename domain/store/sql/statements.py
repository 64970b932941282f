"""Words of SQL that both engines share, and the values of a row."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

ColumnType = Literal["text", "number", "json"]
"""How a column is stored. Every column may hold None."""
RowValues = tuple[Any, ...]


@dataclass(frozen=True)
class Dialect:
    """The words of one engine in CREATE statements.

    `text` is the type of a text column that is compared byte by byte, `in_place` leaves room for rows that change, and
    `by_range` makes an index on columns that names ranges of rows, so that it needn't change with each row.
    """

    text: str
    in_place: str
    by_range: str


SQLITE = Dialect(text="TEXT", in_place="", by_range="({columns})")
POSTGRES = Dialect(
    text='TEXT COLLATE "C"',
    in_place=" WITH (fillfactor = 80)",
    by_range="USING brin ({columns}) WITH (pages_per_range = 4, autosummarize = on)",
)
_to_json = msgspec.json.Encoder().encode


def to_json(value: Any) -> str:
    return _to_json(value).decode()


def quote(column: str) -> str:
    """Return a column's name as SQL."""
    return f'"{column}"'


def upsert_statement(table_name: str, columns: Mapping[str, ColumnType], key: int) -> str:
    """Return the statement that writes a row, replacing the row with the same first `key` columns."""
    return f"{_insert(table_name, columns)} VALUES ({', '.join('?' * len(columns))}) {_on_conflict(columns, key)}"


def upsert_json_statement(table_name: str, columns: Mapping[str, ColumnType], key: int) -> str:
    """Return PostgreSQL's statement that does so with each object of a JSON array."""
    types = ", ".join(f"{quote(column)} {'bigint' if kind == 'number' else 'text'}" for column, kind in columns.items())
    rows = f"SELECT {', '.join(map(quote, columns))} FROM json_to_recordset(?::json) AS rows_to_put({types})"
    return f"{_insert(table_name, columns)} {rows} {_on_conflict(columns, key)}"


def _insert(table_name: str, columns: Iterable[str]) -> str:
    return f"INSERT INTO {table_name} ({', '.join(map(quote, columns))})"


def _on_conflict(columns: Iterable[str], key: int) -> str:
    quoted = list(map(quote, columns))
    new = ", ".join(f"{column} = excluded.{column}" for column in quoted[key:])
    return f"ON CONFLICT ({', '.join(quoted[:key])}) DO UPDATE SET {new}"
