"""Opens games: at once if every player is seated already, otherwise as a table that forms."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, request

from api.container import Services
from api.people.stored.users import User
from api.play.routes.games import command_response
from api.tables.routes.forming_tables import table_response
from api.tables.routes.schemas import REMATCH, REMATCH_GAME
from api.tables.services.board_reservation import reserve_board
from api.tables.services.forming import RematchSource, command_of_table, deal_table, form_table
from api.tables.services.rematch import find_rematch, rematch_fields, require_settings
from api.tables.services.seat_plan import is_complete, opening_command, plan_seats
from api.tables.stored.seats import FULL, FormingSeat, FormingTable, NotForming, TableStatus
from api.web.context import current_reader, current_services, require_player
from api.web.game_schemas import NEW_GAME
from api.web.preconditions import CommandId, command_id, idempotency_key
from api.web.responses import own_address
from api.web.strict_json import read_json
from domain.decide import decide
from domain.state import EMPTY_STATE
from domain.store import CommandReused, Commit, NoSuchGame

opening = Blueprint("opening", __name__)

KEY_REUSED = "This Idempotency-Key was used for another request. Send a new key."


@opening.post("/games")
def open_game() -> Response:
    """Return 201 `{"id", "board", ...}` and Location: a game that starts at once (R-P1), or a table that forms (R-P2).

    With an Idempotency-Key, a repeated request opens no second game and gets the first response again.
    """
    player, body, key = require_player(), read_json(request), idempotency_key(request)
    request_id = command_id(current_services().secret, player.id, key, "/games", body)
    if "rematch_of" in body:
        settings = REMATCH_GAME.load(body)
        return _open_rematch(player, settings.pop("rematch_of"), settings, request_id, key)
    return _open(player, NEW_GAME.load(body), request_id, _new_id(request_id, key))


@opening.post("/games/<game_ref:reference>/rematch")
def rematch(reference: str) -> Response:
    """Return 201 as POST /games does: a table with the same players and options, or a seat at the one that forms."""
    player, body, key = require_player(), read_json(request), idempotency_key(request)
    settings = REMATCH.load(body)
    game = current_reader().resolve(reference)
    request_id = command_id(current_services().secret, player.id, key, f"/games/{game}/rematch", body)
    return _open_rematch(player, game, settings, request_id, key)


def _new_id(request_id: CommandId, key: str | None) -> str:
    return str(UUID(bytes=secrets.token_bytes(16), version=4)) if key is None else request_id.game


def _open_rematch(
    player: User, reference: str, settings: dict[str, Any], request_id: CommandId, key: str | None
) -> Response:
    """Claim the player's seat at the table for the same rematch, return to its game if it's running, or open one."""
    services, source = current_services(), current_reader().resolve(reference)
    expires_s = settings.pop("expires_s")
    game = _new_id(request_id, key)
    known = services.accounts.forming.read(game)
    if known is not None:
        return _repeated(services, known, request_id, player)
    found = find_rematch(services, source, player.id)
    if isinstance(found, FormingTable):
        if found.status != TableStatus.FORMING or services.accounts.tables.visible(found.game, player.id) is not None:
            return _join_rematch(services, found, player, settings)
        found = RematchSource(source, frozenset())
    fields = rematch_fields(services, source, player.id, expires_s, settings)
    return _open(player, fields, request_id, game, found, settings)


def _repeated(services: Services, table: FormingTable, request_id: CommandId, player: User) -> Response:
    """Return the table that an earlier request with this key opened; 422 if that request was different."""
    if table.command not in (f"{request_id.sender}-{each}" for each in request_id.requests):
        raise CommandReused(KEY_REUSED)
    return seat_response(services, table, player.id)


def _join_rematch(services: Services, table: FormingTable, player: User, settings: Mapping[str, Any]) -> Response:
    require_settings(table, settings)
    if table.status == TableStatus.FORMING:
        try:
            table = services.accounts.forming.claim(table.game, player.id, None)
        except NotForming:
            now = services.accounts.forming.read(table.game)
            if now is None or now.seat_of(player.id) is None or now.status not in FULL:
                raise
            table = now  # the same player's other request took the last seat
    return seat_response(services, table, player.id)


def _open(
    player: User,
    fields: Mapping[str, Any],
    request_id: CommandId,
    game: str,
    rematch: RematchSource | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Response:
    services = current_services()
    known = services.accounts.forming.read(game)
    if known is not None:
        return _repeated(services, known, request_id, player)
    if _is_open(services, game, request_id):
        return game_response(services, game, player.id, request_id.as_stored(services.games, game), None)
    seats = plan_seats(services, player.id, fields["seats"])
    if rematch is None and is_complete(seats):
        return game_response(services, game, player.id, request_id, _deal(player, fields, seats, request_id, game))
    formed = form_table(services, game, player.id, str(request_id), fields, seats, rematch)
    if formed.game != game:  # another player's rematch was faster
        return _join_rematch(services, formed, player, settings or {})
    return seat_response(services, formed, player.id)


def _deal(
    player: User, fields: Mapping[str, Any], seats: Sequence[FormingSeat], request_id: CommandId, game: str
) -> Commit:
    services = current_services()
    command = opening_command(services, fields, game, seats)
    decide(EMPTY_STATE, command)  # a refused game doesn't use up a board number
    command = replace(command, board=reserve_board(services, game, player.id))
    services.accounts.chat.choose(game, fields["chat"])
    return services.games.open(command, by=player.id, command_id=str(request_id))


def _is_open(services: Services, game: str, request_id: CommandId) -> bool:
    """Return whether an earlier request opened the game; 422 if that request was different."""
    try:
        services.games.state(game)
    except NoSuchGame:
        return False
    if not services.games.entries_of_command(game, str(request_id.as_stored(services.games, game))):
        raise CommandReused(KEY_REUSED)
    return True


def seat_response(services: Services, table: FormingTable, player: str) -> Response:
    """Return 201 with a table that forms, or with its game once it's full: the request that closes it deals."""
    if table.status not in FULL:
        return table_response(table, player, 201)
    commit = deal_table(services, table) if table.status == TableStatus.CLOSING else None
    request_id = CommandId(*command_of_table(services.secret, table.game).split("-"))
    return game_response(services, table.game, player, request_id, commit)


def game_response(services: Services, game: str, player: str, request_id: CommandId, commit: Commit | None) -> Response:
    """Return 201 with a game that has started, as `command_response` does."""
    state = services.games.state(game)
    opened = {"id": game, "board": state.opened.board if state.opened else None}
    response = command_response(services, game, player, request_id, commit, opened)
    response.headers["Location"] = own_address(f"/api/v1/games/{game}")
    return response
