"""The base class of facts, events and states: frozen msgspec structs.

A game creates them by the thousand, and creating a dataclass takes ten times as long. A struct can only hold values
that exist before it, so it's never part of a reference cycle and the garbage collector doesn't track it (gc=False).
"""

from collections.abc import Callable
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace

__all__ = ["Value", "redacted_repr", "replace"]


class Value(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An immutable record. `replace(value, **fields)` returns a copy with other values in `fields`.

    It's decoded only from an object without other fields.
    """

    @property
    def __rich_repr__(self) -> NoReturn:
        """Raise AttributeError, so that rich prints the `__repr__`; msgspec's own would show rich every field."""
        raise AttributeError("rich prints the __repr__")


def redacted_repr(*secret: str) -> Callable[[Any], str]:
    """Return a `__repr__` that leaves out the fields in `secret`, to keep them out of messages and logs."""

    def repr_without(value: Struct) -> str:
        fields = [f"{name}={getattr(value, name)!r}" for name in value.__struct_fields__ if name not in secret]
        return f"{type(value).__name__}({', '.join(fields)})"

    return repr_without
