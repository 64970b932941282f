"""Lists built from all games: the lobby and each game's scoreboard. They follow the log with a short delay.

Also the variants of this server as data: all that a client needs for a form that opens a game.

With `wait=<position>`, the Trickbook-Position of a write or of a list, they answer as of that position or later.
"""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response

from api.container import Services
from api.evidence.services.exports import NO_PLAYER_ID, pad_time, player_ids
from api.tables.routes.forming_tables import names_in, table_json
from api.tables.services.open_game import BOT_PREFIX
from api.tables.stored.table_lists import TableFilter
from api.web.context import current_player, current_reader, current_services
from api.web.game_access import visible_game
from api.web.game_schemas import GAMES_QUERY, WAIT_QUERY
from api.web.problems import Problem
from api.web.query_args import POSITION, BadPosition, query, query_args, read_position, write_position
from api.web.responses import json_response
from api.web.strict_json import parse_integer
from domain.rules.variants import VARIANTS, Option, Variant
from domain.rules.variants.options import OptionField
from domain.store.aggregate import Corrupt
from domain.store.positions import Positions, beginning
from projections.bots import BOTS
from projections.lists.cursors import BadCursor, bad_cursor, make_cursor, parse_cursor
from projections.lists.lobby_pages import LobbyFilter, LobbyReader, lobby_page
from projections.lists.scoreboard import scoreboard

lists = Blueprint("lists", __name__)

OTHER_HISTORY = "This server's games don't include that write. Read the list without wait, and check your last moves."


@lists.get("/games")
@query(GAMES_QUERY)
def lobby() -> Response:
    """Return 200 `{"items": [...], "next": cursor or null, "names"}`, newest first.

    With status=forming these are the tables before the deal that the caller may see.
    """
    args, services, player = query_args(), current_services(), current_player()
    if args.get("status") == "forming":
        return forming_page(services, args)
    reader = LobbyReader(None if player is None else player.id)
    wait_for_lists(services, args["wait"], "lobby")
    try:
        with services.rows.snapshot("lobby") as reading:
            page = lobby_page(reading, _lobby_filter(services, args), args["limit"], args.get("cursor"), reader)
            at = reading.at
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
    ids = sorted({seat["player"] for game in page["items"] for seat in game["seats"]})
    names = dict(zip(ids, ids, strict=True)) | services.accounts.users.names_of(ids)
    return list_response(services, page | {"names": names}, at)


def forming_page(services: Services, args: dict[str, Any]) -> Response:
    """Return a page of the tables that form and that the caller may see, as `lobby` does of games."""
    if args.keys() & {"waiting", "since"}:
        raise Problem("malformed", "Forming tables have no turns: leave out waiting and since.")
    caller, limit = current_player(), args["limit"]
    viewer = None if caller is None else caller.id
    found = services.accounts.tables.open_tables(viewer, _table_filter(services, args), limit + 1)
    items = [table_json(table, viewer) for table in found[:limit]]
    following = make_cursor(found[limit - 1].created, found[limit - 1].game) if len(found) > limit else None
    return json_response({"items": items, "next": following, "names": names_in(services, items)})


def _table_filter(services: Services, args: dict[str, Any]) -> TableFilter:
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


def _lobby_filter(services: Services, args: dict[str, Any]) -> LobbyFilter:
    return LobbyFilter(
        variant=args.get("variant"),
        players=player_ids(services.accounts, args),
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
    access = visible_game(reference)
    game, names = access.game, current_reader().names(access.state)
    wait_for_lists(services, args["wait"], "scoreboard")
    late = access.head is not None
    with services.rows.snapshot("scoreboard") as reading:
        board, fault, at = None if late else scoreboard(reading, game, names), reading.fault(game), reading.at
    if late:
        board = services.late_boards.board(access, names)
    if fault is not None:
        raise Corrupt(game, fault.version, fault.reason)
    if board is None:
        raise Problem("behind", "The scoreboard doesn't include this game yet. Try again.")
    return list_response(services, board | {"names": names}, at)


def list_response(services: Services, body: Mapping[str, Any], at: Positions) -> Response:
    """Return a list as a JSON response, with the positions that it includes."""
    response = json_response(body)
    response.headers[POSITION] = write_position(services.secret, at or beginning(services.games.log.shards))
    return response


def wait_for_lists(services: Services, wait: str | None, *names: str) -> None:
    """Wait until the named lists reach a position: 503 `behind` after a timeout, 409 `other-history` if it's gone."""
    if wait is None:
        return
    try:
        positions = read_position(services.secret, wait)
    except BadPosition:
        raise Problem("malformed", "wait must be a value of the Trickbook-Position header of this server.") from None
    if not all(map(services.games.log.has_position, positions)):
        raise Problem("other-history", OTHER_HISTORY)
    if not services.followers.wait_for(positions, services.wait_timeout_s, *names):
        raise Problem("behind", "This list doesn't include that position yet. Try again.")


variants = Blueprint("variants", __name__)


@variants.get("/variants")
def list_variants() -> Response:
    """Return 200 `{"items": [...], "bots": [...]}`: each variant with its options and its default rules."""
    bots = [BOT_PREFIX + bot for bot in BOTS]
    return json_response({"items": [_variant(each) for each in VARIANTS.values()], "bots": bots})


def _variant(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "title": variant.title,
        "says": variant.summary,
        "seats": variant.rules.seats,
        "options": [_option(option) for option in variant.options],
        "rules": variant.compose({})[0],
    }


def _option(option: Option) -> dict[str, Any]:
    shown = {"name": option.name, "values": option.values, "default": option.default, "says": option.description}
    fields = [_part(part) for part in option.fields]
    return shown | {"ruling": option.ruling, "takes": option.value_format, "parts": fields}


def _part(part: OptionField) -> dict[str, Any]:
    shown = {"name": part.name, "kind": part.kind, "default": part.default, "says": part.description}
    return shown | {"of": part.choices, "null": part.nullable}
