"""Memoize functions of frozen values by identity, without hashing or comparing the values."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

CAPACITY = 256
"""How many results a function keeps. When they are that many, it forgets all of them."""


def memoize_by_identity(function: Callable[[K], V]) -> Callable[[K], V]:
    """Return `function` with its results remembered for each argument object, such as a set of rules.

    Equal arguments that are different objects are computed separately: hashing rules takes longer than most functions
    of them.
    """
    results: dict[int, tuple[K, V]] = {}

    @wraps(function)
    def memoized(argument: K) -> V:
        known = results.get(id(argument))
        if known is not None and known[0] is argument:
            return known[1]
        if len(results) >= CAPACITY:
            results.clear()
        result = function(argument)
        results[id(argument)] = argument, result  # holds the argument, so that its id isn't reused
        return result

    return memoized
