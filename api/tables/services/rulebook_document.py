"""A rulebook as people write it: JSON that begins with a game of the catalogue, and says what is different.

    {"name": "Ours", "text": "As at the club.", "from": "ten-point", "options": {},
     "rules": {"goal": 32, "auction": {"least": 4}}, "by_players": {"6": {"hand_sizes": [8]}}}

Its schema, and the choices that people have, are made from the classes of the rules: each field of these is one of
`rules`, and may be left out.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, is_dataclass, replace
from dataclasses import fields as fields_of
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypedDict, Union, get_args, get_origin, get_type_hints

import msgspec
from marshmallow import Schema, ValidationError, fields, validate

from api.schemas import StrictSchema, boolean_field, integer_field
from domain.cards import DECK_54, Card
from domain.json_fields import one_of, says
from domain.rejections import NotOffered
from domain.rules.model import RULES_VERSION, Rules
from domain.rules.rulebook import Rulebook
from domain.rules.variants import HOUSE, VARIANTS, compose_rules, variant

MOST, LONGEST = 10_000, 64
"""The largest number, and the most items of a list."""
MOST_NAME, MOST_TEXT = 80, 2000
MOST_PLAYERS = 7
WORD = validate.Regexp(
    r"[a-z0-9][a-z0-9_:-]{0,31}\Z", error="Must be 1 to 32 of a-z 0-9 _ : - and not begin with a sign."
)
SET_BY_PROGRAM = ("variant", "rules_v", "quirks")
"""Fields of the rules that no rulebook sets."""


@dataclass(frozen=True)
class Document:
    """A rulebook, and what stands beside it."""

    rulebook: Rulebook
    name: str
    text: str


@dataclass(frozen=True)
class RuleField:
    """The type of a field of the rules: of each item if it `is_list`.

    `values` are those of a choice, `record` is the class of an object, and `length` that of a list with a fixed one.
    """

    kind: Literal["choice", "flag", "number", "word", "object"]
    values: tuple[str, ...] = ()
    record: Any = None
    is_null: bool = False
    is_list: bool = False
    length: int | None = None


@cache
def rule_fields(record: Any) -> dict[str, RuleField]:
    """Return the fields of a class of the rules that a rulebook can set, by name."""
    hints = get_type_hints(record)
    names = [each.name for each in fields_of(record) if each.name not in SET_BY_PROGRAM]
    return {name: _rule_field(hints[name]) for name in names}


def _rule_field(hint: Any) -> RuleField:
    if get_origin(hint) in (Union, UnionType):
        (inner,) = [each for each in get_args(hint) if each is not NoneType]
        return replace(_rule_field(inner), is_null=True)
    if get_origin(hint) is tuple:
        kinds = get_args(hint)
        return replace(_rule_field(kinds[0]), is_list=True, length=None if kinds[-1] is ... else len(kinds))
    if hint is Card:
        return RuleField("choice", DECK_54)
    if get_origin(hint) is Literal:
        return RuleField("choice", get_args(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        return RuleField("object", record=hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return RuleField("choice", tuple(map(str, hint)))
    return RuleField("flag" if hint is bool else "number" if hint is int else "word")


def _field_of(field: RuleField) -> fields.Field[Any]:
    """Return the field of a schema."""
    made = _item_of(field)
    if field.is_list:
        most = validate.Length(max=LONGEST) if field.length is None else validate.Length(equal=field.length)
        made = fields.List(made, validate=most)
    if field.is_null:
        made.allow_none = True
    return made


def _item_of(field: RuleField) -> fields.Field[Any]:
    if field.record is not None:
        return fields.Nested(_schema_of(field.record))
    match field.kind:
        case "choice":
            return _one_of(field.values)
        case "flag":
            return fields.Boolean(pre_load=boolean_field().pre_load)
        case "number":
            return integer_field(-MOST, MOST, required=False)
        case _:
            return fields.String(validate=WORD)


def _one_of(values: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(values, error="Must be one of: {choices}."))


@cache
def _schema_of(record: Any) -> type[Schema]:
    """Return the schema of a class of the rules; items of lists are whole, and all else may be left out."""
    made: dict[str, Any] = {name: _field_of(field) for name, field in rule_fields(record).items()}
    return StrictSchema.from_dict(made, name=f"Rulebook{record.__name__}")


def _is_visible(text: str) -> None:
    """Raise ValidationError for what people would see as nothing, or what turns around the text behind it."""
    if not text.isprintable() or not text.strip():
        raise ValidationError("Must have letters that people can see.")


class RulebookSchema(StrictSchema):
    """`POST /rulebooks`"""

    name = fields.String(required=True, validate=[validate.Length(1, MOST_NAME), _is_visible])
    text = fields.String(load_default="", validate=validate.Length(max=MOST_TEXT))
    origin = fields.String(
        data_key="from", required=True, validate=validate.OneOf(tuple(VARIANTS), error="Must be one of: {choices}.")
    )
    options = fields.Dict(keys=fields.String(), load_default=dict, error_messages={"invalid": "Must be an object."})
    rules = fields.Nested(_schema_of(Rules), load_default=dict)
    by_players = fields.Dict(
        keys=_one_of([str(players) for players in range(2, MOST_PLAYERS + 1)]),
        values=fields.Nested(_schema_of(Rules)),
        load_default=dict,
    )


RULEBOOK_SCHEMA = RulebookSchema()


def read_document(body: Any) -> Document:
    """Return the rulebook in a JSON value. Raise ValidationError with the errors of each field."""
    loaded = RULEBOOK_SCHEMA.load(body)
    try:
        rules, _ = compose_rules(loaded["origin"], loaded["options"])
    except NotOffered as error:
        raise ValidationError({"options": [str(error)]}) from error
    base = _settled(msgspec.to_builtins(rules))
    whole = _converted("rules", _merged(base, loaded["rules"]), Rules)
    special = rules_by_players(loaded["origin"], loaded["options"])
    usual = {
        players: _without(fields, loaded["rules"]) for players, fields in special.items() if int(players) in whole.seats
    }
    changed = _merged(usual, loaded["by_players"])
    by_players = {
        int(players): _differences(f"by_players.{players}", _merged(msgspec.to_builtins(whole), fields), whole)
        for players, fields in changed.items()
    }
    return Document(Rulebook(whole, by_players), loaded["name"], loaded["text"])


def rules_by_players(origin: str, options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the fields of a game's rules that differ by the number of players, as JSON."""
    counts = variant(origin).by_seats
    usual = msgspec.to_builtins(compose_rules(origin, options)[0]) if counts else {}
    special = {players: msgspec.to_builtins(compose_rules(origin, options, players)[0]) for players in counts}
    return {
        str(players): {name: value for name, value in rules.items() if name != "seats" and value != usual[name]}
        for players, rules in special.items()
    }


def _without(fields: Mapping[str, Any], names: Container[str]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in names}


def settled_rules(origin: str) -> dict[str, Any]:
    """Return the fields of a game's rules that a rulebook can set, as JSON."""
    rules = msgspec.to_builtins(compose_rules(origin, {})[0])
    return {name: value for name, value in rules.items() if name not in SET_BY_PROGRAM}


def _settled(rules: dict[str, Any]) -> dict[str, Any]:
    return rules | {"variant": HOUSE, "rules_v": RULES_VERSION, "quirks": []}


def _merged(base: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with what is changed: objects field by field, lists whole."""
    merged = dict(base)
    for name, value in changed.items():
        inner = base.get(name)
        merged[name] = _merged(inner, value) if isinstance(inner, Mapping) and isinstance(value, Mapping) else value
    return merged


def _converted(path: str, value: Any, record: type[Any]) -> Any:
    try:
        return msgspec.convert(value, record)
    except msgspec.ValidationError as error:
        raise ValidationError({path: [f"Something is missing or of another kind: {error}."]}) from error


def _differences(path: str, value: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """Return the fields that differ from `rules`."""
    other = _converted(path, value, Rules)
    names = [each.name for each in fields_of(Rules)]
    return {name: getattr(other, name) for name in names if getattr(other, name) != getattr(rules, name)}


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
