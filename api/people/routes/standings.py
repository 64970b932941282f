"""Standings and ratings by variant (docs/ratings.md, decision 0019).

Also the figures, the history and the opponents of a player, and whom rulings moved.
"""

from flask import Response

from api.people.services import figures
from api.people.services.schemas import (
    FIGURES_QUERY,
    HISTORY_QUERY,
    PLAYER_RATINGS_QUERY,
    RATINGS_QUERY,
    STANDINGS_QUERY,
)
from api.play.services.game_schemas import WAIT_QUERY
from api.tables.routes.lists import list_response, list_route
from api.web.context import current_caller, current_services
from api.web.route import TaggedBlueprint, query_args

standings = TaggedBlueprint("standings", __name__, "people")
ratings = TaggedBlueprint("ratings", __name__, "people")


@standings.get("/standings")
@list_route("the standings of a variant, for all time, a year or a month", figures.Standings, STANDINGS_QUERY)
def list_standings() -> Response:
    """Return 200 `{"variant", "period", "items": [...], "next": cursor or null, "names"}`, most games won first."""
    services = current_services()
    return list_response(services, *figures.list_standings(services, query_args()))


@standings.get("/players/<name>/standings")
@list_route("a player's figures by variant", figures.PlayerFigures, FIGURES_QUERY, "not-found")
def player_standings(name: str) -> Response:
    """Return 200 `{"player", "period", "items": [...], "names"}`: the player's figures by variant."""
    services = current_services()
    return list_response(services, *figures.list_figures(services, name, query_args()))


@standings.get("/players/<name>/history")
@list_route("a player's finished games", figures.PlayerHistory, HISTORY_QUERY, "not-found")
def player_history(name: str) -> Response:
    """Return 200 `{"player", "items": [...], "next": cursor or null, "names"}`: finished games, the last first."""
    services = current_services()
    return list_response(services, *figures.list_history(services, current_caller(), name, query_args()))


@standings.get("/players/<name>/against/<opponent>")
@list_route("the games of two players against each other, by variant", figures.HeadToHead, WAIT_QUERY, "not-found")
def against(name: str, opponent: str) -> Response:
    """Return 200 `{"player", "opponent", "items": [...], "names"}`: the games against each other, by variant."""
    services = current_services()
    return list_response(services, *figures.list_head_to_head(services, name, opponent, query_args()))


@ratings.get("/ratings")
@list_route("the ratings of a variant, over all tables or at one kind of table", figures.Ratings, RATINGS_QUERY)
def list_ratings() -> Response:
    """Return 200 `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, established ratings first."""
    services = current_services()
    return list_response(services, *figures.list_ratings(services, query_args()))


@ratings.get("/ratings/changes")
@list_route("the players whom rulings on finished games moved", figures.RatingChanges, RATINGS_QUERY)
def list_changes() -> Response:
    """Return 200 `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, the latest ruling first."""
    services = current_services()
    return list_response(services, *figures.list_rating_changes(services, query_args()))


@ratings.get("/players/<name>/ratings")
@list_route(
    "a player's ratings, and what each game did to them", figures.PlayerRatings, PLAYER_RATINGS_QUERY, "not-found"
)
def show_ratings(name: str) -> Response:
    """Return 200 `{"player", "ratings", "items", "next": cursor or null, "names"}`, the last game first."""
    services = current_services()
    return list_response(services, *figures.list_ratings_of(services, name, query_args()))
