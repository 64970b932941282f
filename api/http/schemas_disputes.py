"""Schemas for bodies and queries about disputes. The domain judges the numbers, not the schema."""

from marshmallow import ValidationError, fields, validate

from api.http.schemas import StrictSchema, integer_field, query_integer_field
from api.http.schemas_games import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_SEATS, WaitQuery
from api.http.strict_json import MAX_INTEGER
from domain.cards import DECK_54
from domain.events.dispute_codes import AppealOutcome, DisputeKind, Ruling, StandardOfProof

MAX_TEXT_LENGTH = 10_000
"""The most characters of a text, whatever the server's setting allows."""
MAX_TRICKS = 13
MAX_EVIDENCE = 60
"""The most events that a dispute can name: as many as a hand has cards."""
HASH = validate.Regexp("[0-9a-f]{64}\\Z")


def _one_of(*values: str) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(values))


def _text(*, required: bool = True) -> fields.String:
    """Return a field for one paragraph of text: no body contains a line break."""
    return fields.String(required=required, validate=[validate.Length(1, MAX_TEXT_LENGTH), _is_not_blank])


def _is_not_blank(text: str) -> None:
    if not text.strip():
        raise ValidationError("Must not be blank.")


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
    text = _text()
    details = fields.Nested(NewDisputeDetails())


class EvidenceReference(StrictSchema):
    """The log that a ruling is based on."""

    size = integer_field(1, MAX_INTEGER)
    root = fields.String(required=True, validate=HASH)


class NewRuling(StrictSchema):
    """`POST /games/{id}/disputes/{d}/ruling`. Without evidence it's based on the current log."""

    decision = _one_of(*Ruling)
    changes = fields.List(integer_field(-MAX_INTEGER, MAX_INTEGER), validate=validate.Length(0, MAX_SEATS))
    basis = fields.String(allow_none=True, load_default=None, validate=validate.Length(1, 8))
    standard = _one_of(*StandardOfProof)
    evidence = fields.Nested(EvidenceReference())
    text = _text()


class Appeal(StrictSchema):
    """`POST /games/{id}/disputes/{d}/appeal`"""

    text = _text(required=False)


class AppealDecision(StrictSchema):
    """`POST /games/{id}/disputes/{d}/decision`"""

    decision = _one_of(*AppealOutcome)
    text = _text(required=False)


class NewDisputeAnswer(StrictSchema):
    """`PUT /games/{id}/disputes/{d}/answer`"""

    text = _text()


class QueueQuery(WaitQuery):
    """`GET /disputes`"""

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
