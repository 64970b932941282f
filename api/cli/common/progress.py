"""Progress bars on standard error; none if it isn't a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from api.ops.progress import AddBar, SetProgress

COUNTED = ("games", "events", "rows")
"""The last words of labels whose bars show a rate."""


class RateColumn(ProgressColumn):
    """How much of what a label names is done in a second, such as `712 games/s`."""

    def render(self, task: Task) -> Text:
        """Return the text of a bar."""
        unit, speed = task.description.rpartition(" ")[2], task.finished_speed or task.speed
        return Text("" if unit not in COUNTED or speed is None else f"{speed:,.0f} {unit}/s")


COLUMNS = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), RateColumn(), TimeRemainingColumn()


@contextmanager
def bars() -> Iterator[AddBar]:
    """Yield the function that adds bars."""
    console = Console(stderr=True)
    shown = Progress(
        *COLUMNS, console=console, disable=not console.is_terminal, transient=True, redirect_stdout=sys.stdout.isatty()
    )

    def add(what: str, total: int | None) -> SetProgress:
        task = shown.add_task(what, total=total)
        return lambda done: shown.update(task, completed=done)

    with shown:
        yield add


@contextmanager
def progress(what: str, total: int | None) -> Iterator[SetProgress]:
    """Yield the setter of a single bar: call it with the amount done so far."""
    with bars() as add:
        yield add(what, total)
