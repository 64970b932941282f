"""Reports of the store to the process that runs it, such as how long a transaction took."""

from collections.abc import Callable
from dataclasses import dataclass


def _ignore(_number: float = 1) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class StoreObserver:
    """The functions that the store calls with its figures, from any thread: they return at once, and never fail.

    Each transaction tells its `seconds`, its `commands` and its `events`; each look-up of a game in memory calls
    `found` or `missed`.
    """

    seconds: Callable[[float], object] = _ignore
    commands: Callable[[float], object] = _ignore
    events: Callable[[float], object] = _ignore
    found: Callable[[], object] = _ignore
    missed: Callable[[], object] = _ignore


NO_OBSERVER = StoreObserver()
"""Ignores every report."""
