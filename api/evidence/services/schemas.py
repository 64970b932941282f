"""Schemas for the queries about a game and for disputes."""

from typing import Any

from marshmallow import ValidationError, fields, validate

from api.play.services.game_schemas import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_SEATS, WaitQuery
from api.schemas import IS_HASH, MAX_INTEGER, StrictSchema, integer_field, query_integer_field, text_field
from domain.cards import DECK_54
from domain.events.disputes import AppealOutcome, DisputeKind, Ruling, StandardOfProof
from projections.bots import STRATEGIES
from replay.queries.branch import MAX_HANDS, MAX_MOVES

MAX_MOVE_LENGTH = 4096
MAX_ADDRESS_PART = 20


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
    """The version of a move, to get only its choice; the caller's seat, for their own moves in a game that is over."""

    at = query_integer_field(1, MAX_INTEGER)
    seat = query_integer_field(0, MAX_INTEGER)


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
    root = fields.String(required=True, validate=IS_HASH)


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


MAX_TRICKS = 13
MAX_EVIDENCE = 60
"""The most events that a dispute can name: as many as a hand has cards."""


def _one_of(*values: str) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(values))


class NewAccused(StrictSchema):
    """Whose play is disputed, and which."""

    seat = integer_field(0, MAX_SEATS - 1)
    trick = integer_field(1, MAX_TRICKS, required=False)
    card = fields.String(validate=validate.OneOf(DECK_54))


class NewDisputeDetails(StrictSchema):
    """The accused, and the events of the questions about revokes and draws that are evidence."""

    accused = fields.Nested(NewAccused())
    revokes = fields.List(integer_field(1, MAX_INTEGER), validate=validate.Length(0, MAX_EVIDENCE))
    draws = fields.List(integer_field(1, MAX_INTEGER), validate=validate.Length(0, MAX_EVIDENCE))


class NewDispute(StrictSchema):
    """`POST /games/{id}/disputes`. Without at_version it's about the current version."""

    hand = integer_field(1, MAX_INTEGER)
    at_version = integer_field(1, MAX_INTEGER, required=False)
    kind = _one_of(*DisputeKind)
    text = text_field()
    details = fields.Nested(NewDisputeDetails())


class EvidenceReference(StrictSchema):
    """The log that a ruling is based on."""

    size = integer_field(1, MAX_INTEGER)
    root = fields.String(required=True, validate=IS_HASH)


class NewRuling(StrictSchema):
    """`POST /games/{id}/disputes/{d}/ruling`. Without evidence it's based on the current log."""

    decision = _one_of(*Ruling)
    changes = fields.List(integer_field(-MAX_INTEGER, MAX_INTEGER), validate=validate.Length(0, MAX_SEATS))
    basis = fields.String(allow_none=True, load_default=None, validate=validate.Length(1, 8))
    standard = _one_of(*StandardOfProof)
    evidence = fields.Nested(EvidenceReference())
    text = text_field()


class Appeal(StrictSchema):
    """`POST /games/{id}/disputes/{d}/appeal`"""

    text = text_field(required=False)


class AppealDecision(StrictSchema):
    """`POST /games/{id}/disputes/{d}/decision`"""

    decision = _one_of(*AppealOutcome)
    text = text_field(required=False)


class NewDisputeAnswer(StrictSchema):
    """`PUT /games/{id}/disputes/{d}/answer`"""

    text = text_field()


class QueueQuery(WaitQuery):
    """`GET /disputes`: with `kind` or `clause`, the rulings like these instead of what waits."""

    kind = fields.String(load_default=None, validate=validate.OneOf(tuple(DisputeKind)))
    clause = fields.String(load_default=None, validate=validate.Length(1, 8))
    limit = query_integer_field(1, MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)
    cursor = fields.String()


NEW_DISPUTE, DISPUTE_ANSWER, NEW_RULING, APPEAL, APPEAL_DECISION, QUEUE_QUERY = (
    NewDispute(),
    NewDisputeAnswer(),
    NewRuling(),
    Appeal(),
    AppealDecision(),
    QueueQuery(),
)
