"""Standings and ratings by variant (docs/ratings.md, decision 0079).

Also the figures, the history and the opponents of a player, and whom rulings moved.
"""

from flask import Blueprint, Response

from api.people.services import figures
from api.people.services.schemas import (
    FIGURES_QUERY,
    HISTORY_QUERY,
    PLAYER_RATINGS_QUERY,
    RATINGS_QUERY,
    STANDINGS_QUERY,
)
from api.play.services.game_schemas import WAIT_QUERY
from api.tables.routes.lists import list_response
from api.web.context import current_caller, current_services
from api.web.query_args import query, query_args

standings = Blueprint("standings", __name__)
ratings = Blueprint("ratings", __name__)


@standings.get("/standings")
@query(STANDINGS_QUERY)
def list_standings() -> Response:
    """Return 200 `{"variant", "period", "items": [...], "next": cursor or null, "names"}`, most games won first."""
    services = current_services()
    return list_response(services, *figures.list_standings(services, query_args()))


@standings.get("/players/<name>/standings")
@query(FIGURES_QUERY)
def player_standings(name: str) -> Response:
    """Return 200 `{"player", "period", "items": [...], "names"}`: the player's figures by variant."""
    services = current_services()
    return list_response(services, *figures.list_figures(services, name, query_args()))


@standings.get("/players/<name>/history")
@query(HISTORY_QUERY)
def player_history(name: str) -> Response:
    """Return 200 `{"player", "items": [...], "next": cursor or null, "names"}`: finished games, the last first."""
    services = current_services()
    return list_response(services, *figures.list_history(services, current_caller(), name, query_args()))


@standings.get("/players/<name>/against/<opponent>")
@query(WAIT_QUERY)
def against(name: str, opponent: str) -> Response:
    """Return 200 `{"player", "opponent", "items": [...], "names"}`: the games against each other, by variant."""
    services = current_services()
    return list_response(services, *figures.list_head_to_head(services, name, opponent, query_args()))


@ratings.get("/ratings")
@query(RATINGS_QUERY)
def list_ratings() -> Response:
    """Return 200 `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, established ratings first."""
    services = current_services()
    return list_response(services, *figures.list_ratings(services, query_args()))


@ratings.get("/ratings/changes")
@query(RATINGS_QUERY)
def list_changes() -> Response:
    """Return 200 `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, the latest ruling first."""
    services = current_services()
    return list_response(services, *figures.list_rating_changes(services, query_args()))


@ratings.get("/players/<name>/ratings")
@query(PLAYER_RATINGS_QUERY)
def show_ratings(name: str) -> Response:
    """Return 200 `{"player", "ratings", "items", "next": cursor or null, "names"}`, the last game first."""
    services = current_services()
    return list_response(services, *figures.list_ratings_of(services, name, query_args()))
