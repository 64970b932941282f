"""A game's log, as its asker may see it: events from a version on, and the whole as an export."""

from flask import Blueprint, Response, request

from api.http.context import current_player, reader, services
from api.http.game_reader import seat_of
from api.http.query_args import asked, takes
from api.http.responses import JSON, NDJSON, json_answer, offered, verbatim
from api.http.schemas_games import EVENTS_QUERY
from domain.store.aggregate import Entry
from projections.views.audience import revealed_in, shown, visible
from replay.history import export as whole_export
from replay.history import from_entries

log = Blueprint("log", __name__)


@log.get("/games/<game_ref:reference>/events")
@takes(EVENTS_QUERY)
def events(reference: str) -> Response:
    """200 `{"items": [...], "next": version or null}`, or the items as lines of NDJSON: the events above `after`.

    `next` is what to ask for with `after` where `limit` left some out.
    """
    query = asked()
    kind, here = offered(request, JSON, NDJSON), services()
    game = reader().find(reference)
    state = here.games.state(game)
    entries = here.games.entries(game, query["after"], state.version)
    page = entries[: query["limit"]]
    lines = shown(page, seat_of(state, current_player()), revealed_in(state))
    if kind == NDJSON:
        return Response(b"".join(line + b"\n" for line in lines), content_type=NDJSON)
    return json_answer({"items": verbatim(lines), "next": _last(page) if len(page) < len(entries) else None})


def _last(entries: list[Entry]) -> int:
    return entries[-1].event.version


@log.get("/games/<game_ref:reference>/export")
def export(reference: str) -> Response:
    """200, NDJSON: header, one line for each event, whole or withheld, and trailer with a receipt (docs/events.md)."""
    offered(request, NDJSON)
    here = services()
    game = reader().find(reference)
    state = here.games.state(game)
    entries = here.games.entries(game, upto=state.version)
    viewer, revealed = seat_of(state, current_player()), revealed_in(state)
    history = from_entries(entries, reader().people(state), lambda entry: visible(entry.event, viewer, revealed))
    response = Response(whole_export(here.receipts.sealed(history)), content_type=NDJSON)
    response.headers["Content-Disposition"] = f"attachment; filename=board-{history.header.board}.ndjson"
    return response
