"""`GET /exports/games`: the exports of many games in one stream."""

import logging
from collections.abc import Iterator

from flask import Blueprint, Response, request

from api.http.context import current_player, current_services
from api.http.positions import POSITION, write_position
from api.http.query_args import query, query_args
from api.http.responses import JSON, NDJSON, compress_response, negotiate
from api.http.schemas_games import EXPORTS_QUERY
from api.services.exports import BulkExporter, GameExport, export_filter
from domain.store.positions import numbers_of

bulk_export = Blueprint("bulk_export", __name__)

_log = logging.getLogger("trickbook.exports")


@bulk_export.get("/exports/games")
@query(EXPORTS_QUERY)
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
