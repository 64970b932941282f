"""`GET /exports/games`: the exports of many games in one stream."""

import logging
from collections.abc import Callable, Iterator
from threading import BoundedSemaphore

from flask import Blueprint, Response, request

from api.http.context import current_player, current_services
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import NDJSON, POSITION, negotiate
from api.http.schemas_games import EXPORTS_QUERY
from api.services.exports import BulkExporter, GameExport, export_filter

bulk_export = Blueprint("bulk_export", __name__)

MAX_CONCURRENT_EXPORTS = 2
"""The limit for each process: a bulk export occupies a thread of the server until it ends."""

_slots = BoundedSemaphore(MAX_CONCURRENT_EXPORTS)
_log = logging.getLogger("trickbook.exports")


@bulk_export.get("/exports/games")
@query(EXPORTS_QUERY)
def export_games() -> Response:
    """Return 200, NDJSON: the exports of all selected games in opening order, as the caller may see them.

    All exports are of the same log position, in Trickbook-Position. Answers 503 `busy` at the limit of bulk exports.
    """
    negotiate(request, NDJSON)
    services, player = current_services(), current_player()
    selection = export_filter(services.accounts, query_args())
    upto = services.games.last_position()
    accounts = services.accounts
    with_receipt = services.receipts.with_receipt
    exporting = BulkExporter(services.games, accounts.boards.number_of, accounts.users.names_of, with_receipt)
    slot = _ExportSlot()
    exports = exporting.exports(selection, upto, None if player is None else player.id)
    response = Response(_texts(exports, slot), content_type=NDJSON)
    response.call_on_close(slot.release)
    response.headers["Content-Disposition"] = "attachment; filename=games.ndjson"
    response.headers[POSITION] = str(upto)
    return response


class _ExportSlot:
    """One of the slots for bulk exports; 503 `busy` if none is free. Only the first `release` counts."""

    def __init__(self) -> None:
        if not _slots.acquire(blocking=False):
            raise Problem("busy", f"{MAX_CONCURRENT_EXPORTS} bulk exports are running. Try again when one is done.")
        self._free: Callable[[], None] | None = _slots.release

    def release(self) -> None:
        """Free the slot."""
        free, self._free = self._free, None
        if free is not None:
            free()


def _texts(exports: Iterator[GameExport | int], slot: _ExportSlot) -> Iterator[bytes]:
    try:
        for each in exports:
            if isinstance(each, GameExport):
                if each.broken is not None:
                    _log.error("%s", each.broken)
                yield each.text
    finally:
        slot.release()
