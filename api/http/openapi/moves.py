"""Moves as JSON schemas, made from the types of moves that the server reads."""

from collections.abc import Mapping
from typing import Any

from api.http.openapi.answers.fields import CARD_PATTERN, HASH, REFERENCES
from api.http.strict_json import MAX_INTEGER
from domain.protocols.beacon import SIGNATURE_DIGITS
from projections.moves.json_moves import MAX_CARDS, MAX_SOURCE, MOVE_FIELDS

JsonSchema = dict[str, Any]
CARD: JsonSchema = {"type": "string", "pattern": CARD_PATTERN, "examples": ["AD", "10C", "X1"]}
WHOLE: JsonSchema = {"type": "integer", "minimum": -MAX_INTEGER, "maximum": MAX_INTEGER}
HEX: JsonSchema = {"type": "string", **HASH}
FIELDS: Mapping[str, JsonSchema] = {
    "accept": {"type": "boolean"},
    "accused": WHOLE | {"description": "The seat that takes too long."},
    "bid": WHOLE,
    "card": CARD,
    "cards": {"type": "array", "items": CARD, "maxItems": MAX_CARDS},
    "change": {"type": "string", "pattern": "^[a-z]{1,16}:[a-z0-9]{1,16}$", "examples": ["points:7"]},
    "commit": HEX,
    "cut": HEX,
    "guilty": {"type": "boolean"},
    "n": WHOLE | {"description": "The number of the ceremony."},
    "next_seal": {"anyOf": [HEX, {"type": "null"}]},
    "signature": {"type": "string", "pattern": f"^[0-9a-f]{{{SIGNATURE_DIGITS}}}$"},
    "source": {"type": "string", "maxLength": MAX_SOURCE, "examples": ["drand/quicknet/1000"]},
    "suit": {"type": "string", "enum": ["C", "D", "H", "S"]},
}
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
        "from": {"type": "array", "items": CARD},
        "must": {"type": "array", "items": CARD},
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
    types = {_name(kind): _move(kind, fields) for kind, fields in MOVE_FIELDS.items()}
    body = [_pointer("Move"), _pointer("TextMove")]
    choices = [_pointer("DiscardChoice"), _pointer("CallChoice")]
    return types | {
        "Move": _any_move(),
        "TextMove": TEXT_MOVE,
        "MoveBody": {"oneOf": body, "description": "A move as JSON or as text."},
        "DiscardChoice": DISCARD_CHOICE,
        "CallChoice": CALL_CHOICE,
        "Choice": {"oneOf": choices, "description": "A move that can't be listed."},
    }


def _any_move() -> JsonSchema:
    names = {kind: _name(kind) for kind in MOVE_FIELDS}
    mapping = {kind: REFERENCES + name for kind, name in names.items()}
    discriminator = {"propertyName": "type", "mapping": mapping}
    return {"oneOf": [_pointer(name) for name in names.values()], "discriminator": discriminator}


def _name(kind: str) -> str:
    """Return the name of a component: `MovePlay`, `MoveNameTrump`."""
    return "Move" + kind.title().replace("_", "")


def _pointer(name: str) -> JsonSchema:
    return {"$ref": REFERENCES + name}


def _move(kind: str, fields: frozenset[str]) -> JsonSchema:
    return {
        "type": "object",
        "properties": {"type": {"type": "string", "const": kind}} | {name: FIELDS[name] for name in sorted(fields)},
        "required": ["type", *sorted(fields)],
        "additionalProperties": False,
    }
