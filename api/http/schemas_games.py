"""What bodies and queries about games must look like; values the rules judge are let through to them."""

import re
from datetime import datetime

from marshmallow import ValidationError, fields, validate

from api.http.schemas import NAME, Strict, query_integer
from api.http.strict_json import LARGEST
from api.services.open_game import BOT
from domain.rules.variants import VARIANTS
from projections.bots import STRATEGIES

SEATS_AT_MOST = 16
PAGE, LARGEST_PAGE = 50, 500
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


def an_object() -> fields.Dict:
    """Any JSON object, {} where it is absent."""
    return fields.Dict(keys=fields.String(), load_default=dict, error_messages={"invalid": "Must be an object."})


class Opening(Strict):
    """`POST /games`"""

    variant = fields.String(required=True)
    options = an_object()
    seats = fields.List(
        fields.String(validate=_is_seat), required=True, validate=validate.Length(1, SEATS_AT_MOST)
    )
    timing = an_object()
    fairness = an_object()
    reveal = fields.String(load_default="hand")


class Text(Strict):
    """A move as players write it."""

    text = fields.String(required=True)


class EventsQuery(Strict):
    """`GET /events`: from which version on, and how many at most (None: all of them)."""

    after = query_integer(0, LARGEST, default=0)
    limit = query_integer(1, LARGEST_PAGE)


class ReplayQuery(Strict):
    """`GET /hands/{n}/replay`: a version, and a seat where not one's own."""

    at = query_integer(1, LARGEST)
    seat = query_integer(0, LARGEST)


class WaitQuery(Strict):
    """A projection read: the position it must have reached."""

    wait = query_integer(0, LARGEST)


class GamesQuery(WaitQuery):
    """`GET /games`"""

    variant = fields.String(validate=validate.OneOf(tuple(VARIANTS), error="Offered: {choices}."))
    player = fields.String()
    status = fields.String(validate=validate.OneOf(("active", "finished")))
    waiting = fields.String()
    since = fields.String(validate=_is_time)
    limit = query_integer(1, LARGEST_PAGE, default=PAGE)
    cursor = fields.String()


class ExportsQuery(Strict):
    """`GET /exports/games`: `since` and `until` are about when a game was opened."""

    variant = fields.String(validate=validate.OneOf(tuple(VARIANTS), error="Offered: {choices}."))
    player = fields.String()
    status = fields.String(validate=validate.OneOf(("active", "finished")))
    since = fields.String(validate=_is_time)
    until = fields.String(validate=_is_time)


class ReceiptQuery(Strict):
    """`GET /receipt`: over how many events (None: all of them)."""

    size = query_integer(1, LARGEST)


class InclusionQuery(ReceiptQuery):
    """`GET /proofs/inclusion`: of which event, in a log how long."""

    version = query_integer(1, LARGEST, required=True)


class ConsistencyQuery(Strict):
    """`GET /proofs/consistency`: from a log how long to one how long (None: all of it)."""

    first = query_integer(1, LARGEST, required=True)
    second = query_integer(1, LARGEST)


OPENING, TEXT = Opening(), Text()
EVENTS_QUERY, REPLAY_QUERY, GAMES_QUERY, WAIT_QUERY = EventsQuery(), ReplayQuery(), GamesQuery(), WaitQuery()
EXPORTS_QUERY = ExportsQuery()
RECEIPT_QUERY, INCLUSION_QUERY, CONSISTENCY_QUERY = ReceiptQuery(), InclusionQuery(), ConsistencyQuery()
