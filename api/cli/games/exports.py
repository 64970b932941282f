"""`trickbook game export`: the log of one game, or of many, also as rows in CSV or Parquet."""

import csv
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import click
from marshmallow import ValidationError

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.files import game_option, open_games_file, read_game
from api.cli.common.histories import is_stored, load_history
from api.cli.common.processes import progress
from api.cli.parser.groups import did_you_mean
from api.cli.sources.selection import open_source
from api.evidence.services.exports import GameExport
from api.ops.files import atomic_write
from api.ops.progress import SetProgress
from api.play.services.game_schemas import EXPORTS_QUERY
from replay.audit import GREEN, WRONG
from replay.fold import MisplacedFact
from replay.history import History, export_bytes, read_export
from replay.history.bundle import split_exports
from replay.queries.flat_table import COLUMNS, FlatRow, flat_rows

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


UNCHANGED = object()
"""The existing file of a game was already correct."""


@click.command(name="export")
@click.argument("game", required=False)
@click.option("--all", "everything", is_flag=True, help="Every game.")
@click.option("--player", metavar="NAME", multiple=True, help="Games of this player; of all, if you name several.")
@click.option("--variant", metavar="NAME", help="Games of this variant.")
@click.option("--since", metavar="TIME", help="Games opened at this time (UTC) or later: 2026-11-21, or finer.")
@click.option("--until", metavar="TIME", help="Games opened before this time.")
@click.option("--status", metavar="STATUS", help="Games that are active, or finished.")
@click.option("-o", "--output", metavar="PATH", help="A file for all games, or a folder for one file per game.")
@click.option("--csv", "form", flag_value="csv", help="Write a table: a row for each bid, card, and hand of a seat.")
@click.option("--parquet", "form", flag_value="parquet", help="Write this table as Parquet, with pyarrow.")
@game_option
@data_option
def export_command(
    game: str | None, everything: bool, output: str | None, form: FlatFormat | None, which: str | None,
    data: Path | None, **filters: str | Sequence[str] | None,
) -> None:  # fmt: skip
    """Write the export of GAME, or of many games, with everything that is public now.

    With --csv or --parquet, all games are in one table, which can't be verified. docs/tables.md describes its columns.
    GAME can be a file of many games then.

    Many games are exported as of one moment, in the order in which they were opened. The command prints that moment as
    a position: the number of the last event in the store, counted through all games. On a terminal it shows a progress
    bar. A file appears only when it is complete. In a folder (an existing one, or a name that ends in /) files that are
    already correct stay unchanged: to resume an interrupted export, run it again. Exit code 1 if the log of one
    of the games is corrupt.
    """
    query = {name: value for name, value in filters.items() if value}
    if game is not None and (everything or query):
        raise click.UsageError("Give either a GAME, or --all or filters, but not both.")
    if game is None and not (everything or query):
        raise click.UsageError(
            "Name a GAME, or select games with --all, --player, --variant, --since, --until or --status."
        )
    if form is not None:
        sys.exit(_export_table(game, which, _load_query(query), form, output, data))
    if game is None:
        sys.exit(_export_many(_load_query(query), output, data))
    export = open_source(data).export(game) if is_stored(game) else export_bytes(load_history(game, data, which))
    with _sink(output) as write:
        write(export)


def _export_table(
    game: str | None, which: str | None, query: dict[str, Any], form: FlatFormat, output: str | None, data: Path | None
) -> int:
    """Write the table of one game or many, and return the exit code."""
    if output is None and form == "parquet":
        raise click.UsageError("Name a file for --parquet, with --output.")
    if output is not None and _is_folder(output):
        raise click.UsageError("The table is one file: name it with --output.")
    count, row_count, faults = 0, 0, list[str]()
    with (
        _open_histories(game, which, query, data) as histories,
        _open_file(output) as file,
        open_flat_file(file, form) as write,
    ):
        for history in histories:
            rows = _rows_or_fault(history)
            if isinstance(rows, str):
                faults.append(f"board {history.header.board}: {rows}")
                continue
            write(rows)
            count, row_count = count + 1, row_count + len(rows)
    click.echo(f"{count} game{'' if count == 1 else 's'}, {row_count} rows", err=True)
    for each in faults:
        click.echo(each, err=True)
    return WRONG if faults else GREEN


def _rows_or_fault(history: History) -> list[FlatRow] | str:
    """Return the rows of a game, or why there aren't any."""
    if history.trailer is None:
        return "its log is broken off"
    try:
        return flat_rows(history)
    except MisplacedFact as error:
        return str(error)


@contextmanager
def _open_histories(
    game: str | None, which: str | None, query: dict[str, Any], data: Path | None
) -> Iterator[Iterator[History]]:
    """Yield the histories of the games: of the store, of the server, or of a file."""
    if game is None:
        with open_source(data).exports(query) as run, progress("exporting", run.total) as set_progress:
            yield (read_export(each.text) for each in _with_progress(run.items, set_progress))
    elif is_stored(game):
        yield iter([read_export(open_source(data).export(game))])
    elif which is not None:
        yield iter([read_game(game, which)])
    else:
        with open_games_file(game) as lines:
            yield map(read_export, split_exports(lines))


@contextmanager
def _open_file(output: str | None) -> Iterator[BinaryIO]:
    """Yield standard output, or a file that appears when it is complete."""
    if output is None:
        yield sys.stdout.buffer
        return
    with _report_write_errors(Path(output)), atomic_write(Path(output)) as file:
        yield file


def _is_folder(output: str) -> bool:
    return output.endswith("/") or Path(output).is_dir()


def _load_query(query: dict[str, Any]) -> dict[str, Any]:
    """Return the filters as `GET /exports/games` takes them; a usage error for invalid ones."""
    try:
        loaded: dict[str, Any] = EXPORTS_QUERY.load(query)
    except ValidationError as error:
        errors = error.messages_dict.items()
        raise click.UsageError("; ".join(_sentence(query[name], name, says) for name, says in errors)) from None
    return loaded


def _sentence(value: Any, name: str, messages: list[str]) -> str:
    """Return what is wrong with the value of a filter, and the nearest choice."""
    says = " ".join(messages)
    choices = says.partition("one of: ")[2].rstrip(".").split(", ")
    return f"--{name}: {says}{did_you_mean(str(value), choices)}"


@contextmanager
def _sink(output: str | None) -> Iterator[Callable[[bytes], object]]:
    """Yield the function that writes bytes: to standard output, or to a file that appears when it is complete."""
    if output is None:
        yield partial(click.echo, nl=False)
        return
    with _open_file(output) as file:
        yield file.write


@contextmanager
def _report_write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CannotAnswer(f"{error.filename or path}: {error.strerror}") from None


def _export_many(query: dict[str, Any], output: str | None, data: Path | None) -> int:
    """Write the exports and return the exit code."""
    with open_source(data).exports(query) as run, progress("exporting", run.total) as set_progress:
        count, left, broken = _write_all(_with_progress(run.items, set_progress), output)
    unchanged = f", {left} of them unchanged" if left else ""
    click.echo(f"{count} game{'' if count == 1 else 's'}, as of position {run.position}{unchanged}", err=True)
    for each in broken:
        click.echo(f"board {each.board}: {each.broken}", err=True)
    return WRONG if broken else GREEN


def _with_progress(exports: Iterator[GameExport | int], set_progress: SetProgress) -> Iterator[GameExport]:
    for each in exports:
        if isinstance(each, GameExport):
            yield each
        set_progress(each.passed if isinstance(each, GameExport) else each)


def _write_all(exports: Iterable[GameExport], output: str | None) -> tuple[int, int, list[GameExport]]:
    """Write all exports; return the number of games, of unchanged files, and the games with a corrupt log."""
    count, left, broken = 0, 0, list[GameExport]()
    with _open_output(output) as write:
        for each in exports:
            left += write(each) is UNCHANGED
            count += 1
            broken += [] if each.broken is None else [each]
    return count, left, broken


@contextmanager
def _open_output(output: str | None) -> Iterator[Callable[[GameExport], object]]:
    if output is not None and _is_folder(output):
        with _report_write_errors(Path(output)):
            Path(output).mkdir(parents=True, exist_ok=True)
            yield partial(_write_to_folder, Path(output))
    else:
        with _sink(output) as write:
            yield lambda each: write(each.text)


def _write_to_folder(folder: Path, each: GameExport) -> object:
    """Write a file for the game, or return UNCHANGED; a game with a corrupt log keeps its old file."""
    path = folder / f"board-{each.board}.ndjson"
    if each.broken is not None:
        return None
    if path.is_file() and path.stat().st_size == len(each.text) and path.read_bytes() == each.text:
        return UNCHANGED
    with atomic_write(path) as file:
        return file.write(each.text)


commands: list[click.Command] = [export_command]
