"""What bodies and queries about disputes must look like; numbers the rules judge are let through to them."""

from marshmallow import ValidationError, fields, validate

from api.http.schemas import Strict, integer, query_integer
from api.http.schemas_games import LARGEST_PAGE, PAGE, SEATS_AT_MOST, WaitQuery
from api.http.strict_json import LARGEST
from domain.events.dispute_codes import Contested, OnAppeal, Ruling, Standard

TEXT_AT_MOST = 2000
HASH = validate.Regexp("[0-9a-f]{64}\\Z")


def _one_of(*values: str) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(values))


def _text(*, required: bool = True) -> fields.String:
    """What is said: some text, of one paragraph, as no body holds a line break."""
    return fields.String(required=required, validate=[validate.Length(1, TEXT_AT_MOST), _is_said])


def _is_said(text: str) -> None:
    if not text.strip():
        raise ValidationError("Nothing is said.")


class NewDispute(Strict):
    """`POST /games/{id}/disputes`; without at_version it is about the game as it stands."""

    hand = integer(1, LARGEST)
    at_version = integer(1, LARGEST, required=False)
    kind = _one_of(*Contested)
    text = _text()


class EvidenceNamed(Strict):
    """The log a ruling rests on."""

    size = integer(1, LARGEST)
    root = fields.String(required=True, validate=HASH)


class NewRuling(Strict):
    """`POST /games/{id}/disputes/{d}/ruling`; without evidence it rests on the log as it stands."""

    decision = _one_of(*Ruling)
    changes = fields.List(integer(-LARGEST, LARGEST), validate=validate.Length(0, SEATS_AT_MOST))
    basis = fields.String(allow_none=True, load_default=None, validate=validate.Length(1, 8))
    standard = _one_of(*Standard)
    evidence = fields.Nested(EvidenceNamed())
    text = _text()


class Appeal(Strict):
    """`POST /games/{id}/disputes/{d}/appeal`"""

    text = _text(required=False)


class Word(Strict):
    """`POST /games/{id}/disputes/{d}/decision`"""

    decision = _one_of(*OnAppeal)
    text = _text(required=False)


class Queue(WaitQuery):
    """`GET /disputes`"""

    limit = query_integer(1, LARGEST_PAGE, default=PAGE)
    cursor = fields.String()


NEW_DISPUTE, NEW_RULING, APPEAL, WORD, QUEUE = NewDispute(), NewRuling(), Appeal(), Word(), Queue()
