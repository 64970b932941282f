"""Schemas for queries about a game, and for the body of a branch."""

import re
from typing import Any

from marshmallow import ValidationError, fields, validate

from api.http.schemas import StrictSchema, integer_field, query_integer_field
from api.http.strict_json import MAX_INTEGER
from projections.bots import STRATEGIES
from replay.queries.branch import MAX_HANDS, MAX_MOVES

MAX_MOVE_LENGTH = 4096
MAX_ADDRESS_PART = 20
ROOT = re.compile(r"[0-9a-f]{64}\Z")


class HandQuery(StrictSchema):
    """The number of a hand; the whole game if it's missing."""

    hand = query_integer_field(1, MAX_INTEGER)


class MomentQuery(StrictSchema):
    """A version, the latest by default, and a seat, the caller's own by default."""

    at = query_integer_field(1, MAX_INTEGER)
    seat = query_integer_field(0, MAX_INTEGER)


class MomentAddress(StrictSchema):
    """The moment in the address of a page, which the page's script reads; `seat=none` is what everybody saw."""

    at = fields.String(load_default=None, validate=validate.Length(0, MAX_ADDRESS_PART))
    seat = fields.String(load_default=None, validate=validate.Length(0, MAX_ADDRESS_PART))


class ChoicesQuery(StrictSchema):
    """The version of a move, to get only its choice."""

    at = query_integer_field(1, MAX_INTEGER)


class LegalQuery(MomentQuery):
    """A version, a seat, and a move to try: text or JSON."""

    move = fields.String(load_default=None, validate=validate.Length(1, MAX_MOVE_LENGTH))


COMMITS_QUERY = StrictSchema.from_dict(
    {"from": query_integer_field(1, MAX_INTEGER), "to": query_integer_field(1, MAX_INTEGER)}, name="CommitsQuery"
)()
"""The first and last versions, inclusive. `from` is a keyword of Python and can't name a class attribute."""


class CompareQuery(StrictSchema):
    """A root that the caller has kept, and its number of events, by default all events that exist."""

    size = query_integer_field(0, MAX_INTEGER)
    root = fields.String(required=True, validate=validate.Regexp(ROOT, error="Must be 64 lower-case hex digits."))


def _is_move(move: Any) -> None:
    if not isinstance(move, str | dict):
        raise ValidationError("Must be a move: a text, or an object like the body of POST /moves.")


class NewBranch(StrictSchema):
    """`POST /branches`"""

    at = integer_field(1, MAX_INTEGER)
    moves = fields.List(fields.Raw(validate=_is_move), load_default=list, validate=validate.Length(0, MAX_MOVES))
    bots = fields.String(load_default=None, allow_none=True, validate=validate.OneOf(tuple(STRATEGIES)))
    seat = fields.Integer(load_default=None, allow_none=True, strict=True, validate=validate.Range(0, MAX_INTEGER))
    hands = integer_field(1, MAX_HANDS, required=False)


HAND_QUERY, MOMENT_QUERY, LEGAL_QUERY = HandQuery(), MomentQuery(), LegalQuery()
CHOICES_QUERY = ChoicesQuery()
MOMENT_ADDRESS = MomentAddress()
COMPARE_QUERY, NEW_BRANCH = CompareQuery(), NewBranch()
