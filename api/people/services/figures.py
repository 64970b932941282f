"""Standings and ratings by variant (docs/ratings.md, decision 0079).

Also the figures, the history and the opponents of a player, and whom rulings moved. `args` are those of a query's
schema. Each function returns the body, and the positions of the log that it includes.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from api.caller import Caller
from api.container import Services
from api.people.services.seats import players_with_lines
from api.people.stored.users import User
from api.play.services.positions import reading_list
from api.problem import Problem
from domain.store.positions import Positions
from projections.lists.standings_pages import head_to_head, history_page, player_figures, standings_page
from projections.ratings.ratings_pages import player_ratings, rating_changes, rating_history, ratings_page

NO_PLAYER = "There is no player with this name."
Args = Mapping[str, Any]
ListPage = tuple[dict[str, Any], Positions]


def list_standings(services: Services, args: Args) -> ListPage:
    """Return `{"variant", "period", "items": [...], "next": cursor or null, "names"}`, most games won first."""
    of, listed = {"variant": args["variant"], "period": args["period"]}, partial(players_with_lines, services.accounts)
    with reading_list(services, args["wait"], "standings") as reading:
        page = standings_page(reading, of["variant"], of["period"], listed, args["limit"], args.get("cursor"))
        at = reading.at
    return _named(services, of | page, (item["player"] for item in page["items"])), at


def list_figures(services: Services, name: str, args: Args) -> ListPage:
    """Return `{"player", "period", "items": [...], "names"}`: the player's figures by variant."""
    player, listed = player_named(services, name).id, partial(players_with_lines, services.accounts)
    with reading_list(services, args["wait"], "standings") as reading:
        items, at = player_figures(reading, player, listed, args["period"]), reading.at
    return _named(services, {"player": player, "period": args["period"], "items": items}, (player,)), at


def list_history(services: Services, caller: Caller, name: str, args: Args) -> ListPage:
    """Return `{"player", "items": [...], "next": cursor or null, "names"}`: finished games, the last first."""
    player = player_named(services, name).id
    with reading_list(services, args["wait"], "standings") as reading:
        page, at = history_page(reading, player, caller.id, args["limit"], args.get("cursor")), reading.at
    players = (player, *(seat["player"] for item in page["items"] for seat in item["seats"]))
    return _named(services, {"player": player} | page, players), at


def list_head_to_head(services: Services, name: str, opponent: str, args: Args) -> ListPage:
    """Return `{"player", "opponent", "items": [...], "names"}`: the games against each other, by variant."""
    player, other = player_named(services, name).id, player_named(services, opponent).id
    with reading_list(services, args["wait"], "standings") as reading:
        items, at = head_to_head(reading, player, other), reading.at
    return _named(services, {"player": player, "opponent": other, "items": items}, (player, other)), at


def list_ratings(services: Services, args: Args) -> ListPage:
    """Return `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, established ratings first."""
    return _rating_page(services, args, partial(ratings_page, listed=partial(players_with_lines, services.accounts)))


def list_rating_changes(services: Services, args: Args) -> ListPage:
    """Return `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, the latest ruling first."""
    return _rating_page(services, args, rating_changes)


def _rating_page(services: Services, args: Args, read: Callable[..., dict[str, Any]]) -> ListPage:
    pool = {"variant": args["variant"], "kind": args["kind"]}
    with reading_list(services, args["wait"], "ratings") as reading:
        page, at = read(reading, **pool, limit=args["limit"], cursor=args.get("cursor")), reading.at
    return _named(services, pool | page, (item["player"] for item in page["items"])), at


def list_ratings_of(services: Services, name: str, args: Args) -> ListPage:
    """Return `{"player", "ratings", "items", "next": cursor or null, "names"}`, the last game first."""
    player, listed = player_named(services, name).id, partial(players_with_lines, services.accounts)
    with reading_list(services, args["wait"], "ratings") as reading:
        body = {"player": player, "ratings": player_ratings(reading, player, listed)}
        body, at = body | rating_history(reading, player, args["limit"], args.get("cursor")), reading.at
    return _named(services, body, (player,)), at


def player_named(services: Services, name: str) -> User:
    """Return the player with this name. Raise Problem if nobody has it."""
    player = services.accounts.users.by_name(name)
    if player is None:
        raise Problem("not-found", NO_PLAYER)
    return player


def _named(services: Services, body: dict[str, Any], players: Iterable[str]) -> dict[str, Any]:
    return body | {"names": services.accounts.users.shown_names(players)}
