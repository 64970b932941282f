"""Lists folded from all games: the lobby and each game's scoreboard. They follow the log at a small distance.

With `wait=<position>`, as Trickbook-Position gave it for a write, they answer no older state than that.
"""

from typing import Any

from flask import Blueprint, Response

from api.http.context import current_services, reader
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import json_response
from api.http.schemas_games import GAMES_QUERY, WAIT_QUERY
from api.services.container import Services
from api.services.exports import pad_time
from projections.lists.cursors import BadCursor
from projections.lists.lobby import LobbyFilter, lobby_page
from projections.lists.scoreboard import scoreboard

lists = Blueprint("lists", __name__)

NO_PLAYER = ""


@lists.get("/games")
@query(GAMES_QUERY)
def lobby() -> Response:
    """200 `{"items": [...], "next": cursor or null, "names"}`, the youngest first; `player`, `waiting` are names."""
    args = query_args()
    services = current_services()
    wait_for_lists(services, args["wait"])
    try:
        with services.rows.snapshot("lobby") as reading:
            page = lobby_page(reading, _lobby_filter(services, args), args["limit"], args.get("cursor"))
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
    ids = sorted({seat["player"] for game in page["items"] for seat in game["seats"]})
    return json_response(page | {"names": dict(zip(ids, ids, strict=True)) | services.accounts.users.names_of(ids)})


def _lobby_filter(services: Services, args: dict[str, Any]) -> LobbyFilter:
    return LobbyFilter(
        variant=args.get("variant"),
        player=_player_id(services, args.get("player")),
        status=args.get("status"),
        waiting=_player_id(services, args.get("waiting")),
        since=pad_time(args["since"]) if "since" in args else None,
    )


def _player_id(services: Services, name: str | None) -> str | None:
    """The player called `name`; an id that nobody has where nobody is called so."""
    player = None if name is None else services.accounts.users.by_name(name)
    return player.id if player is not None else None if name is None else NO_PLAYER


@lists.get("/games/<game_ref:reference>/scoreboard")
@query(WAIT_QUERY)
def game_scoreboard(reference: str) -> Response:
    """200: the hands in order with a line for each seat, as text and as data, and the running totals (S40, S41)."""
    args = query_args()
    services = current_services()
    game = reader().resolve(reference)
    names = reader().names(services.games.state(game))
    wait_for_lists(services, args["wait"])
    with services.rows.snapshot("scoreboard") as reading:
        board = scoreboard(reading, game, names)
    if board is None:
        raise Problem("behind", "the scoreboard does not know this game yet")
    return json_response(board | {"names": names})


def wait_for_lists(services: Services, position: int | None) -> None:
    """Until the lists have come to a position that a write has answered; 503 `behind` where that takes too long."""
    if position is None:
        return
    if position > services.games.last_position():
        raise Problem("malformed", "wait must be a position that a write has answered")
    if not services.followers.wait_for(position, services.patience_s):
        raise Problem("behind", f"position {position} is not in this list yet")
