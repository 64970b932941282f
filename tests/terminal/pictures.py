"""Pictures of the terminal: the screen of a stored game as prompt_toolkit draws it, as SVG."""

import re
from io import StringIO
from itertools import groupby

import pyte
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import MONOKAI
from rich.text import Text

from api.cli.terminal.fullscreen import FullScreen
from tests.terminal.drawing import draw
from tests.terminal.stored_tables import NOW, chat_message, put_table

SIZES = {"play.svg": (78, 24), "play-narrow.svg": (40, 20)}
"""The columns and rows of each picture."""
COLORS = {"default": None, "brightblue": "bright_blue"}


def terminal_picture(name: str) -> str:
    """Return the SVG of a table in a terminal."""
    columns, rows = SIZES[name]
    screen, _ = draw(_prepare, columns, rows, NOW)
    console = Console(record=True, width=columns, file=StringIO(), color_system="truecolor", legacy_windows=False)
    for row in range(rows):
        console.print(_row(screen, row), soft_wrap=False)
    drawn = console.export_svg(title="trickbook play", theme=MONOKAI, unique_id=name.removesuffix(".svg"))
    return re.sub(r"\s*@font-face \{.*?\}\n", "\n", drawn, flags=re.DOTALL)


def _prepare(terminal: FullScreen) -> None:
    put_table(terminal.model, "pitch-won", 83, 0)
    terminal.model.apply(chat_message(1, "p1", "good luck with that"))
    terminal.buffer.text = "jh"


def _row(screen: pyte.Screen, row: int) -> Text:
    text, cells = Text(), [screen.buffer[row][column] for column in range(screen.columns)]
    for style, run in groupby(cells, lambda cell: (COLORS.get(cell.fg, cell.fg), cell.bold, cell.reverse)):
        color, bold, reverse = style
        text.append("".join(cell.data for cell in run), Style(color=color, bold=bold, reverse=reverse))
    return text
