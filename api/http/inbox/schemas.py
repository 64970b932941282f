"""Schemas for queries and bodies about inboxes and webhooks."""

import re

from marshmallow import ValidationError, fields, validate

from api.http.schemas import StrictSchema, query_integer_field
from api.services.event_stream import MAX_WAIT_S
from api.services.inbox.webhook_texts import FIELDS, FORMATS, MOST_TEMPLATE, unknown_fields
from api.services.inbox.webhook_urls import MAX_URL
from projections.lists.inbox import KINDS

STANDARD = "standard"
"""The format of webhooks that get entries as they are."""
MAX_ID = 31
MAX_ENTRIES = 100
GAME_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class InboxQuery(StrictSchema):
    """`GET /me/events`: the id after which to begin, that with which a stream ends, and as in `EventsQuery`."""

    after = fields.String(
        load_default=None,
        validate=validate.Length(1, MAX_ID),
        metadata={"description": "The id of an entry, or `end` for what is new alone."},
    )
    until = fields.String(load_default=None, validate=validate.Length(1, MAX_ID))
    limit = query_integer_field(1, MAX_ENTRIES)
    wait = query_integer_field(0, MAX_WAIT_S)


def _has_known_fields(template: str) -> None:
    if unknown := unknown_fields(template):
        raise ValidationError(f"There is no field {{{unknown[0]}}}. The fields are {', '.join(FIELDS)}.")


class NewWebhook(StrictSchema):
    """`POST /me/webhooks`: the URL, the kinds of entries (all by default), and the one game whose entries to send.

    `format` is that of a chat service, and `template` the text for it.
    """

    url = fields.String(required=True, validate=validate.Length(1, MAX_URL))
    kinds = fields.List(
        fields.String(validate=validate.OneOf(KINDS, error="Must be one of: {choices}.")),
        load_default=[],
        validate=validate.Length(max=len(KINDS)),
    )
    game = fields.String(
        load_default=None, allow_none=True, validate=validate.Regexp(GAME_ID, error="Must be the id of a game.")
    )
    format = fields.String(
        load_default=STANDARD, validate=validate.OneOf((STANDARD, *FORMATS), error="Must be one of: {choices}.")
    )
    template = fields.String(
        load_default=None, allow_none=True, validate=[validate.Length(1, MOST_TEMPLATE), _has_known_fields]
    )


INBOX_QUERY, NEW_WEBHOOK = InboxQuery(), NewWebhook()
