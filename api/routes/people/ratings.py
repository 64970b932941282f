"""Ratings: the list of a variant, a player's ratings and their history, and whom rulings moved (docs/ratings.md)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, Response

from api.http.context import current_services
from api.http.people.schemas_ratings import PLAYER_RATINGS_QUERY, RATINGS_QUERY
from api.http.query_args import query, query_args
from api.routes.people.standings import answer_from_list, player_named
from api.services.people.standing_lines import players_with_lines
from projections.ratings.ratings_pages import player_ratings, rating_changes, rating_history, ratings_page

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
