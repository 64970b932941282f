"""A rulebook as people write it: JSON that begins with a game of the catalogue, and says what is different.

    {"name": "Ours", "text": "As at the club.", "from": "ten-point", "options": {},
     "rules": {"goal": 32, "auction": {"least": 4}}, "by_players": {"6": {"hand_sizes": [8]}}}

Its schema is made from the classes of the rules: each field of these is one of `rules`, and may be left out.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as fields_of
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from marshmallow import Schema, ValidationError, fields, validate

from api.schemas import StrictSchema, boolean_field, integer_field
from domain.cards import DECK_54, Card
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


def _field_of(hint: Any) -> fields.Field[Any]:
    """Return the field for a type of the rules' fields."""
    if get_origin(hint) in (Union, UnionType):
        (inner,) = [each for each in get_args(hint) if each is not NoneType]
        found = _field_of(inner)
        found.allow_none = True
        return found
    if get_origin(hint) is tuple:
        kinds = get_args(hint)
        length = validate.Length(max=LONGEST) if kinds[-1] is ... else validate.Length(equal=len(kinds))
        return fields.List(_field_of(kinds[0]), validate=length)
    if get_origin(hint) is Literal:
        return _one_of(get_args(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        return fields.Nested(_schema_of(hint))
    return _simple_field(hint)


def _simple_field(hint: Any) -> fields.Field[Any]:
    if hint is Card:
        return _one_of(DECK_54)
    if hint is bool:
        return fields.Boolean(pre_load=boolean_field().pre_load)
    if hint is int:
        return integer_field(-MOST, MOST, required=False)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _one_of([str(each) for each in hint])
    return fields.String(validate=WORD)


def _one_of(values: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(values, error="Must be one of: {choices}."))


@cache
def _schema_of(record: type[Any]) -> type[Schema]:
    """Return the schema of a class of the rules; items of lists are whole, and all else may be left out."""
    hints = get_type_hints(record)
    made = {each.name: _field_of(hints[each.name]) for each in fields_of(record) if each.name not in SET_BY_PROGRAM}
    return StrictSchema.from_dict(dict(made), name=f"Rulebook{record.__name__}")


class RulebookSchema(StrictSchema):
    """`POST /rulebooks`"""

    name = fields.String(required=True, validate=validate.Length(1, MOST_NAME))
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
