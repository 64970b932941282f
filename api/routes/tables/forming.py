"""Tables that form: claim a seat, leave it, start or cancel the table, and the tables that ask a player."""

from flask import Blueprint, Response, request

from api.accounts.people.scopes import READ
from api.accounts.tables.seats import FULL, require_forming
from api.http.context import current_services, require_player
from api.http.responses import json_response
from api.http.strict_json import read_json
from api.http.tables.forming_tables import (
    if_match_revision,
    names_in,
    own_table,
    table_json,
    table_to_change,
)
from api.http.tables.schemas_tables import CLAIM, START
from api.routes.tables.claim_access import table_of_claim
from api.routes.tables.opening import seat_response
from api.services.open_game import BOT_PREFIX

forming = Blueprint("forming", __name__)


@forming.post("/games/<game_ref:reference>/seats")
def claim(reference: str) -> Response:
    """Return 201 with the table, or with its game if that was the last seat; 409 if the seat is taken.

    A player who repeats the request keeps the seat and gets the table or the game again.
    """
    player, body = require_player(game=reference), CLAIM.load(read_json(request))
    services, revision = current_services(), if_match_revision(request)
    table, invitation = table_of_claim(reference, player.id, body["invitation"])
    services.claims.take(player.id)
    own = table.seat_of(player.id)
    if table.status in FULL and own is not None:
        return seat_response(services, table, player.id)
    claimed = services.accounts.forming.claim(table.game, player.id, body["seat"], invitation, revision)
    return seat_response(services, claimed, player.id)


@forming.delete("/games/<game_ref:reference>/seats/current")
def leave(reference: str) -> tuple[str, int]:
    """Return 204: the caller's seat is free, or the question whether they sit down is declined."""
    player = require_player(game=reference)
    current_services().accounts.forming.leave(table_to_change(reference, player.id).game, player.id)
    return "", 204


@forming.post("/games/<game_ref:reference>/start")
def start(reference: str) -> Response:
    """Return 201 with the game, with bots in the empty seats; 403 unless the caller opened the table."""
    player, body, revision = require_player(), START.load(read_json(request)), if_match_revision(request)
    services, table = current_services(), own_table(reference, player.id)
    bot = None if body["bots"] is None else body["bots"].removeprefix(BOT_PREFIX)
    return seat_response(services, services.accounts.forming.start(table.game, bot, revision), player.id)


@forming.delete("/games/<game_ref:reference>")
def cancel(reference: str) -> tuple[str, int]:
    """Return 204: the table is cancelled; 403 unless the caller opened it, 409 if it doesn't form any more."""
    player = require_player()
    services, table = current_services(), own_table(reference, player.id)
    if not services.accounts.forming.cancel(table.game):
        require_forming(services.accounts.forming.read(table.game), None, services.clock.now_us())
    services.accounts.boards.finish([table.game])
    return "", 204


@forming.get("/me/questions")
def questions() -> Response:
    """Return 200 `{"items": [...], "names"}`: the tables that ask the caller to sit down, the newest first."""
    player, services = require_player(READ), current_services()
    items = [table_json(table, player.id) for table in services.accounts.tables.questions(player.id)]
    return json_response({"items": items, "names": names_in(services, items)})
