"""Users: register, log in and log out."""

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
    """Return 201 `{"id", "name"}`; 409 for a taken name, 403 if registration is closed, 429 for too many requests."""
    wanted = REGISTRATION.load(read_json(request))
    services = current_services()
    if services.config.registration == "closed":
        raise Problem("registration-closed", "This server doesn't accept new users.")
    services.registrations.take(client_address(request))
    player = services.accounts.users.register(wanted["name"], wanted["password"])
    return jsonify(id=player.id, name=player.name), 201


@users.post("/tokens")
def log_in() -> tuple[Response, int]:
    """Return 201 `{"token"}`; 401 for a wrong name or password, 429 after too many failures from one address.

    Failures count for address and name together, so that guessing at a name doesn't lock out its owner elsewhere, and,
    with a higher limit, for the address alone, for guesses at many names. Successful logins don't count.
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
    """Return 204; the token of this request is invalid from now on."""
    require_player()
    current_services().accounts.tokens.revoke(bearer_token() or "")
    return "", 204
