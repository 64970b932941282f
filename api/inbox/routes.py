"""The caller's inbox, and the webhooks to which the server sends its entries."""

from dataclasses import replace
from typing import Annotated, Any, TypedDict

from flask import Response, jsonify, request
from marshmallow import fields, validate

from api.inbox.services import own_inbox
from api.inbox.services.entries import EntryIds, InboxStream, entries_json, inbox_end, read_inbox
from api.inbox.services.own_inbox import NEW_WEBHOOK, IssuedWebhook, WebhookList
from api.people.stored.tokens import TokenInfo
from api.play.services.event_stream import MAX_WAIT_S, Cursor
from api.play.services.game_schemas import NO_FIELDS
from api.problem import Problem
from api.schemas import StrictSchema, query_integer_field
from api.web.context import current_caller, current_services
from api.web.problems import NEGOTIATED
from api.web.request_input import sent_body
from api.web.responses import EVENT_STREAM, JSON, json_response, negotiate
from api.web.route import Content, JsonSchema, RouteAnswer, TaggedBlueprint, component, query_args, route
from api.web.streams import can_stream, leave_to_server, may_wait, sent_token_sha256, stream_response, take_slot
from domain.json_fields import says
from projections.lists.inbox_entries import ENTRY_ID, KINDS, EntryId, InboxEntry
from projections.lists.inbox_pages import InboxPage

MAX_ID = 31
MAX_ENTRIES = 100


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


INBOX_QUERY = InboxQuery()

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
    token, args = own_inbox.open_inbox(current_services(), current_caller()), query_args()
    player = token.player
    kind = negotiate(request, JSON, *([EVENT_STREAM] if can_stream() else []))
    if kind == EVENT_STREAM:
        return _stream_response(token, args)
    if args["after"] == END and args["wait"]:
        raise Problem("malformed", "after=end takes no wait. Take `last` of its answer as `after`, and wait with that.")
    rows, after, ids = current_services().rows, _after(token, args["after"]), _ids(token)
    page = read_inbox(rows, player.id, after, args["limit"] or MAX_ENTRIES, token.game)
    if not page.entries and args["wait"] and may_wait():
        return leave_to_server(_stream(token, (page.generation, page.reached), None, args["wait"]))
    last = ids.write((page.generation, _last(page, after, token.game)))
    body: InboxEntries = {
        "items": entries_json(page, current_services().labels, ids),
        "last": last,
        "next": last if page.reached < page.head else None,
    }
    return json_response(body)


def _ids(token: TokenInfo) -> EntryIds:
    return EntryIds.of(current_services().secret, token.player.id, token.game)


def _last(page: InboxPage, after: Cursor, game: str | None) -> int:
    """Return the number after which the next page begins. That for one game moves by its entries alone."""
    if game is None:
        return page.reached
    before = after[1] if after[0] == page.generation and after[1] <= page.head else 0
    return page.entries[-1]["n"] if page.entries else before


def _stream_response(token: TokenInfo, args: dict[str, Any]) -> Response:
    if args["limit"] is not None or args["wait"] is not None:
        raise Problem("malformed", "An event stream takes no limit and no wait. Send until, the last id that you want.")
    last_id = request.headers.get("Last-Event-ID")
    name, text = ("after", args["after"]) if last_id is None else ("Last-Event-ID", last_id)
    asked, end = _after(token, text, name), _cursor(token, "until", args["until"])
    page = read_inbox(current_services().rows, token.player.id, asked, 1)
    start = asked if asked[0] == page.generation and asked[1] <= page.head else (page.generation, 0)
    if end is not None and end <= start:
        return Response(status=204)  # EventSource doesn't connect again after a 204
    names_start = last_id is None and text == END
    return stream_response(lambda: replace(_stream(token, start, end), names_start=names_start))


def _stream(token: TokenInfo, start: Cursor, end: Cursor | None, wait_s: int | None = None) -> InboxStream:
    player, slot = token.player.id, take_slot(token.player.id)
    return InboxStream(player, token.game, start, end, sent_token_sha256(), slot, _ids(token), wait_s)


def _after(token: TokenInfo, text: str | None, name: str = "after") -> Cursor:
    """Return the cursor after which a client wants entries."""
    if text == END and name == "after":
        return inbox_end(current_services().rows, token.player.id, token.game)
    return _cursor(token, name, text) or START


def _cursor(token: TokenInfo, name: str, text: str | None) -> Cursor | None:
    if text is None:
        return None
    cursor = _ids(token).read(text)
    if cursor is None:
        raise Problem("malformed", f"{name} must be the id of an entry, such as 1764064800.12.")
    return cursor


webhooks = TaggedBlueprint("webhooks", __name__, "inbox")


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
    return jsonify(own_inbox.add_webhook(current_services(), current_caller(), sent_body())), 201


@webhooks.get("/me/webhooks")
@route("list these addresses", answer=WebhookList, token="needed")
def list_webhooks() -> Response:
    """Return 200 `{"items"}`: the caller's webhooks, the oldest first, without their secrets."""
    return jsonify(own_inbox.list_webhooks(current_services(), current_caller()))


@webhooks.delete("/me/webhooks/<webhook>")
@route("remove one", says="It gets nothing more.", token="needed", problems=("not-found",))
def remove_webhook(webhook: str) -> tuple[str, int]:
    """Return 204; the webhook gets nothing more. 404 if the caller has none with this id."""
    own_inbox.remove_webhook(current_services(), current_caller(), webhook)
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
    own_inbox.test_webhook(current_services(), current_caller(), webhook, sent_body())
    return "", 202
