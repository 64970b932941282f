"""A progress bar on standard error; none where that is no terminal."""

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
    """Bars one below the other: name what is done and how much there is (None: nobody knows), and tell it on and on."""
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
    """A single bar: tell it how much of `total` is done so far."""
    with bars() as add:
        yield add(what, total)
