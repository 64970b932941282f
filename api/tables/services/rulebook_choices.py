"""The choices of a rulebook: each field of the rules with its values, made from the classes of the rules."""

from collections.abc import Iterator
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypedDict, Union, get_args, get_origin, get_type_hints

from api.tables.services.rulebook_document import LONGEST, MOST, MOST_NAME, MOST_PLAYERS, MOST_TEXT, SET_BY_PROGRAM
from domain.cards import DECK_54, Card
from domain.json_fields import one_of, says
from domain.rules.model import Rules


class RulebookChoice(TypedDict):
    """A field of the rules that a rulebook can set."""

    name: Annotated[str, says("`auction.moon` is a field of an object, `points[].award` one of a list's objects.")]
    kind: Annotated[str, one_of("choice", "flag", "number", "word", "object")]
    values: Annotated[list[str], says("Those of a choice.")]
    list: Annotated[bool, says("Whether the field is a list of these.")]
    null: Annotated[bool, says("Whether null is valid, too.")]


class RulebookChoices(TypedDict):
    """The choices of a rulebook, and its limits."""

    items: list[RulebookChoice]
    most: Annotated[int, says("The largest number.")]
    longest: Annotated[int, says("The most items of a list.")]
    most_players: int
    most_name: Annotated[int, says("The most characters of a rulebook's name.")]
    most_text: Annotated[int, says("The most characters of its text.")]


@cache
def rulebook_choices() -> RulebookChoices:
    """Return every field of the rules that a rulebook can set, those of objects after their object."""
    return {
        "items": list(_choices_of(Rules, "")),
        "most": MOST,
        "longest": LONGEST,
        "most_players": MOST_PLAYERS,
        "most_name": MOST_NAME,
        "most_text": MOST_TEXT,
    }


def _choices_of(record: type[Any], path: str) -> Iterator[RulebookChoice]:
    hints = get_type_hints(record)
    for each in fields_of(record):
        if path or each.name not in SET_BY_PROGRAM:
            yield from _choice(path + each.name, hints[each.name])


def _choice(name: str, hint: Any) -> Iterator[RulebookChoice]:
    is_null = get_origin(hint) in (Union, UnionType)
    if is_null:
        (hint,) = [each for each in get_args(hint) if each is not NoneType]
    is_list = get_origin(hint) is tuple
    if is_list:
        hint = get_args(hint)[0]
    kind, values = _kind(hint)
    yield {"name": name, "kind": kind, "values": values, "list": is_list, "null": is_null}
    if kind == "object":
        yield from _choices_of(hint, f"{name}[]." if is_list else f"{name}.")


def _kind(hint: Any) -> tuple[str, list[str]]:
    if is_dataclass(hint):
        return "object", []
    if hint is Card:
        return "choice", list(DECK_54)
    if get_origin(hint) is Literal:
        return "choice", list(get_args(hint))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return "choice", [str(each) for each in hint]
    return {bool: "flag", int: "number"}.get(hint, "word"), []
