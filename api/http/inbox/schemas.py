"""Schemas for queries and bodies about inboxes and webhooks."""

from marshmallow import fields, validate

from api.http.schemas import StrictSchema, query_integer_field
from api.services.event_stream import MAX_WAIT_S

MAX_ID = 31
MAX_ENTRIES = 100


class InboxQuery(StrictSchema):
    """`GET /me/events`: the id after which to begin, that with which a stream ends, and as in `EventsQuery`."""

    after = fields.String(load_default=None, validate=validate.Length(1, MAX_ID))
    until = fields.String(load_default=None, validate=validate.Length(1, MAX_ID))
    limit = query_integer_field(1, MAX_ENTRIES)
    wait = query_integer_field(0, MAX_WAIT_S)


INBOX_QUERY = InboxQuery()
