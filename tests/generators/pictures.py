"""`make pictures`: the pictures of README and docs: what commands print, the terminal, and the metrics of a run.

    python -m tests.generators.pictures

A test compares each picture with one drawn from the current output or record. `tests.web.pictures` draws the pages.
"""

import re
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from tests.commands import run
from tests.generators.metrics_picture import metrics_picture
from tests.terminal.pictures import SIZES, terminal_picture

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
COLUMNS = 78
GAME = "tests/stored/v1/pitch-won.ndjson"
PICTURES = {
    "table.svg": (["game", "show", GAME, "--at", "83", "--seat", "0"], "trickbook game show 1 --at 83 --seat 0"),
    "audit.svg": (["game", "audit", GAME], "trickbook game audit 1"),
}
"""Each picture's command as it is run, and as the picture shows it."""
METRICS = "metrics.svg"


def picture(name: str) -> str:
    """Return the SVG of a terminal in which the command of `name` has just printed its output."""
    command, shown = PICTURES[name]
    arguments = [str(ROOT / each) if each == GAME else each for each in command]
    result = run(*arguments)
    console = Console(record=True, width=COLUMNS, file=StringIO(), color_system="truecolor", legacy_windows=False)
    console.print(Text(f"$ {shown}", style="bold"))
    console.print(Text(result.output.rstrip()), soft_wrap=False)
    drawn = console.export_svg(title="trickbook", theme=MONOKAI, unique_id=name.removesuffix(".svg"))
    return re.sub(r"\s*@font-face \{.*?\}\n", "\n", drawn, flags=re.DOTALL)  # a page fetches nothing from elsewhere


def main() -> None:
    """Write every picture."""
    for name in PICTURES:
        (IMAGES / name).write_text(picture(name), encoding="utf-8")
    for name in SIZES:
        (IMAGES / name).write_text(terminal_picture(name), encoding="utf-8")
    (IMAGES / METRICS).write_text(metrics_picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
