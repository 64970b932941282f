"""`GET /exports/games`: whole exports of many games, streamed one after another."""

import logging
from collections.abc import Callable, Iterator
from threading import BoundedSemaphore

from flask import Blueprint, Response, request

from api.http.context import current_player, services
from api.http.problems import Problem
from api.http.query_args import asked, takes
from api.http.responses import NDJSON, POSITION, offered
from api.http.schemas_games import EXPORTS_QUERY
from api.services.exports import Exported, Exporting, chosen

bulk = Blueprint("bulk", __name__)

AT_ONCE = 2
"""Bulk exports in one process: each keeps a thread of the server's as long as it lasts."""

_free = BoundedSemaphore(AT_ONCE)
_log = logging.getLogger("trickbook.exports")


@bulk.get("/exports/games")
@takes(EXPORTS_QUERY)
def games() -> Response:
    """200, NDJSON: the exports of all games asked for, in the order they were opened, each as the asker may see it.

    All of it is of one moment, the position in Trickbook-Position. 503 `busy` while others take theirs.
    """
    offered(request, NDJSON)
    here, player = services(), current_player()
    wanted = chosen(here.accounts, asked())
    upto = here.games.last_position()
    made = Exporting(here.games, here.accounts.boards.number_of, here.accounts.users.names_of, here.receipts.sealed)
    place = _Place()
    exports = made.exports(wanted, upto, None if player is None else player.id)
    response = Response(_texts(exports, place), content_type=NDJSON)
    response.call_on_close(place.leave)
    response.headers["Content-Disposition"] = "attachment; filename=games.ndjson"
    response.headers[POSITION] = str(upto)
    return response


class _Place:
    """One of those there are; 503 `busy` where there is none. It is left once, by whoever is done first."""

    def __init__(self) -> None:
        if not _free.acquire(blocking=False):
            raise Problem("busy", f"{AT_ONCE} exports of many games are being taken; try again when one is done")
        self._release: Callable[[], None] | None = _free.release

    def leave(self) -> None:
        """Let somebody else have it."""
        release, self._release = self._release, None
        if release is not None:
            release()


def _texts(exports: Iterator[Exported | int], place: _Place) -> Iterator[bytes]:
    try:
        for each in exports:
            if isinstance(each, Exported):
                if each.broken is not None:
                    _log.error("%s", each.broken)
                yield each.text
    finally:
        place.leave()
