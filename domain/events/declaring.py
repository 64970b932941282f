"""The declaration of a fact, above its class: its author, its audience, and its older versions (docs/events.md).

    @fact(Author.SEAT, Audience.EVERYBODY, gains(held_ms=0))
    class TurnReminded(Value, frozen=True):

Author and audience have no default: nobody can forget to say who sees a new fact.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import Any, NamedTuple, TypeVar

Data = dict[str, Any]
Upcast = Callable[[Data], Data]
Kind = TypeVar("Kind", bound=type[Any])
Function = TypeVar("Function")


class Author(Enum):
    """The author of a fact."""

    OPENER = auto()
    SEAT = auto()
    """its seat's player, or the table if the seat has left or the cards play automatically (B19)"""
    TABLE = auto()
    PARTY = auto()
    """its seat's player, even after the seat has left"""
    ARBITER = auto()
    """the arbiter who decides a dispute"""
    LENDER = auto()
    """the player who gets the seat back"""
    BRINGER = auto()
    """the player who brought it, or the server"""
    CAUSE = auto()
    """the host if they changed the rules, else the table"""


class Audience(Enum):
    """The audience of a fact from the start."""

    EVERYBODY = auto()
    NOBODY = auto()
    SIGHT = auto()
    """the seats that see the seat's cards in this hand"""


class Older(NamedTuple):
    """How an older version is read: the fields that the next one gained, with those that hold them, and the upcast.

    An upcast is a function from the JSON data of one version to that of the next. It writes out what the old version
    meant, and looks at nothing but the data.
    """

    fields: tuple[str, ...]
    upcast: Upcast


class Declaration(NamedTuple):
    """The author and the audience of a fact, and its older versions from the first one on."""

    author: Author
    audience: Audience
    older: tuple[Older, ...]


DECLARATIONS: dict[type[Any], Declaration] = {}


def fact(author: Author, audience: Audience, *older: Older) -> Callable[[Kind], Kind]:
    """Declare a class as a fact. Its version is one more than the number of older ones."""

    def declare(kind: Kind) -> Kind:
        DECLARATIONS[kind] = Declaration(author, audience, older)
        return kind

    return declare


def gains(**values: object) -> Older:
    """Return an older version that lacks these fields. It meant these values."""
    return Older(tuple(values), lambda data: data | values)


def add_to(table: dict[type[Any], Function], *kinds: type[Any]) -> Callable[[Function], Function]:
    """Enter the decorated function into `table` for these facts."""

    def enter(function: Function) -> Function:
        table.update(dict.fromkeys(kinds, function))
        return function

    return enter
