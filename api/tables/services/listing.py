"""The lobby, the tables that form, and the scoreboard of a game."""

from collections.abc import Mapping
from typing import Any

from api.caller import Caller
from api.container import Services
from api.evidence.services.exports import NO_PLAYER_ID, pad_time, player_ids
from api.play.services.games import visible_game
from api.play.services.positions import reading_list, wait_for_lists
from api.problem import Problem
from api.schemas import parse_integer
from api.tables.services.table_views import ListedTables, RulebookNames, names_beside, table_json
from api.tables.stored.table_lists import TableFilter
from domain.json_fields import Cursor, Names
from domain.store.aggregate import Corrupt
from domain.store.log import Positions
from projections.lists.cursors import BadCursor, bad_cursor, make_cursor, parse_cursor
from projections.lists.lobby_pages import LobbyFilter, LobbyPage, LobbyReader, lobby_page
from projections.lists.scoreboard_pages import GameScores, scoreboard


class Lobby(LobbyPage):
    """A page of games, the newest first, with the names of their players."""

    names: Names
    rulebooks: RulebookNames


class TablePage(ListedTables):
    """A page of tables that form."""

    next: Cursor


FORMING = "forming"
"""The status in GamesQuery that asks for tables, not for games."""


def list_games(services: Services, caller: Caller, args: Mapping[str, Any]) -> tuple[Lobby, Positions]:
    """Return a page of games, and the positions that it includes. `args` are those of GamesQuery."""
    with reading_list(services, args["wait"], "lobby") as reading:
        wanted, reader = _lobby_filter(services, args), LobbyReader(caller.id)
        page, at = lobby_page(reading, wanted, args["limit"], args.get("cursor"), reader), reading.at
    names = services.accounts.users.shown_names(seat["player"] for game in page["items"] for seat in game["seats"])
    books = services.accounts.rulebooks.names_of([game["rulebook"] for game in page["items"] if game["rulebook"]])
    return {**page, "names": names, "rulebooks": books}, at


def list_tables(services: Services, caller: Caller, args: Mapping[str, Any]) -> TablePage:
    """Return a page of the tables that form and that the caller may see, as `list_games` does of games."""
    if args.keys() & {"waiting", "since"}:
        raise Problem("malformed", "Forming tables have no turns: leave out waiting and since.")
    viewer, limit = caller.id, args["limit"]
    found = services.accounts.tables.open_tables(viewer, _table_filter(services, args), limit + 1)
    items = [table_json(table, viewer) for table in found[:limit]]
    following = make_cursor(found[limit - 1].created, found[limit - 1].game) if len(found) > limit else None
    return {"items": items, "next": following, **names_beside(services, items)}


def _table_filter(services: Services, args: Mapping[str, Any]) -> TableFilter:
    players = player_ids(services.accounts, args)
    if args.get("cursor") is None:
        return TableFilter(args.get("variant"), players)
    try:
        created, game = parse_cursor(args["cursor"], 2, "forming tables")
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
    number = parse_integer(created)
    if number is None:
        raise Problem("malformed", str(bad_cursor("forming tables")))
    return TableFilter(args.get("variant"), players, (number, game))


def _lobby_filter(services: Services, args: Mapping[str, Any]) -> LobbyFilter:
    return LobbyFilter(
        variant=args.get("variant"),
        players=player_ids(services.accounts, args),
        status=args.get("status"),
        waiting=_player_id(services, args.get("waiting")),
        since=pad_time(args["since"]) if "since" in args else None,
    )


def _player_id(services: Services, name: str | None) -> str | None:
    """Return the id of the player called `name`, or an id that matches no player; None without a name."""
    if name is None:
        return None
    player = services.accounts.users.by_name(name)
    return NO_PLAYER_ID if player is None else player.id


class Scoreboard(GameScores):
    """The hands of a game, with a line for each seat."""

    names: Names


def read_scoreboard(
    services: Services, caller: Caller, reference: str, wait: str | None
) -> tuple[Scoreboard, Positions]:
    """Return the hands of a game once the list has reached the position `wait`, and the positions it includes.

    Raise Problem for a list that is behind, Corrupt for a game that it can't read.
    """
    access = visible_game(services, caller, reference)
    game, names = access.game, services.reader.names(access.state)
    wait_for_lists(services, wait, "scoreboard")
    late = access.head is not None
    with services.rows.snapshot("scoreboard") as reading:
        board, fault, at = None if late else scoreboard(reading, game, names), reading.fault(game), reading.at
    if late:
        board = services.late_boards.board(access, names)
    if fault is not None:
        raise Corrupt(game, fault.version, fault.reason)
    if board is None:
        raise Problem("behind", "The scoreboard doesn't include this game yet. Try again.")
    return {**board, "names": names}, at
