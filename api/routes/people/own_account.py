"""One's own account: what the server knows about it, and all of it as one file."""

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, jsonify

from api.accounts.clock.times import iso_time
from api.accounts.people.own_data import own_data
from api.accounts.people.scopes import PLAY
from api.http.context import current_services, require_player, require_token
from api.http.responses import json_response
from api.routes.people.mail import mail_json
from api.services.container import Services
from api.services.people.seats import games_of

own_account = Blueprint("own_account", __name__)


@own_account.get("/me")
def show() -> Response:
    """Return 200 `{"id", "name", "guest", "token"}`, and for a token that manages the account also what belongs to it.

    That is `roles`, `email`, `mail` and `recovery_codes`, the number of unused ones.
    """
    token, accounts = require_token(), current_services().accounts
    player = token.player
    shown = {"id": token.id, "label": token.label, "scope": token.scope, "expires": iso_time(token.expires)}
    body: dict[str, Any] = {"id": player.id, "name": player.name, "guest": token.guest, "token": shown}
    if token.scope == PLAY:
        address = accounts.emails.address(player.id)
        body["roles"] = accounts.roles.of(player.id)
        body["email"] = None if address is None else {"address": address[0], "confirmed": address[1]}
        body["mail"] = mail_json(player.id)
        body["recovery_codes"] = accounts.recovery_codes.unused(player.id)
    return jsonify(body)


@own_account.get("/me/export")
def export() -> Response:
    """Return 200 and everything stored about the caller as one JSON file, without secrets; games by id and seat."""
    player, services = require_player(), current_services()
    body = own_data(services.accounts.database, player.id) | {"games": list(_games(services, player.id))}
    response = json_response(body)
    response.headers["Content-Disposition"] = f"attachment; filename=trickbook-{player.id}.json"
    return response


def _games(services: Services, player: str) -> Iterator[dict[str, object]]:
    for game in games_of(services, player):
        seats = [seat["seat"] for seat in game["seats"] if seat["player"] == player]
        yield {"game": game["id"], "board": game["board"], "variant": game["variant"], "seats": seats}
