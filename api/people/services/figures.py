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
from api.play.services.positions import wait_for_lists
from api.problem import Problem
from domain.store.positions import Positions
from projections.lists.cursors import BadCursor
from projections.lists.standings_pages import head_to_head, history_page, player_figures, standings_page
from projections.ratings.ratings_pages import player_ratings, rating_changes, rating_history, ratings_page
from projections.storage.rows import RowSnapshot

NO_PLAYER = "There is no player with this name."
Args = Mapping[str, Any]
ListPage = tuple[dict[str, Any], Positions]


def list_standings(services: Services, args: Args) -> ListPage:
    """Return `{"variant", "period", "items": [...], "next": cursor or null, "names"}`, most games won first."""
    listed = partial(players_with_lines, services.accounts)
    variant, period = args["variant"], args["period"]
    return _from_list(
        services,
        args,
        "standings",
        lambda reading: standings_page(reading, variant, period, listed, args["limit"], args.get("cursor")),
        lambda body: (item["player"] for item in body["items"]),
        variant=variant,
        period=period,
    )


def list_figures(services: Services, name: str, args: Args) -> ListPage:
    """Return `{"player", "period", "items": [...], "names"}`: the player's figures by variant."""
    player, period = player_named(services, name), args["period"]
    listed = partial(players_with_lines, services.accounts)
    return _from_list(
        services,
        args,
        "standings",
        lambda reading: {"items": player_figures(reading, player.id, listed, period)},
        lambda _: (player.id,),
        player=player.id,
        period=period,
    )


def list_history(services: Services, caller: Caller, name: str, args: Args) -> ListPage:
    """Return `{"player", "items": [...], "next": cursor or null, "names"}`: finished games, the last first."""
    player = player_named(services, name)
    return _from_list(
        services,
        args,
        "standings",
        lambda reading: history_page(reading, player.id, caller.id, args["limit"], args.get("cursor")),
        lambda body: (player.id, *(seat["player"] for item in body["items"] for seat in item["seats"])),
        player=player.id,
    )


def list_head_to_head(services: Services, name: str, opponent: str, args: Args) -> ListPage:
    """Return `{"player", "opponent", "items": [...], "names"}`: the games against each other, by variant."""
    player, other = player_named(services, name), player_named(services, opponent)
    return _from_list(
        services,
        args,
        "standings",
        lambda reading: {"items": head_to_head(reading, player.id, other.id)},
        lambda _: (player.id, other.id),
        player=player.id,
        opponent=other.id,
    )


def list_ratings(services: Services, args: Args) -> ListPage:
    """Return `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, established ratings first."""
    return _from_pool(services, args, partial(ratings_page, listed=partial(players_with_lines, services.accounts)))


def list_rating_changes(services: Services, args: Args) -> ListPage:
    """Return `{"variant", "kind", "items": [...], "next": cursor or null, "names"}`, the latest ruling first."""
    return _from_pool(services, args, rating_changes)


def _from_pool(services: Services, args: Args, page: Callable[..., dict[str, Any]]) -> ListPage:
    pool = {"variant": args["variant"], "kind": args["kind"]}
    return _from_list(
        services,
        args,
        "ratings",
        lambda reading: page(reading, **pool, limit=args["limit"], cursor=args.get("cursor")),
        lambda body: (item["player"] for item in body["items"]),
        **pool,
    )


def list_ratings_of(services: Services, name: str, args: Args) -> ListPage:
    """Return `{"player", "ratings", "items", "next": cursor or null, "names"}`, the last game first."""
    player = player_named(services, name)
    listed = partial(players_with_lines, services.accounts)
    return _from_list(
        services,
        args,
        "ratings",
        lambda reading: {
            "ratings": player_ratings(reading, player.id, listed),
            **rating_history(reading, player.id, args["limit"], args.get("cursor")),
        },
        lambda _: (player.id,),
        player=player.id,
    )


def player_named(services: Services, name: str) -> User:
    """Return the player with this name. Raise Problem if nobody has it."""
    player = services.accounts.users.by_name(name)
    if player is None:
        raise Problem("not-found", NO_PLAYER)
    return player


def _from_list(
    services: Services,
    args: Args,
    projection: str,
    read: Callable[[RowSnapshot], dict[str, Any]],
    players: Callable[[dict[str, Any]], Iterable[str]],
    **more: str,
) -> ListPage:
    """Return what `read` returns from a list, with `more` fields and the names of the `players` in it."""
    wait_for_lists(services, args["wait"], projection)
    try:
        with services.rows.snapshot(projection) as reading:
            body, at = read(reading), reading.at
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
    ids = sorted(set(players(body)))
    names = dict(zip(ids, ids, strict=True)) | services.accounts.users.names_of(ids)
    return more | body | {"names": names}, at
