"""Frozen values that are made by the hundred thousand: facts, events and states, and what they hold.

They are structs of msgspec, as a dataclass takes ten times as long to make. Nothing in them can ever lead back to
themselves, so that Python need not search them for what leads in circles (gc=False).
"""

from collections.abc import Callable
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace


class Value(Struct, frozen=True, gc=False):
    """What is never changed: another one is made of it."""

    @property
    def __rich_repr__(self) -> NoReturn:
        """Not there: what a struct tells rich of itself, past its `__repr__`, are all fields, secret ones too."""
        raise AttributeError("rich is shown the __repr__")


changed = replace
"""`changed(value, **fields)` is `value` with `fields` replaced."""


def hiding(*secret: str) -> Callable[[Any], str]:
    """A `__repr__` that says nothing of the fields named: secrets stay out of every message and log."""

    def shown(value: Struct) -> str:
        fields = [f"{name}={getattr(value, name)!r}" for name in value.__struct_fields__ if name not in secret]
        return f"{type(value).__name__}({', '.join(fields)})"

    return shown
