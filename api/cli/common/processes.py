"""Work on many games in several processes, with results in the order of the games, and progress bars."""

import gc
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import get_context
from typing import TypeVar

import click
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


Item = TypeVar("Item")
Result = TypeVar("Result")

MIN_ITEMS_TO_SHARE = 8
"""The minimum number of items for which several processes pay off."""
QUEUED_PER_PROCESS = 4
"""Queued items for each process: a small number, to keep little of a large file in memory."""

jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Check many games in this number of processes; by default one for each core. The output is the same.",
)


def core_count() -> int:
    """Return the number of processes that can run at the same time."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def collect_garbage_seldom() -> None:
    """Make garbage collection rare: the objects of a game have few reference cycles."""
    gc.freeze()
    gc.set_threshold(50_000)


def map_in_order(work: Callable[[Item], Result], items: Iterable[Item], jobs: int | None = None) -> Iterator[Result]:
    """Yield `work(item)` for each item, in order; in several processes if that pays off.

    `work` must be importable by name.
    """
    coming, many = iter(items), core_count() if jobs is None else jobs
    first = list(islice(coming, MIN_ITEMS_TO_SHARE))
    collect_garbage_seldom()
    if many < 2 or len(first) < MIN_ITEMS_TO_SHARE:
        return map(work, chain(first, coming))
    pool = ProcessPoolExecutor(many, get_context("fork" if sys.platform == "linux" else None))
    begun = deque([pool.submit(work, item) for item in first])  # start processes before a progress bar starts a thread
    return _map_in_pool(pool, work, begun, coming, many * QUEUED_PER_PROCESS)


def _map_in_pool(
    pool: ProcessPoolExecutor,
    work: Callable[[Item], Result],
    waiting: deque[Future[Result]],
    items: Iterator[Item],
    ahead: int,
) -> Iterator[Result]:
    with pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            while len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
