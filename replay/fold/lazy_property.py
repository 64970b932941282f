"""Properties of frozen records that are computed once, at their first use."""

from collections.abc import Callable
from typing import Generic, TypeVar

S = TypeVar("S")
T = TypeVar("T")


class _LazyProperty(Generic[S, T]):
    """functools.cached_property without its lock."""

    def __init__(self, compute: Callable[[S], T]) -> None:
        self._compute, self._name, self.__doc__ = compute, compute.__name__, compute.__doc__

    def __get__(self, instance: S, _owner: type[S] | None = None) -> T:
        value = instance.__dict__[self._name] = self._compute(instance)
        return value


def lazy_property(compute: Callable[[S], T]) -> _LazyProperty[S, T]:
    """Make a property that is computed at its first use and stored in the instance."""
    return _LazyProperty(compute)
