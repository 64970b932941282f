"""Work on many games by several processes at a time, told in the order of the games."""

import gc
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from typing import TypeVar

import click

Item = TypeVar("Item")
Made = TypeVar("Made")

MIN_ITEMS_TO_SHARE = 8
"""With fewer items than this no second process is begun."""
QUEUED_PER_PROCESS = 4
"""How many items a process has waiting, so that few of a large file are in memory at a time."""

jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Check many games by so many processes; without, by as many as there are cores. What is said is the same.",
)


def core_count() -> int:
    """How many processes can work at a time."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def collect_garbage_seldom() -> None:
    """Have garbage looked for seldom, and never in the program itself: what is made of a game holds few circles."""
    gc.freeze()
    gc.set_threshold(50_000)


def map_in_order(work: Callable[[Item], Made], items: Iterable[Item], jobs: int | None = None) -> Iterator[Made]:
    """`work`, which must be importable by name, of each item in their order; by one process where it would not pay."""
    coming, many = iter(items), core_count() if jobs is None else jobs
    first = list(islice(coming, MIN_ITEMS_TO_SHARE))
    collect_garbage_seldom()
    if many < 2 or len(first) < MIN_ITEMS_TO_SHARE:
        return map(work, chain(first, coming))
    pool = ProcessPoolExecutor(many, get_context("fork" if sys.platform == "linux" else None))
    begun = deque([pool.submit(work, item) for item in first])  # here the processes begin, before a bar has a thread
    return _map_in_pool(pool, work, begun, coming, many * QUEUED_PER_PROCESS)


def _map_in_pool(
    pool: ProcessPoolExecutor,
    work: Callable[[Item], Made],
    waiting: deque[Future[Made]],
    items: Iterator[Item],
    ahead: int,
) -> Iterator[Made]:
    with pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            while len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
