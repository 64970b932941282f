"""The components of a description: JSON schemas of types, marshmallow schemas, facts and moves, by name."""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import Any, cast, get_args

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema, fields

from api.schemas import MAX_INTEGER, StrictSchema
from api.web.route import Shape, Shapes
from domain.events import FACT_VERSIONS, FACTS
from domain.json_fields import CARD_PATTERN, HASH_PATTERN, NAMED
from domain.protocols.beacon import SIGNATURE_DIGITS
from domain.rules.model import Rules
from projections.lists.inbox_entries import ENTRY_TYPES
from projections.moves.json_moves import (
    CARD,
    CARDS,
    CHANGE,
    CHANGE_PATTERN,
    FLAG,
    HASH,
    HASH_OR_NONE,
    MAX_CARDS,
    MAX_SOURCE,
    MOVES,
    SIGNATURE,
    SOURCE,
    SUIT,
    WHOLE,
    FieldType,
)

JsonSchema = dict[str, Any]
REFERENCES = "#/components/schemas/"
ONE_CARD: JsonSchema = {"type": "string", "pattern": CARD_PATTERN, "examples": ["AD", "10C", "X1"]}
WHOLE_NUMBER: JsonSchema = {"type": "integer", "minimum": -MAX_INTEGER, "maximum": MAX_INTEGER}
HEX: JsonSchema = {"type": "string", "pattern": HASH_PATTERN}
VALUES: Mapping[FieldType, JsonSchema] = {
    WHOLE: WHOLE_NUMBER,
    FLAG: {"type": "boolean"},
    CARD: ONE_CARD,
    CARDS: {"type": "array", "items": ONE_CARD, "maxItems": MAX_CARDS},
    SUIT: {"type": "string", "enum": ["C", "D", "H", "S"]},
    CHANGE: {"type": "string", "pattern": f"^{CHANGE_PATTERN}$", "examples": ["points:7"]},
    HASH: HEX,
    HASH_OR_NONE: {"anyOf": [HEX, {"type": "null"}]},
    SOURCE: {"type": "string", "maxLength": MAX_SOURCE, "examples": ["drand/quicknet/1000"]},
    SIGNATURE: {"type": "string", "pattern": f"^[0-9a-f]{{{SIGNATURE_DIGITS}}}$"},
}
DESCRIPTIONS = {"accused": "The seat that takes too long.", "n": "The number of the ceremony."}
TEXT_MOVE: JsonSchema = {
    "type": "object",
    "description": "A move in the players' notation.",
    "properties": {"text": {"type": "string", "examples": ["ad", "pass", "3"]}},
    "required": ["text"],
    "additionalProperties": False,
}
DISCARD_CHOICE: JsonSchema = {
    "type": "object",
    "description": "Throw away all of `must`, and as many of `from` as you like, `min` to `max` cards in all.",
    "properties": {
        "type": {"const": "discard"},
        "from": {"type": "array", "items": ONE_CARD},
        "must": {"type": "array", "items": ONE_CARD},
        "min": {"type": "integer"},
        "max": {"type": "integer"},
    },
    "required": ["type", "from", "must", "min", "max"],
}
CALL_CHOICE: JsonSchema = {
    "type": "object",
    "description": "Call any of the 54 cards.",
    "properties": {"type": {"const": "call_partner"}, "from": {"const": "any"}},
    "required": ["type", "from"],
}


def move_components() -> dict[str, JsonSchema]:
    """Return the components for moves by name: each type of move, any move, the body of a move, and a choice."""
    types = {_name(kind): _move(kind, each.fields) for kind, each in MOVES.items()}
    body = [pointer_to("Move"), pointer_to("TextMove")]
    choices = [pointer_to("DiscardChoice"), pointer_to("CallChoice")]
    return types | {
        "Move": _any_move(),
        "TextMove": TEXT_MOVE,
        "MoveBody": {"oneOf": body, "description": "A move as JSON or as text."},
        "DiscardChoice": DISCARD_CHOICE,
        "CallChoice": CALL_CHOICE,
        "Choice": {"oneOf": choices, "description": "A move that can't be listed."},
    }


def _any_move() -> JsonSchema:
    names = {kind: _name(kind) for kind in MOVES}
    mapping = {kind: REFERENCES + name for kind, name in names.items()}
    discriminator = {"propertyName": "type", "mapping": mapping}
    return {"oneOf": [pointer_to(name) for name in names.values()], "discriminator": discriminator}


def _name(kind: str) -> str:
    """Return the name of a component: `MovePlay`, `MoveNameTrump`."""
    return "Move" + kind.title().replace("_", "")


def pointer_to(name: str) -> JsonSchema:
    """Return the reference to a component."""
    return {"$ref": REFERENCES + name}


def _move(kind: str, fields: Mapping[str, FieldType]) -> JsonSchema:
    return {
        "type": "object",
        "properties": {"type": {"type": "string", "const": kind}}
        | {name: _field(name, fields[name]) for name in sorted(fields)},
        "required": ["type", *sorted(fields)],
        "additionalProperties": False,
    }


def _field(name: str, field_type: FieldType) -> JsonSchema:
    described = {"description": DESCRIPTIONS[name]} if name in DESCRIPTIONS else {}
    return VALUES[field_type] | described


JsonObject = dict[str, Any]
NO_CONTROL_CHARACTERS = r"^[^\u0000-\u001f\u007f-\u009f]*$"
EVENT_ITEM: JsonObject = {
    "anyOf": [pointer_to("ShownItem"), pointer_to("WithheldItem")],
    "description": "An event, or only its hashes if the caller may not see it yet.",
}

ENTRIES = {kind: REFERENCES + each.__name__ for kind, each in ENTRY_TYPES.items()}
INBOX_ENTRY: JsonObject = {
    "oneOf": [{"$ref": reference} for reference in ENTRIES.values()],
    "discriminator": {"propertyName": "kind", "mapping": ENTRIES},
    "description": "An entry of an inbox. It names things by id, and never holds a card, a name or a text.",
}


class Components:
    """Collects the schemas of a description, which are those of `shapes`.

    `newest` is false for a description that generators of clients read.
    """

    def __init__(self, spec: APISpec, plugin: MarshmallowPlugin, shapes: Iterable[Shapes], *, newest: bool) -> None:
        if plugin.converter is None:
            raise TypeError("the plugin belongs to no description yet")
        self._spec, self._newest = spec, newest
        self._converter = cast("Any", plugin.converter)  # its methods have no types
        self._converter.add_attribute_function(_field_in_json_schema)
        types = [each for shape in shapes for each in _types_in(shape)]
        self._types, components = _schemas_of_types(types)
        items = {"EventItem": EVENT_ITEM, "InboxEntry": INBOX_ENTRY}
        for name, schema in (components | move_components() | items).items():
            spec.components.schema(name, schema)

    def schema(self, shape: Shapes) -> JsonObject:
        """Return a shape as a JSON schema; each named type and marshmallow schema becomes a component."""
        if isinstance(shape, tuple | UnionType):
            return {"anyOf": [self.schema(each) for each in _parts(shape)]}
        if isinstance(shape, Mapping):
            return dict(_with_pointers(shape))
        if _is_marshmallow_schema(shape):
            found: JsonObject = self._converter.resolve_nested_schema(shape)
            return found
        return self._types[id(shape)]

    def parameters(self, schema: Schema) -> list[JsonObject]:
        """Return the fields of a query's schema as parameters."""
        found: list[JsonObject] = self._converter.schema2parameters(schema, location="query")
        return found

    def describe(self) -> None:
        """Give every component of a marshmallow schema the first paragraph of its docstring."""
        for (schema, *_), name in self._converter.refs.items():
            component = self._spec.components.schemas[name]
            component.setdefault("description", _first_paragraph(inspect.getdoc(schema) or ""))
        if self._newest:
            self._spec.components.schemas["EventEnvelope"]["allOf"] = [_data_of(name) for name in FACTS]


def drop_unused(document: JsonObject) -> JsonObject:
    """Return the document without the components that no route, message or used component refers to."""
    components: JsonObject = document["components"]
    used, left = set[str](), [document["paths"], document["webhooks"]]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            pointer = part.get("$ref")
            if isinstance(pointer, str) and pointer not in used:
                used.add(pointer)
                _, _, kind, name = pointer.split("/")
                left.append(components[kind][name])
            left += part.values()
        elif isinstance(part, list):
            left += part
    kept = {
        kind: {name: each for name, each in group.items() if f"#/components/{kind}/{name}" in used}
        for kind, group in components.items()
        if kind != "securitySchemes"
    }
    return document | {"components": components | kept}


def component_name(schema: type[Schema] | Schema) -> str:
    """Return the name of a schema's component: that of its class without `Schema`."""
    described = schema if isinstance(schema, type) else type(schema)
    return "NoFields" if described is StrictSchema else described.__name__.removesuffix("Schema")


def _is_marshmallow_schema(shape: Any) -> bool:
    return isinstance(shape, Schema) or (isinstance(shape, type) and issubclass(shape, Schema))


def _parts(shape: tuple[Shape, ...] | UnionType) -> tuple[Any, ...]:
    """Return the parts of a union, which msgspec can't read if several are TypedDicts."""
    return shape if isinstance(shape, tuple) else get_args(shape)


def _types_in(shape: Shapes) -> Iterator[Any]:
    """Yield the types in a shape that msgspec describes."""
    if isinstance(shape, tuple | UnionType):
        for each in _parts(shape):
            yield from _types_in(each)
    elif not isinstance(shape, Mapping) and not _is_marshmallow_schema(shape):
        yield shape


def _schemas_of_types(types: list[Any]) -> tuple[dict[int, JsonObject], dict[str, JsonObject]]:
    """Return the schemas of types by their `id`; and the components: these types, facts, rules, and their parts.

    All are described at once, so that each name belongs to one of them.
    """
    template = REFERENCES + "{name}"
    schemas, found = msgspec.json.schema_components([*types, *FACTS.values(), Rules], ref_template=template)
    for schema in found.values():
        schema.pop("title", None)
        schema["description"] = _first_paragraph(schema.get("description", ""))
        _drop_closed_tuples(schema)
    schemas, found = _with_pointers(schemas), _with_pointers(found)
    return dict(zip(map(id, types), schemas, strict=False)), found


def _with_pointers(schema: Any) -> Any:
    """Return a schema in which each object that is only named refers to the component of that name."""
    if isinstance(schema, Mapping):
        return {
            "$ref" if key == NAMED else key: REFERENCES + each if key == NAMED else _with_pointers(each)
            for key, each in schema.items()
        }
    return [_with_pointers(each) for each in schema] if isinstance(schema, list | tuple) else schema


def _first_paragraph(docstring: str) -> str:
    return inspect.cleandoc(docstring).partition("\n\n")[0]


def _drop_closed_tuples(schema: Any) -> None:
    """Replace `"items": false`, which apispec takes for a name; `maxItems` says the same."""
    if isinstance(schema, dict):
        if schema.get("items") is False:
            schema["items"] = {}
        for each in schema.values():
            _drop_closed_tuples(each)
    elif isinstance(schema, list):
        for each in schema:
            _drop_closed_tuples(each)


def _data_of(fact: str) -> JsonObject:
    """Return the condition that the data of a fact of today's version fits the fact."""
    named = {"fact": {"const": fact}, "v": {"const": FACT_VERSIONS[fact]}}
    return {"if": {"properties": named}, "then": {"properties": {"data": pointer_to(fact)}}}


def _field_in_json_schema(_: Any, field: fields.Field[Any], ret: JsonObject) -> JsonObject:
    """Correct what apispec can't know: patterns of Python, defaults of null, and texts of requests."""
    changes: JsonObject = {}
    if ret.get("default", 0) is None:
        del ret["default"]
    if "pattern" in ret:
        changes["pattern"] = _ecma_pattern(ret["pattern"])
    elif isinstance(field, fields.String) and isinstance(field.parent, StrictSchema) and "enum" not in ret:
        changes["pattern"] = NO_CONTROL_CHARACTERS
    return changes


def _ecma_pattern(pattern: str) -> str:
    r"""Return a pattern that matches a whole text in JavaScript, from one of Python that ends with \Z."""
    return f"^({pattern.removesuffix(chr(92) + 'Z')})$" if pattern.endswith("\\Z") else pattern
