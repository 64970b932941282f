"""Lists built from all games: the lobby and each game's scoreboard. They follow the log with a short delay.

With `wait=<position>`, the Trickbook-Position of a write, they answer with that position or a later one.
"""

from typing import Any

from flask import Blueprint, Response

from api.http.context import current_reader, current_services
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import json_response
from api.http.schemas_games import GAMES_QUERY, WAIT_QUERY
from api.services.container import Services
from api.services.exports import NO_PLAYER_ID, pad_time
from projections.lists.cursors import BadCursor
from projections.lists.lobby import LobbyFilter, lobby_page
from projections.lists.scoreboard import scoreboard

lists = Blueprint("lists", __name__)


@lists.get("/games")
@query(GAMES_QUERY)
def lobby() -> Response:
    """Return 200 `{"items": [...], "next": cursor or null, "names"}`, newest first."""
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
    """Return the id of the player called `name`, or an id that matches no player."""
    player = None if name is None else services.accounts.users.by_name(name)
    return player.id if player is not None else None if name is None else NO_PLAYER_ID


@lists.get("/games/<game_ref:reference>/scoreboard")
@query(WAIT_QUERY)
def game_scoreboard(reference: str) -> Response:
    """Return 200: the hands in order with a line for each seat as text and as data, and totals (S40, S41)."""
    args = query_args()
    services = current_services()
    game = current_reader().resolve(reference)
    names = current_reader().names(services.games.state(game))
    wait_for_lists(services, args["wait"])
    with services.rows.snapshot("scoreboard") as reading:
        board = scoreboard(reading, game, names)
    if board is None:
        raise Problem("behind", "The scoreboard doesn't include this game yet. Try again.")
    return json_response(board | {"names": names})


def wait_for_lists(services: Services, position: int | None) -> None:
    """Wait until the lists reach the position of a write; 503 `behind` after a timeout."""
    if position is None:
        return
    if position > services.games.last_position():
        raise Problem("malformed", "wait must be a position from the Trickbook-Position header of a write.")
    if not services.followers.wait_for(position, services.wait_timeout_s):
        raise Problem("behind", f"This list doesn't include position {position} yet. Try again.")
