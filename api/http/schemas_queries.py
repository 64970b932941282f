"""What the questions about a game take: after the question mark, and in the body of a branch."""

import re
from typing import Any

from marshmallow import ValidationError, fields, validate

from api.http.schemas import StrictSchema, integer, query_integer
from api.http.strict_json import MAX_INTEGER
from projections.bots import STRATEGIES
from replay.queries.branch import HANDS_AT_MOST, MOVES_AT_MOST

MAX_MOVE_LENGTH = 4096
ROOT = re.compile(r"[0-9a-f]{64}\Z")


class HandQuery(StrictSchema):
    """Of one hand, or of the whole game."""

    hand = query_integer(1, MAX_INTEGER)


class MomentQuery(StrictSchema):
    """A version, the last where it is absent, and a seat, the asker's own where it is."""

    at = query_integer(1, MAX_INTEGER)
    seat = query_integer(0, MAX_INTEGER)


class LegalQuery(MomentQuery):
    """The same, and a move to try: a text, or JSON."""

    move = fields.String(load_default=None, validate=validate.Length(1, MAX_MOVE_LENGTH))


COMMITS_QUERY = StrictSchema.from_dict(
    {"from": query_integer(1, MAX_INTEGER), "to": query_integer(1, MAX_INTEGER)}, name="CommitsQuery"
)()
"""The versions from which on and up to which; `from` is no name for an attribute."""


class CompareQuery(StrictSchema):
    """A root that somebody has kept, and of how many events, of all there are where it is absent."""

    size = query_integer(0, MAX_INTEGER)
    root = fields.String(required=True, validate=validate.Regexp(ROOT, error="Not 64 lower-case hex digits."))


def _is_move(move: Any) -> None:
    if not isinstance(move, str | dict):
        raise ValidationError("Not a move: a text, or an object like the body of a move.")


class NewBranch(StrictSchema):
    """`POST /branches`"""

    at = integer(1, MAX_INTEGER)
    moves = fields.List(fields.Raw(validate=_is_move), load_default=list, validate=validate.Length(0, MOVES_AT_MOST))
    bots = fields.String(load_default=None, allow_none=True, validate=validate.OneOf(tuple(STRATEGIES)))
    seat = fields.Integer(load_default=None, allow_none=True, strict=True, validate=validate.Range(0, MAX_INTEGER))
    hands = integer(1, HANDS_AT_MOST, required=False)


HAND_QUERY, MOMENT_QUERY, LEGAL_QUERY = HandQuery(), MomentQuery(), LegalQuery()
COMPARE_QUERY, NEW_BRANCH = CompareQuery(), NewBranch()
