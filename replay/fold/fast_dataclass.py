"""Frozen dataclasses that are made by the ten thousand: lines and positions."""

from typing import Any, TypeVar

T = TypeVar("T")


def built(kind: type[T], fields: dict[str, Any]) -> T:
    """One of all its fields, several times faster than by its own `__init__`, which sets them one by one."""
    value = object.__new__(kind)
    object.__setattr__(value, "__dict__", fields)
    return value
