"""A game's log as the caller may see it: its events, its export, and the exports of many games in one stream."""

import logging
from collections.abc import Iterator
from typing import Annotated, Any, TypedDict

from flask import Response, request

from api.evidence.services.exports import BulkExporter, GameExport, export_filter
from api.play.services.event_stream import EventStream
from api.play.services.game_schemas import EVENTS_QUERY, EXPORTS_QUERY
from api.play.services.games import game_access, visible_game
from api.play.services.gate import GameAccess
from api.play.services.positions import POSITION, write_position
from api.problem import Problem
from api.schemas import parse_integer
from api.web.context import current_caller, current_player, current_services
from api.web.problems import NEGOTIATED, READING
from api.web.responses import EVENT_STREAM, JSON, NDJSON, compress_response, json_response, negotiate, raw_json
from api.web.route import (
    MAX_LIGHT_PAGE,
    Content,
    JsonSchema,
    RouteAnswer,
    TaggedBlueprint,
    by_events,
    component,
    query_args,
    route,
)
from api.web.streams import can_stream, leave_to_server, may_wait, sent_token_sha256, stream_response, take_slot
from domain.json_fields import says
from domain.store.log import numbers_of
from projections.views.audience import EventItem, ceremonies_revealed_in, event_lines, visible
from replay.history import ExportHeader, ExportTrailer, from_entries
from replay.history import export_bytes as whole_export

ITEM = component("EventItem")
FRAME: JsonSchema = {
    "type": "object",
    "description": "An event of the game, as the caller may see it.",
    "properties": {
        "id": {"type": "string", "pattern": "^[1-9][0-9]*$", "description": "The version of the event."},
        "data": {
            "type": "string",
            "contentMediaType": JSON,
            "contentSchema": ITEM,
            "description": "The item of the event, with the bytes of the list and the export.",
        },
        "retry": {"type": "integer", "description": "Milliseconds to wait before you connect again."},
    },
}
EXPORT = (Content(NDJSON, str, (ExportHeader, ITEM, ExportTrailer)),)

events = TaggedBlueprint("events", __name__, "log")


class EventList(TypedDict):
    """Events, as the caller may see them."""

    items: list[EventItem]
    next: Annotated[int | None, says("The value of `after` for the next page, or null.")]


@events.get("/games/<game_ref:reference>/events")
@route(
    "the events after a version; live with `Accept: text/event-stream`",
    answer=(Content(JSON, EventList), Content(NDJSON, str, ITEM), Content(EVENT_STREAM, str, FRAME)),
    says="The events, or a stream of them.",
    also=(RouteAnswer(204, "The stream has nothing to send up to `until`."),),
    query=EVENTS_QUERY,
    problems=READING,
    asks=("Last-Event-ID",),
    lane=by_events,
    passes=2,
    reads=1,
)
def list_events(reference: str) -> Response:
    """Return 200 `{"items": [...], "next": version or null}`, or the items as NDJSON: the events above `after`.

    If `limit` omits events, `next` is the value of `after` for the next page. `until` is the last version to return.
    With `wait`, the response comes when there is an event, or after that many seconds.
    With `Accept: text/event-stream`, the response is an event stream.
    """
    args = query_args()
    kind = negotiate(request, JSON, NDJSON, *([EVENT_STREAM] if can_stream() else []))
    access = game_access(current_services(), current_caller(), reference)
    if kind == EVENT_STREAM:
        return _event_stream(access, args)
    after, limit = _require_version(args["after"], "after", access.version), _limit(args)
    last = access.version if args["until"] is None else min(args["until"], access.version)
    end = last if limit is None else min(last, after + limit)
    if args["wait"] and end <= after and may_wait():
        return leave_to_server(_stream(access, after, args["until"], args["wait"]))
    entries = current_services().gate.entries(access, after, end)
    lines = event_lines(entries, access.viewer, ceremonies_revealed_in(access.state))
    if kind == NDJSON:
        return Response(b"".join(line + b"\n" for line in lines), content_type=NDJSON)
    body: EventList = {"items": raw_json(lines), "next": end if end < last else None}
    return json_response(body)


def _limit(args: dict[str, Any]) -> int | None:
    """Return how many events to send. A request that waits is a light one, so its page is small."""
    if args["wait"] is None:
        limit: int | None = args["limit"]
        return limit
    if (args["limit"] or 0) > MAX_LIGHT_PAGE:
        raise Problem("malformed", f"With wait, the limit is at most {MAX_LIGHT_PAGE}.")
    return args["limit"] or MAX_LIGHT_PAGE


def _event_stream(access: GameAccess, args: dict[str, Any]) -> Response:
    """Return the headers of an event stream, and leave the stream to the server: 200, or 204 if it has nothing to send.

    The server sends it after this request has ended, so a stream holds no thread and no database connection.
    """
    if args["limit"] is not None or args["wait"] is not None:
        raise Problem("malformed", "An event stream takes no limit and no wait. Send until, the last version you want.")
    after, until = _resume_after(args["after"], access.version), args["until"]
    if until is not None and until <= after:
        return Response(status=204)  # EventSource doesn't connect again after a 204
    return stream_response(lambda: _stream(access, after, until))


def _stream(access: GameAccess, after: int, until: int | None, wait_s: int | None = None) -> EventStream:
    slot, sha256, game, player = take_slot(access.player), sent_token_sha256(), access.game, access.player
    is_open = current_services().gate.is_open(game)
    return EventStream(game, player, after, until, sha256, slot, is_open, wait_s)


def _resume_after(after: int, head: int) -> int:
    """Return the version after which a stream begins: that of Last-Event-ID, or `after` without that header."""
    last_id = request.headers.get("Last-Event-ID")
    if last_id is None:
        return _require_version(after, "after", head)
    return _require_version(parse_integer(last_id), "Last-Event-ID", head)


def _require_version(version: int | None, name: str, head: int) -> int:
    if version is None or version > head:
        says = f"must be a version of this game, 0 to {head}."
        raise Problem("malformed", f"{name} {says}", errors={name: [says.capitalize()]})
    return version


@events.get("/games/<game_ref:reference>/export")
@route(
    "the whole log, to keep and to verify elsewhere",
    answer=EXPORT,
    says="One JSON value on each line.",
    headers=("Content-Disposition",),
    problems=READING,
    lane="heavy",
    passes=2,
    reads=1,
)
def export(reference: str) -> Response:
    """Return 200, NDJSON: header, one line for each event, and trailer with a receipt (docs/events.md)."""
    negotiate(request, NDJSON, JSON)  # each line is JSON: the answer is NDJSON either way
    services, access = current_services(), visible_game(current_services(), current_caller(), reference)
    entries, revealed = services.gate.entries(access), ceremonies_revealed_in(access.state)
    names = current_services().reader.user_names(access.state)
    history = from_entries(entries, names, [visible(entry.event, access.viewer, revealed) for entry in entries])
    response = Response(whole_export(services.receipts.with_receipt(history)), content_type=NDJSON)
    response.headers["Content-Disposition"] = f"attachment; filename=board-{history.header.board}.ndjson"
    return compress_response(response, request)


bulk_export = TaggedBlueprint("bulk_export", __name__, "log")

_log = logging.getLogger("trickbook.exports")


@bulk_export.get("/exports/games")
@route(
    "the logs of many games in one stream",
    answer=EXPORT,
    says="One export after another.",
    headers=("Content-Disposition", "Trickbook-Position"),
    query=EXPORTS_QUERY,
    problems=NEGOTIATED,
    lane="export",
)
def export_games() -> Response:
    """Return 200, NDJSON: the exports of all selected games in opening order, as the caller may see them.

    All exports are of the same log positions, in Trickbook-Position.
    """
    negotiate(request, NDJSON, JSON)  # each line is JSON: the answer is NDJSON either way
    services, player = current_services(), current_player()
    selection = export_filter(services.accounts, query_args())
    heads = services.games.log.heads()
    accounts = services.accounts
    with_receipt = services.receipts.with_receipt
    exporting = BulkExporter(
        services.games, accounts.boards.number_of, accounts.users.names_of, with_receipt, services.gate
    )
    exports = exporting.exports(selection, numbers_of(heads), None if player is None else player.id)
    response = Response(_texts(exports), content_type=NDJSON)
    response.headers["Content-Disposition"] = "attachment; filename=games.ndjson"
    response.headers[POSITION] = write_position(services.secret, heads)
    return compress_response(response, request)


def _texts(exports: Iterator[GameExport | int]) -> Iterator[bytes]:
    """Yield a text for each game, an empty one if it isn't selected.

    The server ends a process in which one step of an answer takes too long. So each game is a step of its own.
    """
    for each in exports:
        if isinstance(each, GameExport) and each.broken is not None:
            _log.error("%s", each.broken)
        yield each.text if isinstance(each, GameExport) else b""
