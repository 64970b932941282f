"""Changing copies of frozen values, both dataclasses and structs."""

import dataclasses
from typing import Any, TypeVar, cast

from msgspec import Struct, structs

T = TypeVar("T")


def replace(value: T, **fields: Any) -> T:
    """Return `value` with `fields` replaced."""
    if isinstance(value, Struct):
        return cast(T, structs.replace(value, **fields))
    return cast(T, dataclasses.replace(cast(Any, value), **fields))
