"""What bodies and queries must look like, one marshmallow schema per route, each built once.

marshmallow takes "5" and 5.5 for an integer and "yes" for a boolean, and drops what it does not know, unless told
otherwise; the fields made here are told. Text has passed `strict_json` before: no control character, no lone surrogate.
"""

import re

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate

from api.http.strict_json import parse_integer

# One spelling for every name, so that no two can look alike or be told apart only by a normal form: ASCII alone, and a
# letter or digit first, so that no name is an option (-win) or a path (..) to a command line. R-P12
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
RESERVED_NAMES = re.compile(r"(?i:p_[0-9a-f]+|server|bot|table|house)")  # ids of players, and who else acts in a log
PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH = 8, 256
REFUSED_IN_PASSWORDS = " \"':"  # R-P12


class StrictSchema(Schema):
    """A JSON object, or a query, without a field that is not declared."""

    class Meta:
        unknown = RAISE


def integer(low: int, high: int, *, required: bool = True) -> fields.Integer:
    """A JSON integer (not "5", not 5.0, not true) from low to high."""
    return fields.Integer(required=required, strict=True, validate=validate.Range(low, high))


def flag(*, required: bool = True) -> fields.Raw:
    """true or false, and no other spelling of them."""
    return fields.Raw(required=required, validate=_is_flag)


def name(*, required: bool = True) -> fields.String:
    """A user's name in its one canonical form."""
    return fields.String(required=required, validate=_is_name)


def query_integer(low: int, high: int, *, default: int | None = None, required: bool = False) -> fields.Integer:
    """A query parameter spelling an integer from low to high in ASCII digits; `default` where it is absent."""
    absent = missing if required else default
    return fields.Integer(
        required=required, load_default=absent, strict=True, pre_load=_spelled, validate=validate.Range(low, high)
    )


def _is_flag(value: object) -> None:
    if not isinstance(value, bool):
        raise ValidationError("Not true or false.")


def _is_name(text: str) -> None:
    if NAME.fullmatch(text) is None:
        raise ValidationError("A name is 1 to 32 of A-Z a-z 0-9 - _ . and starts with a letter or digit.")


def _is_password(text: str) -> None:
    if any(char in REFUSED_IN_PASSWORDS for char in text):
        raise ValidationError("A password holds no space, quote or colon.")


def _spelled(text: str) -> int:
    number = parse_integer(text)
    if number is None:
        raise ValidationError("Not an integer in plain digits.")
    return number


def _is_nobody_elses(text: str) -> None:
    if RESERVED_NAMES.fullmatch(text) is not None:
        raise ValidationError("This name would be taken for somebody else: for the server, or for a player's id.")


class Registration(StrictSchema):
    """`POST /users`"""

    name = fields.String(required=True, validate=[_is_name, _is_nobody_elses])
    password = fields.String(
        required=True, validate=[validate.Length(PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH), _is_password]
    )


class Login(StrictSchema):
    """`POST /tokens`: any text for a password, so that what was allowed once still opens the door."""

    name = name()
    password = fields.String(required=True, validate=validate.Length(1, PASSWORD_MAX_LENGTH))


REGISTRATION, LOGIN = Registration(), Login()
