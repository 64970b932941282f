"""The choices of a rulebook: each field of the rules with its values, made from the classes of the rules."""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, TypedDict

from api.tables.services.rulebook_document import LONGEST, MOST, MOST_NAME, MOST_PLAYERS, MOST_TEXT, rule_fields
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


def _choices_of(record: Any, path: str) -> Iterator[RulebookChoice]:
    for name, field in rule_fields(record).items():
        yield {
            "name": path + name,
            "kind": field.kind,
            "values": list(field.values),
            "list": field.is_list,
            "null": field.is_null,
        }
        if field.record is not None:
            yield from _choices_of(field.record, f"{path}{name}[]." if field.is_list else f"{path}{name}.")
