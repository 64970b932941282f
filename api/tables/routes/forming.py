"""Tables that form: claim a seat, leave it, start or cancel the table, and the tables that ask a player.

A player claims a seat of a table that they may see, or that they have an invitation to.
"""

from flask import Blueprint, Response, request

from api.people.stored.grants import READ, token_sha256
from api.tables.routes.forming_tables import if_match_revision, names_in, own_table, table_json, table_to_change
from api.tables.routes.opening import seat_response
from api.tables.routes.schemas import CLAIM, START
from api.tables.services.open_game import BOT_PREFIX
from api.tables.stored.invitations import NoInvitation
from api.tables.stored.seats import FULL, FormingTable, require_forming
from api.web.context import current_reader, current_services, require_player
from api.web.game_reader import NO_GAME
from api.web.problems import Problem
from api.web.responses import json_response
from api.web.strict_json import read_json


def table_of_claim(reference: str, player: str, token: str | None) -> tuple[FormingTable, str | None]:
    """Return the table, and the hash of the invitation's token if the claim needs one.

    404 as for no game unless the player may see the table, or shows a valid invitation to it.
    """
    game, tables = current_reader().resolve(reference), current_services().accounts.tables
    known = tables.visible(game, player)
    if known is not None and known.seat_of(player) is not None:  # a repeated request, whose invitation may be used up
        return known, None
    invitation = None if token is None else token_sha256(token)
    table = known or (tables.visible(game, player, by_invitation=True) if _is_to(invitation, game) else None)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return table, invitation


def _is_to(invitation: str | None, game: str) -> bool:
    """Return whether this is a valid invitation to this table."""
    try:
        return invitation is not None and current_services().accounts.invitations.game_of(invitation) == game
    except NoInvitation:
        return False


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
