"""Registering, logging in and logging out."""

from flask import Blueprint, Response, jsonify, request

from api.accounts.users import BadLogin
from api.http.auth import bearer_token, client_address
from api.http.context import current_services, require_player
from api.http.problems import Problem
from api.http.schemas import LOGIN, REGISTRATION
from api.http.strict_json import read_json

users = Blueprint("users", __name__)


@users.post("/users")
def register() -> tuple[Response, int]:
    """201 `{"id", "name"}`; 409 for a name taken, 403 where registration is closed, 429 for too many at once."""
    wanted = REGISTRATION.load(read_json(request))
    services = current_services()
    if services.config.registration == "closed":
        raise Problem("registration-closed", "this server takes no new users")
    services.registrations.take(client_address(request))
    player = services.accounts.users.register(wanted["name"], wanted["password"])
    return jsonify(id=player.id, name=player.name), 201


@users.post("/tokens")
def log_in() -> tuple[Response, int]:
    """201 `{"token"}`; 401 for a wrong name or password alike, 429 after too many of those from one address.

    Counted by address and name together: who guesses at a name locks out himself, not its owner elsewhere; and, more
    widely, by address alone, for who guesses at many names. Right ones are not counted.
    """
    wanted = LOGIN.load(read_json(request))
    services, address = current_services(), client_address(request)
    counted = [(services.guesses, (address, wanted["name"])), (services.guesses_by_address, address)]
    for limiter, key in counted:
        limiter.check(key)
    try:
        token = services.accounts.login(wanted["name"], wanted["password"])
    except BadLogin:
        for limiter, key in counted:
            limiter.charge(key)
        raise
    return jsonify(token=token), 201


@users.delete("/tokens/current")
def log_out() -> tuple[str, int]:
    """204, and the token of this request is worthless from then on."""
    require_player()
    current_services().accounts.tokens.revoke(bearer_token() or "")
    return "", 204
