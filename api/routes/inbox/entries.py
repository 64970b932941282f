"""The caller's inbox: their turns, ends of hands and games, invitations, questions, messages and disputes."""

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, request

from api.accounts.tokens import TokenInfo
from api.http.context import current_services, require_player, require_token
from api.http.inbox.schemas import INBOX_QUERY, MAX_ENTRIES
from api.http.inbox.streams import (
    can_stream,
    leave_to_server,
    may_wait,
    sent_token_sha256,
    stream_response,
    take_place,
)
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import EVENT_STREAM, JSON, json_response, negotiate
from api.services.event_stream import Cursor
from api.services.inbox.entries import InboxStream, entries_json, format_id, inbox_end, parse_id, read_inbox

inbox = Blueprint("inbox", __name__)

START = (0, 0)
"""No inbox has the generation 0: a client that begins here gets all entries that are kept."""
END = "end"
"""In place of an id: the end of the inbox as it is now."""


@inbox.get("/me/events")
@query(INBOX_QUERY)
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
    items = entries_json(page, current_services().labels)
    return json_response({"items": items, "last": last, "next": last if page.reached < page.head else None})


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
