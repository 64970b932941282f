"""Standings and ratings by variant (docs/ratings.md, decision 0019).

Also the figures, the history and the opponents of a player, and whom rulings moved. `args` are those of a query's
schema. Each function returns the body, and the positions of the log that it includes.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Annotated, Any, TypedDict

from api.caller import Caller
from api.container import Services
from api.people.services.seats import players_with_lines
from api.people.stored.users import User
from api.play.services.positions import reading_list
from api.problem import Problem
from domain.json_fields import Names, says
from domain.store.log import Positions
from projections.lists.standings_pages import (
    HistoryPage,
    Meetings,
    StandingsPage,
    VariantFigures,
    head_to_head,
    history_page,
    player_figures,
    standings_page,
)
from projections.ratings.ratings_pages import (
    PoolName,
    PoolRating,
    RatingChangesPage,
    RatingHistoryPage,
    RatingsPage,
    player_ratings,
    rating_changes,
    rating_history,
    ratings_page,
)

Period = Annotated[str, says("`all`, a year or a month.")]
NO_PLAYER = "There is no player with this name."
Args = Mapping[str, Any]


class Standings(StandingsPage):
    """A page of the standings."""

    variant: str
    period: Period
    names: Names


class PlayerFigures(TypedDict):
    """A player's figures by variant."""

    player: Annotated[str, says("The player's id.")]
    period: Period
    items: list[VariantFigures]
    names: Names


class PlayerHistory(HistoryPage):
    """A page of a player's finished games, the last first."""

    player: Annotated[str, says("The player's id.")]
    names: Names


class HeadToHead(TypedDict):
    """The games of two players against each other, by variant."""

    player: Annotated[str, says("The player's id.")]
    opponent: Annotated[str, says("The opponent's id.")]
    items: list[Meetings]
    names: Names


class Ratings(PoolName, RatingsPage):
    """A page of the ratings."""

    names: Names


class RatingChanges(PoolName, RatingChangesPage):
    """A page of the players whom rulings moved, the latest ruling first."""

    names: Names


class PlayerRatings(RatingHistoryPage):
    """A player's ratings, and a page of what their games did to them, the last game first."""

    player: Annotated[str, says("The player's id.")]
    ratings: list[PoolRating]
    names: Names


def list_standings(services: Services, args: Args) -> tuple[Standings, Positions]:
    """Return `{"variant", "period", "items": [...], "next": cursor or null, "names"}`, most games won first."""
    variant, period = args["variant"], args["period"]
    with reading_list(services, args["wait"], "standings") as reading:
        listed = partial(players_with_lines, services.accounts)
        page, at = standings_page(reading, variant, period, listed, args["limit"], args.get("cursor")), reading.at
    names = _names(services, (item["player"] for item in page["items"]))
    return {"variant": variant, "period": period, **page, "names": names}, at


def list_figures(services: Services, name: str, args: Args) -> tuple[PlayerFigures, Positions]:
    """Return `{"player", "period", "items": [...], "names"}`: the player's figures by variant."""
    player, listed = player_named(services, name).id, partial(players_with_lines, services.accounts)
    with reading_list(services, args["wait"], "standings") as reading:
        items, at = player_figures(reading, player, listed, args["period"]), reading.at
    return {"player": player, "period": args["period"], "items": items, "names": _names(services, (player,))}, at


def list_history(services: Services, caller: Caller, name: str, args: Args) -> tuple[PlayerHistory, Positions]:
    """Return `{"player", "items": [...], "next": cursor or null, "names"}`: finished games, the last first."""
    player = player_named(services, name).id
    with reading_list(services, args["wait"], "standings") as reading:
        page, at = history_page(reading, player, caller.id, args["limit"], args.get("cursor")), reading.at
    names = _names(services, (player, *(seat["player"] for item in page["items"] for seat in item["seats"])))
    return {"player": player, **page, "names": names}, at


def list_head_to_head(services: Services, name: str, opponent: str, args: Args) -> tuple[HeadToHead, Positions]:
    """Return `{"player", "opponent", "items": [...], "names"}`: the games against each other, by variant."""
    player, other = player_named(services, name).id, player_named(services, opponent).id
    with reading_list(services, args["wait"], "standings") as reading:
        items, at = head_to_head(reading, player, other), reading.at
    return {"player": player, "opponent": other, "items": items, "names": _names(services, (player, other))}, at


def list_ratings(services: Services, args: Args) -> tuple[Ratings, Positions]:
    """Return `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, established ratings first."""
    pool, listed = _pool(args), partial(players_with_lines, services.accounts)
    with reading_list(services, args["wait"], "ratings") as reading:
        page, at = ratings_page(reading, **pool, listed=listed, **_place(args)), reading.at
    return {**pool, **page, "names": _names(services, (item["player"] for item in page["items"]))}, at


def list_rating_changes(services: Services, args: Args) -> tuple[RatingChanges, Positions]:
    """Return `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, the latest ruling first."""
    pool = _pool(args)
    with reading_list(services, args["wait"], "ratings") as reading:
        page, at = rating_changes(reading, **pool, **_place(args)), reading.at
    return {**pool, **page, "names": _names(services, (item["player"] for item in page["items"]))}, at


def _pool(args: Args) -> PoolName:
    return {"variant": args["variant"], "kind": args["kind"]}


def _place(args: Args) -> dict[str, Any]:
    return {"limit": args["limit"], "cursor": args.get("cursor")}


def list_ratings_of(services: Services, name: str, args: Args) -> tuple[PlayerRatings, Positions]:
    """Return `{"player", "ratings", "items", "next": cursor or null, "names"}`, the last game first."""
    player, listed = player_named(services, name).id, partial(players_with_lines, services.accounts)
    with reading_list(services, args["wait"], "ratings") as reading:
        ratings = player_ratings(reading, player, listed)
        page, at = rating_history(reading, player, **_place(args)), reading.at
    return {"player": player, "ratings": ratings, **page, "names": _names(services, (player,))}, at


def player_named(services: Services, name: str) -> User:
    """Return the player with this name. Raise Problem if nobody has it."""
    player = services.accounts.users.by_name(name)
    if player is None:
        raise Problem("not-found", NO_PLAYER)
    return player


def _names(services: Services, players: Iterable[str]) -> Names:
    return services.accounts.users.shown_names(players)
