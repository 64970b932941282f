"""Moves as JSON schemas, made from the types of moves that the server reads."""

from collections.abc import Mapping
from typing import Any

from api.schemas import MAX_INTEGER
from domain.json_fields import CARD_PATTERN, HASH_PATTERN
from domain.protocols.beacon import SIGNATURE_DIGITS
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
