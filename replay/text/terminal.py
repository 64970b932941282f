"""Views and reports for a terminal as rich tables, and for files and pipes as plain text."""

from collections.abc import Mapping
from io import StringIO
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from replay.text import board
from replay.text.layout import sanitize

FILE_WIDTH = 100_000
"""The columns of output for a file or pipe: more than any line has."""
View = Mapping[str, Any]


def make_console() -> Console:
    """Return a console that doesn't interpret markup."""
    return Console(markup=False, highlight=False, emoji=False)


def plain_text(what: RenderableType, width: int = FILE_WIDTH) -> str:
    """Return `what` as plain text without trailing blanks: for a file or a pipe without line wraps, or in columns."""
    written = StringIO()
    Console(
        file=written, force_terminal=False, no_color=True, width=width, markup=False, highlight=False, emoji=False
    ).print(what)
    return "\n".join(each.rstrip() for each in written.getvalue().split("\n"))


def make_table(*heads: str) -> Table:
    """Return an empty table with these headings."""
    table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")  # names are shortened nowhere
    return table


def add_row(table: Table, *cells: object) -> None:
    """Add a row to a table; None becomes an empty cell, and markup isn't interpreted."""
    table.add_row(*(Text("" if cell is None else sanitize(str(cell))) for cell in cells))


def text_line(text: str) -> Text:
    """Return a line of text without markup and control characters."""
    return Text(sanitize(text))


def seat_names(view: View, names: Mapping[str, str]) -> dict[int, str]:
    """Return the player's name of each seat of a view."""
    return {seat: sanitize(name) for seat, name in board.seat_names(view, names).items()}


def view_lines(view: View, names: Mapping[str, str]) -> Text:
    """Return a view as the text of a board. A name in a file may be any text, and stays in its line."""
    text = board.board_text(view, {player: sanitize(name) for player, name in names.items()})
    return Text("\n".join(map(sanitize, text.split("\n"))))
