"""`GET /exports/games`: whole exports of many games, streamed one after another."""

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
"""Bulk exports in one process: each keeps a thread of the server's as long as it lasts."""

_slots = BoundedSemaphore(MAX_CONCURRENT_EXPORTS)
_log = logging.getLogger("trickbook.exports")


@bulk_export.get("/exports/games")
@query(EXPORTS_QUERY)
def export_games() -> Response:
    """200, NDJSON: the exports of all games asked for, in the order they were opened, each as the asker may see it.

    All of it is of one moment, the position in Trickbook-Position. 503 `busy` while others take theirs.
    """
    negotiate(request, NDJSON)
    services, player = current_services(), current_player()
    wanted = export_filter(services.accounts, query_args())
    upto = services.games.last_position()
    accounts = services.accounts
    with_receipt = services.receipts.with_receipt
    made = BulkExporter(services.games, accounts.boards.number_of, accounts.users.names_of, with_receipt)
    place = _ExportSlot()
    exports = made.exports(wanted, upto, None if player is None else player.id)
    response = Response(_texts(exports, place), content_type=NDJSON)
    response.call_on_close(place.leave)
    response.headers["Content-Disposition"] = "attachment; filename=games.ndjson"
    response.headers[POSITION] = str(upto)
    return response


class _ExportSlot:
    """One of those there are; 503 `busy` where there is none. It is left once, by whoever is done first."""

    def __init__(self) -> None:
        if not _slots.acquire(blocking=False):
            raise Problem("busy", f"{MAX_CONCURRENT_EXPORTS} bulk exports are running. Try again when one is done.")
        self._release: Callable[[], None] | None = _slots.release

    def leave(self) -> None:
        """Let somebody else have it."""
        release, self._release = self._release, None
        if release is not None:
            release()


def _texts(exports: Iterator[GameExport | int], place: _ExportSlot) -> Iterator[bytes]:
    try:
        for each in exports:
            if isinstance(each, GameExport):
                if each.broken is not None:
                    _log.error("%s", each.broken)
                yield each.text
    finally:
        place.leave()
