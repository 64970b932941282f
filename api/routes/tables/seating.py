"""Whom a player lets seat them at once."""

from flask import Blueprint, Response, request

from api.accounts.people.scopes import READ
from api.http.context import current_services, require_player
from api.http.responses import json_response
from api.http.strict_json import read_json
from api.http.tables.schemas_tables import NEW_SEATING
from api.services.open_game import require_user

seating = Blueprint("seating", __name__)


@seating.get("/me/seating")
def read_seating() -> Response:
    """Return 200 `{"at_once", "friends"}`: whether anybody may seat the caller at once, and the names who may."""
    return _seating(require_player(READ).id)


@seating.put("/me/seating")
def set_seating() -> Response:
    """Replace both and return 200 as GET does; 409 for a name that no user has."""
    player, body = require_player(), NEW_SEATING.load(read_json(request))
    accounts = current_services().accounts
    friends = [require_user(accounts, name).id for name in body["friends"]]
    accounts.seating.set(player.id, at_once=body["at_once"], friends=friends)
    return _seating(player.id)


def _seating(player: str) -> Response:
    accounts = current_services().accounts
    allowed = accounts.seating.of(player)
    names = sorted(accounts.users.names_of(allowed.friends).values())
    return json_response({"at_once": allowed.at_once, "friends": names})
