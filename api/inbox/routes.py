"""The caller's inbox, and the webhooks to which the server sends its entries."""

import re
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict

from flask import Response, jsonify, request
from marshmallow import ValidationError, fields, validate

from api.accounts.times import iso_time
from api.inbox.services.entries import (
    InboxStream,
    entries_json,
    format_id,
    inbox_end,
    inbox_place,
    parse_id,
    read_inbox,
)
from api.inbox.services.guarded_post import MAX_URL, BadUrl, parse_url
from api.inbox.services.webhook_messages import (
    FIELDS,
    FORMATS,
    MOST_TEMPLATE,
    WebhookSecret,
    show_secret,
    unknown_fields,
)
from api.inbox.stored.webhooks import TextFormat, Webhook, WebhookText
from api.people.stored.tokens import TokenInfo
from api.play.services.event_stream import MAX_WAIT_S, Cursor
from api.play.services.game_schemas import NO_FIELDS
from api.problem import Problem
from api.schemas import StrictSchema, query_integer_field
from api.web.context import current_services, require_player, require_token
from api.web.problem_groups import NEGOTIATED
from api.web.responses import EVENT_STREAM, JSON, json_response, negotiate
from api.web.route import Content, JsonSchema, RouteAnswer, TaggedBlueprint, component, query_args, route
from api.web.streams import can_stream, leave_to_server, may_wait, sent_token_sha256, stream_response, take_place
from api.web.strict_json import read_json
from domain.json_fields import Time, Uuid, says
from projections.lists.inbox_entries import ENTRY_ID, KINDS, EntryId, EntryKind, InboxEntry

STANDARD: Literal["standard"] = "standard"
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


FRAME: JsonSchema = {
    "type": "object",
    "description": "An entry of the inbox.",
    "properties": {
        "id": {"type": "string", "pattern": ENTRY_ID},
        "event": {"enum": list(KINDS), "description": "The kind of the entry."},
        "data": {"type": "string", "contentMediaType": JSON, "contentSchema": component("InboxEntry")},
        "retry": {"type": "integer", "description": "Milliseconds to wait before you connect again."},
    },
}

inbox = TaggedBlueprint("inbox", __name__, "inbox")

START = (0, 0)
"""No inbox has the generation 0: a client that begins here gets all entries that are kept."""
END = "end"
"""In place of an id: the end of the inbox as it is now."""


class InboxEntries(TypedDict):
    """Entries of the caller's inbox."""

    items: list[InboxEntry]
    last: Annotated[EntryId, says("The value of `after` for the next request.")]
    next: Annotated[EntryId | None, says("The same if there are more entries, otherwise null.")]


@inbox.get("/me/events")
@route(
    "your inbox: turns, ends of hands and games, questions, disputes; live with `Accept: text/event-stream`",
    answer=(Content(JSON, InboxEntries), Content(EVENT_STREAM, str, FRAME)),
    says="The entries, or a stream of them.",
    also=(RouteAnswer(204, "The stream has nothing to send up to `until`."),),
    token="needed",
    query=INBOX_QUERY,
    problems=NEGOTIATED,
    asks=("Last-Event-ID",),
)
def list_entries() -> Response:
    """Return 200 `{"items": [...], "last": id, "next": id or null}`: the entries of the inbox after the id `after`.

    `last` is the value of `after` for the next request; so is `next`, if `limit` leaves out entries. With `wait`, the
    response comes when there is an entry, or after that many seconds. With `Accept: text/event-stream`, it's a stream.
    With `after=end`, only what is new counts: there are no items, and `last` is the end of the inbox.
    """
    player, token, args = require_player("read"), require_token(), query_args()
    kind = negotiate(request, JSON, *([EVENT_STREAM] if can_stream() else []))
    if kind == EVENT_STREAM:
        return _stream_response(token, args)
    if args["after"] == END and args["wait"]:
        raise Problem("malformed", "after=end takes no wait. Take `last` of its answer as `after`, and wait with that.")
    rows, after = current_services().rows, _after(player.id, args["after"])
    page = read_inbox(rows, player.id, after, args["limit"] or MAX_ENTRIES, token.game)
    if not page.entries and args["wait"] and may_wait():
        return leave_to_server(_stream(token, (page.generation, page.reached), None, args["wait"]))
    last = format_id((page.generation, page.reached))
    body: InboxEntries = {
        "items": entries_json(page, current_services().labels),
        "last": last,
        "next": last if page.reached < page.head else None,
    }
    return json_response(body)


def _stream_response(token: TokenInfo, args: dict[str, Any]) -> Response:
    if args["limit"] is not None or args["wait"] is not None:
        raise Problem("malformed", "An event stream takes no limit and no wait. Send until, the last id that you want.")
    last_id = request.headers.get("Last-Event-ID")
    name, text = ("after", args["after"]) if last_id is None else ("Last-Event-ID", last_id)
    asked, end = _after(token.player.id, text, name), _cursor("until", args["until"])
    page = read_inbox(current_services().rows, token.player.id, asked, 1)
    start = asked if asked[0] == page.generation and asked[1] <= page.head else (page.generation, 0)
    if end is not None and end <= start:
        return Response(status=204)  # EventSource doesn't connect again after a 204
    names_start = last_id is None and text == END
    return stream_response(lambda: replace(_stream(token, start, end), names_start=names_start))


def _stream(token: TokenInfo, start: Cursor, end: Cursor | None, wait_s: int | None = None) -> InboxStream:
    player, place = token.player.id, take_place(token.player.id)
    return InboxStream(player, token.game, start, end, sent_token_sha256(), place, wait_s)


def _after(player: str, text: str | None, name: str = "after") -> Cursor:
    """Return the cursor after which a client wants entries."""
    if text == END and name == "after":
        return inbox_end(current_services().rows, player)
    return _cursor(name, text) or START


def _cursor(name: str, text: str | None) -> Cursor | None:
    if text is None:
        return None
    cursor = parse_id(text)
    if cursor is None:
        raise Problem("malformed", f"{name} must be the id of an entry, such as 1764064800.12.")
    return cursor


webhooks = TaggedBlueprint("webhooks", __name__, "inbox")


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


@webhooks.post("/me/webhooks")
@route(
    "have your inbox sent to an address of yours",
    answer=IssuedWebhook,
    status=201,
    token="needed",
    body=NEW_WEBHOOK,
    example={"url": "https://bot.cards.net/inbox", "kinds": ["turn"], "game": None},
    problems=("no-webhooks", "too-many"),
    leads_to={"webhooks.remove_webhook": {"webhook": "$response.body#/id"}},
)
def add_webhook() -> tuple[Response, int]:
    """Return 201 and the webhook with its `secret`, which isn't shown again. It gets what happens from now on.

    400 for a URL to which the server sends nothing, 409 if it has webhooks switched off or the caller has too many.
    """
    wanted, player, services = NEW_WEBHOOK.load(read_json(request)), require_player(), current_services()
    if services.config.webhooks == "off":
        raise Problem("no-webhooks", "This server sends nothing to webhooks. Follow GET /me/events.")
    try:
        parse_url(wanted["url"], local=services.config.webhooks == "local")
    except BadUrl as error:
        raise Problem("malformed", f"url: {error}") from None
    place, most = inbox_place(services.rows, player.id), services.config.player_webhooks
    kinds = [kind for kind in KINDS if kind in wanted["kinds"]]
    text = None if wanted["format"] == STANDARD else WebhookText(wanted["format"], wanted["template"])
    if text is None and wanted["template"] is not None:
        raise Problem("malformed", "template: Name a format for it, discord or slack.")
    made = services.accounts.webhooks.add(player.id, wanted["url"], kinds, wanted["game"], place, most, text)
    issued: IssuedWebhook = {**webhook_json(made), "secret": show_secret(services.secret, made.id)}
    return jsonify(issued), 201


@webhooks.get("/me/webhooks")
@route("list these addresses", answer=WebhookList, token="needed")
def list_webhooks() -> Response:
    """Return 200 `{"items"}`: the caller's webhooks, the oldest first, without their secrets."""
    found = current_services().accounts.webhooks.of(require_player("read").id)
    body: WebhookList = {"items": [webhook_json(each) for each in found]}
    return jsonify(body)


@webhooks.delete("/me/webhooks/<webhook>")
@route("remove one", says="It gets nothing more.", token="needed", problems=("not-found",))
def remove_webhook(webhook: str) -> tuple[str, int]:
    """Return 204; the webhook gets nothing more. 404 if the caller has none with this id."""
    if not current_services().accounts.webhooks.remove(require_player().id, webhook):
        raise Problem("not-found", "You have no webhook with this id. GET /me/webhooks lists the ids.")
    return "", 204


@webhooks.post("/me/webhooks/<webhook>/test")
@route(
    "have a message sent to one, to test it",
    status=202,
    says="The message is on its way. `GET /me/webhooks` shows whether it failed.",
    token="needed",
    body=NO_FIELDS,
    example={},
    problems=("not-found",),
)
def test_webhook(webhook: str) -> tuple[str, int]:
    """Return 202: a message of the type `test` is sent once. If it fails, `failure` of the webhook says why.

    404 if the caller has no such webhook, or it's off, or all of them are.
    """
    NO_FIELDS.load(read_json(request))
    is_off = current_services().config.webhooks == "off"
    if is_off or not current_services().accounts.webhooks.ask_test(require_player().id, webhook):
        raise Problem("not-found", "You have no webhook with this id that isn't off. GET /me/webhooks lists the ids.")
    return "", 202


def webhook_json(webhook: Webhook) -> ShownWebhook:
    """Return a webhook as JSON values; empty `kinds` stand for all."""
    return {
        "id": webhook.id,
        "url": webhook.url,
        "kinds": list(webhook.kinds or KINDS),
        "game": webhook.game,
        "format": STANDARD if webhook.text is None else webhook.text.format,
        "template": None if webhook.text is None else webhook.text.template,
        "created": iso_time(webhook.created),
        "status": "off" if webhook.ended is not None else "on" if webhook.failing is None else "failing",
        "failing_since": iso_time(webhook.failing),
        "failure": webhook.failure or webhook.test_failure,
    }
