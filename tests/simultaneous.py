"""Acts that begin at the same time, each in a thread of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

T = TypeVar("T")


def at_once(*acts: Callable[[], T]) -> list[T]:
    """Do all of these at the same time, and return their results."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], T]) -> T:
        barrier.wait()
        return act()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))
