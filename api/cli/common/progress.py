"""Progress bars on standard error; none if it isn't a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

COLUMNS = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()

SetProgress = Callable[[int], None]


AddBar = Callable[[str, int | None], SetProgress]


@contextmanager
def bars() -> Iterator[AddBar]:
    """Yield a function that adds a bar, with a label and a total (None: unknown), and returns its setter."""
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
