"""What bodies and queries about games must look like; values the rules judge are let through to them."""

import re
from datetime import datetime

from marshmallow import ValidationError, fields, validate

from api.http.schemas import NAME, StrictSchema, query_integer
from api.http.strict_json import MAX_INTEGER
from api.services.open_game import BOT
from domain.rules.variants import VARIANTS
from projections.bots import STRATEGIES

MAX_SEATS = 16
DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE = 50, 500
BOTS = tuple(STRATEGIES)
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z?)?")


def _is_seat(text: str) -> None:
    if text.startswith(BOT):
        if text.removeprefix(BOT) not in BOTS:
            raise ValidationError(f"There are bots {', '.join(BOT + name for name in BOTS)}.")
    elif NAME.fullmatch(text) is None:
        raise ValidationError("Not the name of a user or of a bot.")


def _is_time(text: str) -> None:
    if TIME.fullmatch(text) is None or not _happens(text.removesuffix("Z")):
        raise ValidationError("Not a time in UTC, like 2026-11-21T08:00:00Z.")


def _happens(time: str) -> bool:
    """Whether the calendar and the clock know the time: no 31st of June, no 25 o'clock."""
    try:
        datetime.fromisoformat(time)
    except ValueError:
        return False
    return True


def object_field() -> fields.Dict:
    """Any JSON object, {} where it is absent."""
    return fields.Dict(keys=fields.String(), load_default=dict, error_messages={"invalid": "Must be an object."})


class NewGame(StrictSchema):
    """`POST /games`"""

    variant = fields.String(required=True)
    options = object_field()
    seats = fields.List(fields.String(validate=_is_seat), required=True, validate=validate.Length(1, MAX_SEATS))
    timing = object_field()
    fairness = object_field()
    reveal = fields.String(load_default="hand")


class TextMove(StrictSchema):
    """A move as players write it."""

    text = fields.String(required=True)


class EventsQuery(StrictSchema):
    """`GET /events`: from which version on, and how many at most (None: all of them)."""

    after = query_integer(0, MAX_INTEGER, default=0)
    limit = query_integer(1, MAX_PAGE_SIZE)


class ReplayQuery(StrictSchema):
    """`GET /hands/{n}/replay`: a version, and a seat where not one's own."""

    at = query_integer(1, MAX_INTEGER)
    seat = query_integer(0, MAX_INTEGER)


class WaitQuery(StrictSchema):
    """A projection read: the position it must have reached."""

    wait = query_integer(0, MAX_INTEGER)


class GamesQuery(WaitQuery):
    """`GET /games`"""

    variant = fields.String(validate=validate.OneOf(tuple(VARIANTS), error="Offered: {choices}."))
    player = fields.String()
    status = fields.String(validate=validate.OneOf(("active", "finished")))
    waiting = fields.String()
    since = fields.String(validate=_is_time)
    limit = query_integer(1, MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)
    cursor = fields.String()


class ExportsQuery(StrictSchema):
    """`GET /exports/games`: `since` and `until` are about when a game was opened."""

    variant = fields.String(validate=validate.OneOf(tuple(VARIANTS), error="Offered: {choices}."))
    player = fields.String()
    status = fields.String(validate=validate.OneOf(("active", "finished")))
    since = fields.String(validate=_is_time)
    until = fields.String(validate=_is_time)


class ReceiptQuery(StrictSchema):
    """`GET /receipt`: over how many events (None: all of them)."""

    size = query_integer(1, MAX_INTEGER)


class InclusionQuery(ReceiptQuery):
    """`GET /proofs/inclusion`: of which event, in a log how long."""

    version = query_integer(1, MAX_INTEGER, required=True)


class ConsistencyQuery(StrictSchema):
    """`GET /proofs/consistency`: from a log how long to one how long (None: all of it)."""

    first = query_integer(1, MAX_INTEGER, required=True)
    second = query_integer(1, MAX_INTEGER)


NEW_GAME, TEXT_MOVE = NewGame(), TextMove()
EVENTS_QUERY, REPLAY_QUERY, GAMES_QUERY, WAIT_QUERY = EventsQuery(), ReplayQuery(), GamesQuery(), WaitQuery()
EXPORTS_QUERY = ExportsQuery()
RECEIPT_QUERY, INCLUSION_QUERY, CONSISTENCY_QUERY = ReceiptQuery(), InclusionQuery(), ConsistencyQuery()
