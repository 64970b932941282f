"""Short names for the fields of answers. All of them are always present, unless `required=False`.

A client must ignore fields that it doesn't know; tests accept no field that isn't described.
"""

from collections.abc import Mapping
from typing import Any

from marshmallow import EXCLUDE, Schema, fields

SCHEMA = "schema"
"""The key in a field's metadata for a JSON schema that marshmallow can't express."""
REFERENCES = "#/components/schemas/"
Keywords = Mapping[str, Any]
"""Keywords of JSON schema."""
HASH: Keywords = {"pattern": "^[0-9a-f]{64}$"}
TIME: Keywords = {"format": "date-time"}
UUID: Keywords = {"format": "uuid"}
CARD_PATTERN = "^(X[12]|(10|[2-9JQKA])[CDHS])$"
CARD: Keywords = {"pattern": CARD_PATTERN, "examples": ["AD"]}


class AnswerSchema(Schema):
    """A JSON object that the server sends."""

    class Meta:
        unknown = EXCLUDE


def string(says: str = "", *, null: bool = False, required: bool = True, **more: Any) -> fields.String:
    """Return a field for a text; `more` are keywords of JSON schema, such as a pattern."""
    return fields.String(required=required, allow_none=null, metadata=_metadata(says, more))


def whole_number(says: str = "", *, null: bool = False, required: bool = True) -> fields.Integer:
    """Return a field for a whole number."""
    return fields.Integer(required=required, allow_none=null, metadata=_metadata(says, {}))


def flag(says: str = "", *, null: bool = False, required: bool = True) -> fields.Boolean:
    """Return a field for true or false."""
    return fields.Boolean(required=required, allow_none=null, metadata=_metadata(says, {}))


def choice(*values: str, says: str = "", null: bool = False, required: bool = True) -> fields.String:
    """Return a field for one of several texts."""
    listed: list[str | None] = [*map(str, values), *([None] if null else [])]
    return string(says, null=null, required=required, enum=listed)


def part(schema: type[Schema], says: str = "", *, null: bool = False, required: bool = True) -> fields.Nested:
    """Return a field for an object."""
    return fields.Nested(schema, required=required, allow_none=null, metadata=_metadata(says, {}))


def several(
    each: fields.Field[Any] | type[Schema], says: str = "", *, null: bool = False, required: bool = True
) -> fields.List[Any]:
    """Return a field for a list."""
    items = each if isinstance(each, fields.Field) else fields.Nested(each)
    return fields.List(items, required=required, allow_none=null, metadata=_metadata(says, {}))


def by_key(each: fields.Field[Any] | type[Schema], says: str = "", *, required: bool = True) -> fields.Dict:
    """Return a field for an object whose keys are data, such as names by player id."""
    values = each if isinstance(each, fields.Field) else fields.Nested(each)
    return fields.Dict(keys=fields.String(), values=values, required=required, metadata=_metadata(says, {}))


def of_schema(schema: Mapping[str, Any], says: str = "", *, required: bool = True) -> fields.Raw:
    """Return a field that a JSON schema describes."""
    return fields.Raw(required=required, metadata=_metadata(says, {}) | {SCHEMA: dict(schema)})


def reference(name: str, says: str = "", *, null: bool = False, required: bool = True) -> fields.Raw:
    """Return a field for a component that has no marshmallow schema, such as a fact."""
    pointer: dict[str, Any] = {"$ref": REFERENCES + name}
    return of_schema({"anyOf": [pointer, {"type": "null"}]} if null else pointer, says, required=required)


def numbers(says: str = "", *, null: bool = False, with_nulls: bool = False) -> fields.List[Any]:
    """Return a field for a list of whole numbers, such as one for each seat."""
    return several(whole_number(null=with_nulls), says, null=null)


def card_list(says: str = "", *, null: bool = False) -> fields.List[Any]:
    """Return a field for a list of cards."""
    return several(string(**CARD), says, null=null)


def side_list(says: str = "The seats that score together.") -> fields.List[Any]:
    """Return a field for a list of sides."""
    return several(several(whole_number()), says)


def name_map() -> fields.Dict:
    """Return the field that maps the ids of players to the names to show."""
    return by_key(string(), "The name to show for each player id.")


def _metadata(says: str, more: Mapping[str, Any]) -> dict[str, Any]:
    return ({"description": says} if says else {}) | dict(more)
