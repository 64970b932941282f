"""What is worked out once for a value that never changes: remembered by which value it is, without comparing it."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST = 256
"""How many values are remembered before all are forgotten."""


def once_for_each(work: Callable[[K], V]) -> Callable[[K], V]:
    """`work`, a function of a frozen value such as rules, asked once for each such value as long as it is in use.

    Two equal values are two: to hash rules takes longer than what is mostly asked about them.
    """
    known: dict[int, tuple[K, V]] = {}

    @wraps(work)
    def remembered(of: K) -> V:
        found = known.get(id(of))
        if found is not None and found[0] is of:
            return found[1]
        if len(known) >= MOST:
            known.clear()
        made = work(of)
        known[id(of)] = of, made  # held, so that no other value gets its id
        return made

    return remembered
