"""A game's log as the caller may see it: its events, and an export."""

from flask import Blueprint, Response, request

from api.http.context import current_player, current_reader, current_services
from api.http.game_reader import seat_of
from api.http.query_args import query, query_args
from api.http.responses import JSON, NDJSON, json_response, negotiate, raw_json
from api.http.schemas_games import EVENTS_QUERY
from domain.store.aggregate import Entry
from projections.views.audience import ceremonies_revealed_in, event_lines, visible
from replay.history import export_bytes as whole_export
from replay.history import from_entries

events = Blueprint("events", __name__)


@events.get("/games/<game_ref:reference>/events")
@query(EVENTS_QUERY)
def list_events(reference: str) -> Response:
    """Return 200 `{"items": [...], "next": version or null}`, or the items as NDJSON: the events above `after`.

    If `limit` omits events, `next` is the value of `after` for the next page.
    """
    args = query_args()
    kind, services = negotiate(request, JSON, NDJSON), current_services()
    game = current_reader().resolve(reference)
    state = services.games.state(game)
    entries = services.games.entries(game, args["after"], state.version)
    page = entries[: args["limit"]]
    lines = event_lines(page, seat_of(state, current_player()), ceremonies_revealed_in(state))
    if kind == NDJSON:
        return Response(b"".join(line + b"\n" for line in lines), content_type=NDJSON)
    return json_response({"items": raw_json(lines), "next": _last(page) if len(page) < len(entries) else None})


def _last(entries: list[Entry]) -> int:
    return entries[-1].event.version


@events.get("/games/<game_ref:reference>/export")
def export(reference: str) -> Response:
    """Return 200, NDJSON: header, one line for each event, and trailer with a receipt (docs/events.md)."""
    negotiate(request, NDJSON)
    services = current_services()
    game = current_reader().resolve(reference)
    state = services.games.state(game)
    entries = services.games.entries(game, upto=state.version)
    viewer, revealed = seat_of(state, current_player()), ceremonies_revealed_in(state)
    names = current_reader().user_names(state)
    history = from_entries(entries, names, lambda entry: visible(entry.event, viewer, revealed))
    response = Response(whole_export(services.receipts.with_receipt(history)), content_type=NDJSON)
    response.headers["Content-Disposition"] = f"attachment; filename=board-{history.header.board}.ndjson"
    return response
