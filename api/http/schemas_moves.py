"""A schema for each type of move, from the table of moves that also makes their description."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields

from api.http.schemas import StrictSchema
from domain.commands import SeatCommand
from projections.moves.json_moves import MOVES, FieldType, MalformedMove, require_type


class MoveField(fields.Field[Any]):
    """A field of a move."""

    def __init__(self, field_type: FieldType) -> None:
        self.says, self.read = f"{field_type.says[0].upper()}{field_type.says[1:]}.", field_type.read
        super().__init__(required=True, allow_none=_takes_null(field_type), error_messages={"null": self.says})

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        try:
            return self.read(value)
        except ValueError:
            raise ValidationError(self.says) from None


def _takes_null(field_type: FieldType) -> bool:
    try:
        field_type.read(None)
    except ValueError:
        return False
    return True


def _schema(kind: str) -> Schema:
    made = {name: MoveField(field_type) for name, field_type in MOVES[kind].fields.items()}
    return StrictSchema.from_dict({"type": fields.String(), **made}, name="Move" + kind.title().replace("_", ""))()


MOVE_SCHEMAS: Mapping[str, Schema] = {kind: _schema(kind) for kind in MOVES}


def load_move(move: Mapping[str, Any], seat: int) -> SeatCommand:
    """Return the command of a move. Raise ValidationError with a message for each field that is invalid."""
    try:
        kind = require_type(move)
    except MalformedMove as error:
        raise ValidationError({"type": [str(error).removeprefix("type ").capitalize() + "."]}) from None
    values = MOVE_SCHEMAS[kind].load(move)
    del values["type"]
    return MOVES[kind].command(seat, **values)
