"""Schemas for bodies and queries about games. The domain judges the values, not the schema."""

import re
from datetime import datetime
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from api.conduct.stored.chat_messages import CHAT_SETTINGS, OPEN
from api.play.services.event_stream import MAX_WAIT_S
from api.play.services.positions import MAX_POSITION_CHARACTERS
from api.schemas import MAX_INTEGER, NAME, StrictSchema, integer_field, query_integer_field
from api.tables.services.forming import LONGEST_S, SHORTEST_S, USUAL_S
from api.tables.services.open_game import BOT_PREFIX
from api.tables.stored.seats import EMPTY_SEATS
from domain.engine.deadlines import CLAIM, FORFEIT
from domain.protocols.signed_notes import MAX_COSIGNATURES
from domain.rules.variants import KNOWN
from projections.bots import BOTS, STRATEGIES

MAX_SEATS, MOST_PLAYERS = 16, 8
"""The most seats of a table, and the most players that one filter names."""
DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE = 50, 500
SEAT_PATTERN = f"^({'|'.join(BOT_PREFIX + name for name in BOTS)}|{NAME.pattern})$"
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z?)?")


def _is_seat(text: str) -> None:
    if text not in EMPTY_SEATS:
        _is_player(text, ", open or invite")


def _is_player(text: str, or_else: str = "") -> None:
    if text.startswith(BOT_PREFIX):
        if text.removeprefix(BOT_PREFIX) not in BOTS:
            raise ValidationError(f"Must be one of the bots {', '.join(BOT_PREFIX + name for name in BOTS)}.")
    elif NAME.fullmatch(text) is None:
        raise ValidationError(f"Must be the name of a user or a bot{or_else}.")


def is_autopilot(text: str) -> None:
    names = (FORFEIT, CLAIM, *(BOT_PREFIX + name for name in STRATEGIES))
    if text not in names:
        raise ValidationError(f"Must be one of {', '.join(names)}.")


def _is_time(text: str) -> None:
    if TIME.fullmatch(text) is None or not _exists(text.removesuffix("Z")):
        raise ValidationError("Must be a time in UTC, such as 2026-11-21T08:00:00Z.")


def _exists(time: str) -> bool:
    """Return whether the date and time exist: no 31 June, no 25:00."""
    try:
        datetime.fromisoformat(time)
    except ValueError:
        return False
    return True


def time_field() -> fields.String:
    """Return a field for a time in UTC, or the beginning of one."""
    return fields.String(validate=_is_time, metadata={"pattern": f"^({TIME.pattern})$"})


def object_field() -> fields.Dict:
    """Return a field for any JSON object; {} if it's missing."""
    return fields.Dict(keys=fields.String(), load_default=dict, error_messages={"invalid": "Must be an object."})


class NewGame(StrictSchema):
    """`POST /games`"""

    variant = fields.String()
    rulebook = fields.String(validate=validate.Length(1, 64))
    options = object_field()
    seats = fields.List(
        fields.String(validate=_is_seat, metadata={"pattern": SEAT_PATTERN}),
        required=True,
        validate=validate.Length(1, MAX_SEATS),
    )
    timing = object_field()
    fairness = object_field()
    reveal = fields.String(load_default="hand")
    watch = object_field()
    undo = fields.String(load_default="consent")
    autopilot = fields.String(load_default=FORFEIT, validate=is_autopilot)
    chat = fields.String(load_default=OPEN, validate=validate.OneOf(CHAT_SETTINGS, error="Must be one of: {choices}."))
    expires_s = fields.Integer(load_default=USUAL_S, strict=True, validate=validate.Range(SHORTEST_S, LONGEST_S))

    @validates_schema
    def _names_rules(self, data: dict[str, Any], **_kwargs: Any) -> None:
        """Require the name of a variant or a rulebook, and not both."""
        if "variant" not in data and "rulebook" not in data:
            raise ValidationError({"variant": ["Is missing."]})
        if "variant" in data and "rulebook" in data:
            raise ValidationError({"rulebook": ["Name a variant or a rulebook, not both."]})


class NewHandover(StrictSchema):
    """`POST /games/{game}/handovers`: the name of a user, or a bot."""

    to = fields.String(required=True, validate=_is_player, metadata={"pattern": SEAT_PATTERN})


class EventsQuery(StrictSchema):
    """`GET /events`: the first version, exclusive, the last one, and the maximum number of events (None: all).

    `wait` is for how many seconds to wait for an event before an empty answer.
    """

    after = query_integer_field(0, MAX_INTEGER, default=0)
    until = query_integer_field(1, MAX_INTEGER)
    limit = query_integer_field(1, MAX_PAGE_SIZE)
    wait = query_integer_field(0, MAX_WAIT_S)


class ReplayQuery(StrictSchema):
    """`GET /hands/{n}/replay`: a version, and a seat other than the caller's own."""

    at = query_integer_field(1, MAX_INTEGER)
    seat = query_integer_field(0, MAX_INTEGER)


class WaitQuery(StrictSchema):
    """A query of a list: the log position that the list must have reached, from a Trickbook-Position header."""

    wait = fields.String(load_default=None, validate=validate.Length(1, MAX_POSITION_CHARACTERS))


class GamesQuery(WaitQuery):
    """`GET /games`: each `player` that is named has a seat."""

    variant = fields.String(validate=validate.OneOf(tuple(KNOWN), error="Must be one of: {choices}."))
    player = fields.List(fields.String(), validate=validate.Length(1, MOST_PLAYERS))
    status = fields.String(validate=validate.OneOf(("active", "finished", "forming")))
    waiting = fields.String()
    since = time_field()
    limit = query_integer_field(1, MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)
    cursor = fields.String()


class ExportsQuery(StrictSchema):
    """`GET /exports/games`: `since` and `until` compare with the time when a game was opened."""

    variant = fields.String(validate=validate.OneOf(tuple(KNOWN), error="Must be one of: {choices}."))
    player = fields.List(fields.String(), validate=validate.Length(1, MOST_PLAYERS))
    status = fields.String(validate=validate.OneOf(("active", "finished")))
    since = time_field()
    until = time_field()


class ReceiptQuery(StrictSchema):
    """`GET /receipt`: the maximum number of events that it covers (None: all)."""

    size = query_integer_field(1, MAX_INTEGER)


class InclusionQuery(ReceiptQuery):
    """`GET /proofs/inclusion`: the version of the event, and the maximum size of the receipt."""

    version = query_integer_field(1, MAX_INTEGER, required=True)


class ConsistencyQuery(StrictSchema):
    """`GET /proofs/consistency`: the shorter size, and the maximum of the longer one (None: all)."""

    first = query_integer_field(1, MAX_INTEGER, required=True)
    second = query_integer_field(1, MAX_INTEGER)


class Cosignatures(StrictSchema):
    """`POST /cosignatures`: the size of a receipt, and signature lines of witnesses on it."""

    size = integer_field(1, MAX_INTEGER)
    lines = fields.List(
        fields.String(validate=validate.Length(1, 1000)), required=True, validate=validate.Length(1, MAX_COSIGNATURES)
    )


NEW_GAME, NEW_HANDOVER, NO_FIELDS = NewGame(), NewHandover(), StrictSchema()
COSIGNATURES = Cosignatures()
EVENTS_QUERY, REPLAY_QUERY, GAMES_QUERY, WAIT_QUERY = EventsQuery(), ReplayQuery(), GamesQuery(), WaitQuery()
EXPORTS_QUERY = ExportsQuery()
RECEIPT_QUERY, INCLUSION_QUERY, CONSISTENCY_QUERY = ReceiptQuery(), InclusionQuery(), ConsistencyQuery()
