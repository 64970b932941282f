"""The rows of games (`replay.queries.flat_table`) as a file: CSV, or Parquet if pyarrow is installed."""

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO, Literal, TypeAlias

from api.cli.common.config import CannotAnswer
from replay.queries.flat_table import COLUMNS, FlatRow

FlatFormat: TypeAlias = Literal["csv", "parquet"]
WriteRows: TypeAlias = Callable[[list[FlatRow]], None]
TIMES = frozenset(("opened", "at"))
"""The columns with times, which Parquet has a type for."""
GROUP = 50_000
"""The rows of a row group in a Parquet file: a program reads a group at once."""
NO_PYARROW = "Parquet files need the package pyarrow: run `pip install pyarrow`, or choose --csv."


@contextmanager
def open_flat_file(file: BinaryIO, form: FlatFormat) -> Iterator[WriteRows]:
    """Yield the function that writes the rows of a game to a file."""
    with (_open_csv if form == "csv" else _open_parquet)(file) as write:
        yield write


@contextmanager
def _open_csv(file: BinaryIO) -> Iterator[WriteRows]:
    """Write text as in RFC 4180, but with newlines alone; an empty cell is no value."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    try:
        yield lambda rows: writer.writerows([_cell(getattr(row, name)) for name in COLUMNS] for row in rows)
    finally:
        text.detach()  # it would close the file otherwise


def _cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


@contextmanager
def _open_parquet(file: BinaryIO) -> Iterator[WriteRows]:
    try:
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise CannotAnswer(NO_PYARROW) from None
    types = {bool: arrow.bool_(), int: arrow.int64(), str: arrow.string()}
    kinds = {name: types[kind] for name, kind in COLUMNS.items()} | dict.fromkeys(TIMES, arrow.timestamp("us", "UTC"))
    schema, waiting = arrow.schema(list(kinds.items())), list[FlatRow]()
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        flush = partial(_write_group, arrow, writer, schema, waiting)

        def write(rows: list[FlatRow]) -> None:
            waiting.extend(rows)
            if len(waiting) >= GROUP:
                flush()

        yield write
        flush()


def _write_group(arrow: Any, writer: Any, schema: Any, rows: list[FlatRow]) -> None:
    columns = {name: [_moment(name, getattr(row, name)) for row in rows] for name in COLUMNS}
    writer.write_table(arrow.table(columns, schema=schema))
    rows.clear()


def _moment(name: str, value: object) -> object:
    return datetime.fromisoformat(value) if name in TIMES and isinstance(value, str) else value
