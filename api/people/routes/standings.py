"""Standings and ratings by variant (docs/ratings.md, decision 0079).

Also the figures, the history and the opponents of a player, and whom rulings moved.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from flask import Blueprint, Response

from api.conduct.routes.access import NO_PLAYER
from api.people.routes.schemas import FIGURES_QUERY, HISTORY_QUERY, PLAYER_RATINGS_QUERY, RATINGS_QUERY, STANDINGS_QUERY
from api.people.services.seats import players_with_lines
from api.people.stored.users import User
from api.tables.routes.lists import list_response, wait_for_lists
from api.web.context import current_player, current_services
from api.web.game_schemas import WAIT_QUERY
from api.web.problems import Problem
from api.web.query_args import query, query_args
from projections.lists.cursors import BadCursor
from projections.lists.standings_pages import head_to_head, history_page, player_figures, standings_page
from projections.ratings.ratings_pages import player_ratings, rating_changes, rating_history, ratings_page
from projections.storage.rows import RowSnapshot

standings = Blueprint("standings", __name__)


@standings.get("/standings")
@query(STANDINGS_QUERY)
def list_standings() -> Response:
    """Return 200 `{"variant", "period", "items": [...], "next": cursor or null, "names"}`, most games won first."""
    args, accounts = query_args(), current_services().accounts
    listed = partial(players_with_lines, accounts)
    variant, period = args["variant"], args["period"]
    return answer_from_list(
        "standings",
        lambda reading: standings_page(reading, variant, period, listed, args["limit"], args.get("cursor")),
        lambda body: (item["player"] for item in body["items"]),
        variant=variant,
        period=period,
    )


@standings.get("/players/<name>/standings")
@query(FIGURES_QUERY)
def player_standings(name: str) -> Response:
    """Return 200 `{"player", "period", "items": [...], "names"}`: the player's figures by variant."""
    player, period = player_named(name), query_args()["period"]
    listed = partial(players_with_lines, current_services().accounts)
    return answer_from_list(
        "standings",
        lambda reading: {"items": player_figures(reading, player.id, listed, period)},
        lambda _: (player.id,),
        player=player.id,
        period=period,
    )


@standings.get("/players/<name>/history")
@query(HISTORY_QUERY)
def player_history(name: str) -> Response:
    """Return 200 `{"player", "items": [...], "next": cursor or null, "names"}`: finished games, the last first."""
    player, args, caller = player_named(name), query_args(), current_player()
    reader = None if caller is None else caller.id
    return answer_from_list(
        "standings",
        lambda reading: history_page(reading, player.id, reader, args["limit"], args.get("cursor")),
        lambda body: (player.id, *(seat["player"] for item in body["items"] for seat in item["seats"])),
        player=player.id,
    )


@standings.get("/players/<name>/against/<opponent>")
@query(WAIT_QUERY)
def against(name: str, opponent: str) -> Response:
    """Return 200 `{"player", "opponent", "items": [...], "names"}`: the games against each other, by variant."""
    player, other = player_named(name), player_named(opponent)
    return answer_from_list(
        "standings",
        lambda reading: {"items": head_to_head(reading, player.id, other.id)},
        lambda _: (player.id, other.id),
        player=player.id,
        opponent=other.id,
    )


def player_named(name: str) -> User:
    """Return the player with this name, or raise not-found."""
    player = current_services().accounts.users.by_name(name)
    if player is None:
        raise Problem("not-found", NO_PLAYER)
    return player


def answer_from_list(
    projection: str,
    read: Callable[[RowSnapshot], dict[str, Any]],
    players: Callable[[dict[str, Any]], Iterable[str]],
    **more: str,
) -> Response:
    """Return what `read` returns from a list, with `more` fields and the names of the `players` in it."""
    services = current_services()
    wait_for_lists(services, query_args()["wait"], projection)
    try:
        with services.rows.snapshot(projection) as reading:
            body, at = read(reading), reading.at
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
    ids = sorted(set(players(body)))
    names = dict(zip(ids, ids, strict=True)) | services.accounts.users.names_of(ids)
    return list_response(services, more | body | {"names": names}, at)


ratings = Blueprint("ratings", __name__)


@ratings.get("/ratings")
@query(RATINGS_QUERY)
def list_ratings() -> Response:
    """Return 200 `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, established ratings first."""
    listed = partial(players_with_lines, current_services().accounts)
    return _answer_from_pool(partial(ratings_page, listed=listed))


@ratings.get("/ratings/changes")
@query(RATINGS_QUERY)
def list_changes() -> Response:
    """Return 200 `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, the latest ruling first."""
    return _answer_from_pool(rating_changes)


def _answer_from_pool(page: Callable[..., dict[str, Any]]) -> Response:
    args = query_args()
    pool = {"variant": args["variant"], "kind": args["kind"]}
    return answer_from_list(
        "ratings",
        lambda reading: page(reading, **pool, limit=args["limit"], cursor=args.get("cursor")),
        lambda body: (item["player"] for item in body["items"]),
        **pool,
    )


@ratings.get("/players/<name>/ratings")
@query(PLAYER_RATINGS_QUERY)
def show_ratings(name: str) -> Response:
    """Return 200 `{"player", "ratings", "items", "next": cursor or null, "names"}`, the last game first."""
    player, args = player_named(name), query_args()
    listed = partial(players_with_lines, current_services().accounts)
    return answer_from_list(
        "ratings",
        lambda reading: {
            "ratings": player_ratings(reading, player.id, listed),
            **rating_history(reading, player.id, args["limit"], args.get("cursor")),
        },
        lambda _: (player.id,),
        player=player.id,
    )
