"""Lists folded from all games: the lobby and each game's scoreboard. They follow the log at a small distance.

With `wait=<position>`, as Trickbook-Position gave it for a write, they answer no older state than that.
"""

from typing import Any

from flask import Blueprint, Response

from api.http.context import reader, services
from api.http.problems import Problem
from api.http.query_args import asked, takes
from api.http.responses import json_answer
from api.http.schemas_games import GAMES_QUERY, WAIT_QUERY
from api.services.container import Services
from api.services.exports import instant
from projections.lists.cursors import BadCursor
from projections.lists.lobby import Wanted
from projections.lists.lobby import games as lobby_page
from projections.lists.scoreboard import scoreboard

boards = Blueprint("boards", __name__)

NOBODY = ""


@boards.get("/games")
@takes(GAMES_QUERY)
def lobby() -> Response:
    """200 `{"items": [...], "next": cursor or null, "names"}`, the youngest first; `player`, `waiting` are names."""
    query = asked()
    here = services()
    wait_for(here, query["wait"])
    try:
        with here.rows.snapshot("lobby") as reading:
            page = lobby_page(reading, _wanted(here, query), query["limit"], query.get("cursor"))
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
    ids = sorted({seat["player"] for game in page["items"] for seat in game["seats"]})
    return json_answer(page | {"names": dict(zip(ids, ids, strict=True)) | here.accounts.users.names_of(ids)})


def _wanted(here: Services, query: dict[str, Any]) -> Wanted:
    return Wanted(
        variant=query.get("variant"),
        player=_id(here, query.get("player")),
        status=query.get("status"),
        waiting=_id(here, query.get("waiting")),
        since=instant(query["since"]) if "since" in query else None,
    )


def _id(here: Services, name: str | None) -> str | None:
    """The player called `name`; an id that nobody has where nobody is called so."""
    player = None if name is None else here.accounts.users.by_name(name)
    return player.id if player is not None else None if name is None else NOBODY


@boards.get("/games/<game_ref:reference>/scoreboard")
@takes(WAIT_QUERY)
def game_scoreboard(reference: str) -> Response:
    """200: the hands in order with a line for each seat, as text and as data, and the running totals (S40, S41)."""
    query = asked()
    here = services()
    game = reader().find(reference)
    names = reader().names(here.games.state(game))
    wait_for(here, query["wait"])
    with here.rows.snapshot("scoreboard") as reading:
        board = scoreboard(reading, game, names)
    if board is None:
        raise Problem("behind", "the scoreboard does not know this game yet")
    return json_answer(board | {"names": names})


def wait_for(here: Services, position: int | None) -> None:
    """Until the lists have come to a position that a write has answered; 503 `behind` where that takes too long."""
    if position is None:
        return
    if position > here.games.last_position():
        raise Problem("malformed", "wait must be a position that a write has answered")
    if not here.followers.reached(position, here.patience_s):
        raise Problem("behind", f"position {position} is not in this list yet")
