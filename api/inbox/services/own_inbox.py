"""A caller's inbox, and the webhooks to which the server sends its entries."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from marshmallow import ValidationError, fields, validate

from api.caller import Caller, require_player, require_token
from api.container import Services
from api.inbox.services.entries import inbox_place
from api.inbox.services.guarded_post import MAX_URL, BadUrl, parse_url
from api.inbox.services.webhook_messages import (
    FIELDS,
    FORMATS,
    MOST_TEMPLATE,
    WebhookSecret,
    are_valid,
    public_key,
    show_secret,
    unknown_fields,
)
from api.inbox.stored.webhooks import PUSH, PushKeys, TextFormat, Webhook, WebhookText
from api.people.stored.tokens import READ, TokenInfo
from api.play.services.game_schemas import NO_FIELDS
from api.problem import Problem
from api.schemas import Read, StrictSchema
from domain.engine.timestamps import iso_time
from domain.json_fields import Time, Uuid, says
from projections.lists.inbox_entries import KINDS, EntryKind

MAX_KEY = 200
STANDARD: Literal["standard"] = "standard"
"""The format of webhooks that get entries as they are."""
GAME_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def open_inbox(services: Services, caller: Caller) -> TokenInfo:
    """Return the caller's token: its player's inbox may be read, for a token of one game only that game's entries."""
    require_player(services, caller, READ)
    return require_token(caller)


def _has_known_fields(template: str) -> None:
    if unknown := unknown_fields(template):
        raise ValidationError(f"There is no field {{{unknown[0]}}}. The fields are {', '.join(FIELDS)}.")


class PushKeysOfBrowser(StrictSchema):
    """The keys of a browser's `PushSubscription`."""

    p256dh = fields.String(required=True, validate=validate.Length(1, MAX_KEY))
    auth = fields.String(required=True, validate=validate.Length(1, MAX_KEY))


class NewWebhook(StrictSchema):
    """`POST /me/webhooks`: the URL, the kinds of entries (all by default), and the one game whose entries to send.

    `format` is that of a chat service, and `template` the text for it; or it's `push`, for a browser with its `keys`.
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
        load_default=STANDARD, validate=validate.OneOf((STANDARD, *FORMATS, PUSH), error="Must be one of: {choices}.")
    )
    template = fields.String(
        load_default=None, allow_none=True, validate=[validate.Length(1, MOST_TEMPLATE), _has_known_fields]
    )

    keys = fields.Nested(PushKeysOfBrowser, load_default=None, allow_none=True)


NEW_WEBHOOK = NewWebhook()


class ShownWebhook(TypedDict):
    """An address to which the server sends the entries of the caller's inbox."""

    id: str
    url: str
    kinds: list[EntryKind]
    game: Annotated[Uuid | None, says("The one game whose entries are sent, or null.")]
    format: Literal["standard", TextFormat]
    template: Annotated[str | None, says("The text for a chat service, or null for the usual one.")]
    created: Time
    status: Literal["on", "failing", "off"]
    failing_since: Time | None
    failure: Annotated[str | None, says("Why the newest try failed, or the last test.")]


class IssuedWebhook(ShownWebhook):
    """A new webhook with its secret, which the server shows only once."""

    secret: Annotated[WebhookSecret, says("The key of the signatures, for libraries of Standard Webhooks.")]


class WebhookList(TypedDict):
    """The caller's webhooks, the oldest first."""

    items: list[ShownWebhook]
    push_key: Annotated[str | None, says("The `applicationServerKey` with which browsers subscribe, if they can.")]


def add_webhook(services: Services, caller: Caller, read: Read) -> IssuedWebhook:
    """Add a webhook, which gets what happens from now on, and return it with its secret.

    Raise Problem for a URL to which the server sends nothing, or if webhooks are off; TooMany.
    """
    wanted, player = read(NEW_WEBHOOK).fields, require_player(services, caller)
    if services.config.webhooks == "off":
        raise Problem("no-webhooks", "This server sends nothing to webhooks. Follow GET /me/events.")
    try:
        parse_url(wanted["url"], local=services.config.webhooks == "local")
    except BadUrl as error:
        raise Problem("malformed", f"url: {error}") from None
    place, most = inbox_place(services.rows, player.id), services.config.player_webhooks
    kinds = [kind for kind in KINDS if kind in wanted["kinds"]]
    text = _text(wanted, require_token(caller).id)
    made = services.accounts.webhooks.add(player.id, wanted["url"], kinds, wanted["game"], place, most, text)
    return {**_webhook_json(made), "secret": show_secret(services.secret, made.id)}


def _text(wanted: Mapping[str, Any], token: str) -> WebhookText | None:
    """Return how entries are sent, None for as they are. Raise Problem for a template or keys without their format."""
    form, template, keys = wanted["format"], wanted["template"], wanted["keys"]
    if (form == PUSH) != (keys is not None):
        raise Problem("malformed", "keys: The format push needs the keys of a browser, and no other one takes them.")
    if template is not None and form in (STANDARD, PUSH):
        raise Problem("malformed", "template: Name a format for it, discord or slack.")
    if keys is None:
        return None if form == STANDARD else WebhookText(form, template)
    pushed = PushKeys(keys["p256dh"], keys["auth"], token)
    if not are_valid(pushed):
        raise Problem("malformed", "keys: These aren't keys that a browser has made.")
    return pushed.text


def list_webhooks(services: Services, caller: Caller) -> WebhookList:
    """Return the caller's webhooks, without their secrets."""
    found = services.accounts.webhooks.of(require_player(services, caller, READ).id)
    key = None if services.config.webhooks == "off" else public_key(services.secret)
    return {"items": [_webhook_json(each) for each in found], "push_key": key}


def remove_webhook(services: Services, caller: Caller, webhook: str) -> None:
    """Remove a webhook of the caller. Raise Problem if they have none with this id."""
    if not services.accounts.webhooks.remove(require_player(services, caller).id, webhook):
        raise Problem("not-found", "You have no webhook with this id. GET /me/webhooks lists the ids.")


def test_webhook(services: Services, caller: Caller, webhook: str, read: Read) -> None:
    """Have a message of the type `test` sent once. Raise Problem if the caller has no such webhook that isn't off."""
    read(NO_FIELDS)
    is_off = services.config.webhooks == "off"
    if is_off or not services.accounts.webhooks.ask_test(require_player(services, caller).id, webhook):
        raise Problem("not-found", "You have no webhook with this id that isn't off. GET /me/webhooks lists the ids.")


def _webhook_json(webhook: Webhook) -> ShownWebhook:
    """Return a webhook as JSON values; empty `kinds` stand for all."""
    return {
        "id": webhook.id,
        "url": webhook.url,
        "kinds": list(webhook.kinds or KINDS),
        "game": webhook.game,
        "format": STANDARD if webhook.text is None else webhook.text.format,
        "template": None if webhook.text is None else webhook.text.shown_template,
        "created": iso_time(webhook.created),
        "status": "off" if webhook.ended is not None else "on" if webhook.failing is None else "failing",
        "failing_since": iso_time(webhook.failing),
        "failure": webhook.failure or webhook.test_failure,
    }
