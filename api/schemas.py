"""Schemas for bodies and queries, one marshmallow schema for each route, built once.

By default marshmallow accepts "5" and 5.5 as integers and "yes" as a boolean, and ignores unknown fields. The fields
here are strict. Text comes from `strict_json`, without control characters and lone surrogates.
"""

import re

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate

from api.people.stored.passwords import PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH
from api.people.stored.users import is_reserved

# R-P12. Only ASCII, so that no two names look alike or differ only in their Unicode normal form. The first character is
# a letter or digit, so that a command line can't mistake a name for an option (-win) or a path (..).
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
MAX_INTEGER = 2**53 - 1  # the integers that all JSON parsers agree on (RFC 8259 section 6)
DIGITS = re.compile("0|[1-9][0-9]{0,15}")
GAME = "[1-9][0-9]{0,8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""A board number of at most nine digits, or a UUID in canonical lower case."""


def parse_integer(text: str) -> int | None:
    """Return the integer from 0 to 2^53-1 that `text` spells in ASCII digits without leading zeros, or None."""
    return int(text) if DIGITS.fullmatch(text) and int(text) <= MAX_INTEGER else None


fields.Field.default_error_messages |= {"required": "Is missing.", "null": "Must not be null."}
fields.String.default_error_messages |= {"invalid": "Must be a text."}
fields.Integer.default_error_messages |= {"invalid": "Must be a whole number."}
fields.List.default_error_messages |= {"invalid": "Must be a list."}
validate.Length.message_all = "Must have {min} to {max} characters or items."
validate.Length.message_max = "Must have at most {max} characters or items."
validate.Length.message_min = "Must have at least {min} characters or items."
validate.Length.message_equal = "Must have {equal} characters or items."
"""Messages go on after the name of a field. marshmallow's own way to change those of all fields."""

IS_GAME = validate.Regexp(rf"(?:{GAME})\Z", error="Must be a board number or the id of a game, as text.")
IS_HASH = validate.Regexp(r"[0-9a-f]{64}\Z", error="Must be 64 lower-case hex digits.")


class StrictSchema(Schema):
    """A JSON object or a query that rejects unknown fields."""

    error_messages = {  # noqa: RUF012 - the library declares no ClassVar
        "unknown": "Isn't known here.",
        "type": "Must be an object.",
    }

    class Meta:
        unknown = RAISE


def integer_field(low: int, high: int, *, required: bool = True) -> fields.Integer:
    """Return a field for a JSON integer (not "5", not 5.0, not true) from low to high."""
    return fields.Integer(required=required, strict=True, validate=validate.Range(low, high))


def boolean_field(*, required: bool = True) -> fields.Boolean:
    """Return a field for a JSON boolean (not 1, not "yes"), which is false if it's missing and isn't required."""
    return fields.Boolean(required=required, load_default=missing if required else False, pre_load=_require_boolean)


def _require_boolean(value: object) -> object:
    if type(value) is not bool:
        raise ValidationError("Must be true or false.")
    return value


def name_field(*, required: bool = True) -> fields.String:
    """Return a field for a user's name."""
    return fields.String(required=required, validate=_is_name, metadata={"pattern": f"^{NAME.pattern}$"})


def query_integer_field(low: int, high: int, *, default: int | None = None, required: bool = False) -> fields.Integer:
    """Return a field for a query parameter from low to high in ASCII digits; `default` if it's missing."""
    absent = missing if required else default
    return fields.Integer(
        required=required, load_default=absent, strict=True, pre_load=_parse_digits, validate=validate.Range(low, high)
    )


def _is_name(text: str) -> None:
    if NAME.fullmatch(text) is None:
        raise ValidationError("Must be 1 to 32 of A-Z a-z 0-9 - _ . and start with a letter or digit.")


def _parse_digits(text: str) -> int:
    number = parse_integer(text)
    if number is None:
        raise ValidationError("Must be a whole number in plain digits.")
    return number


def _is_not_reserved(text: str) -> None:
    if is_reserved(text):
        raise ValidationError(
            "This name is reserved: it looks like the server, its staff, a bot, a guest or a player's id."
            " Choose another one."
        )


def new_password_field() -> fields.String:
    """Return a field for a password that somebody chooses."""
    said = f"Choose one of {PASSWORD_MIN_LENGTH} to {PASSWORD_MAX_LENGTH} characters."
    length = validate.Length(PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH, error=said)
    return fields.String(required=True, validate=length)


class Registration(StrictSchema):
    """`POST /users`"""

    name = fields.String(
        required=True, validate=[_is_name, _is_not_reserved], metadata={"pattern": f"^{NAME.pattern}$"}
    )
    password = new_password_field()


REGISTRATION = Registration()
