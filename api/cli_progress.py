"""A progress bar on standard error; none where that is no terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

COLUMNS = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()

Told = Callable[[int], None]


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Told]:
    """A bar; tell it how much of `total` is done so far (None: nobody knows how much there is)."""
    console = Console(stderr=True)
    shown = Progress(
        *COLUMNS, console=console, disable=not console.is_terminal, transient=True, redirect_stdout=sys.stdout.isatty()
    )
    with shown:
        task = shown.add_task(what, total=total)
        yield lambda done: shown.update(task, completed=done)
