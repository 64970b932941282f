"""Users: register, log in and log out."""

import logging

from flask import Blueprint, Response, jsonify, request
from marshmallow import ValidationError

from api.accounts.password_strength import WeakPassword
from api.accounts.users import BadLogin
from api.http.auth import bearer_token, client_address
from api.http.context import current_services, require_player
from api.http.problems import Problem
from api.http.schemas import LOGIN, REGISTRATION
from api.http.strict_json import read_json
from api.services.logs import log_event

LOG = logging.getLogger("trickbook.logins")

users = Blueprint("users", __name__)


@users.post("/users")
def register() -> tuple[Response, int]:
    """Return 201 `{"id", "name"}`; 409 for a taken name, 403 if registration is closed, 429 for too many requests."""
    wanted = REGISTRATION.load(read_json(request))
    services = current_services()
    if services.config.registration == "closed":
        raise Problem("registration-closed", "This server doesn't accept new users.")
    services.registrations.take(client_address(request))
    try:
        player = services.accounts.users.register(wanted["name"], wanted["password"])
    except WeakPassword as error:
        raise ValidationError({"password": [str(error)]}) from None
    return jsonify(id=player.id, name=player.name), 201


@users.post("/tokens")
def log_in() -> tuple[Response, int]:
    """Return 201 `{"token"}`; 401 for a wrong name or password, 429 for too many failures from one address.

    Failures count for address and name together, so that guesses at a name don't lock out its owner elsewhere. With a
    higher limit they count for the address alone, for guesses at many names. Successful log-ins don't count.
    """
    wanted = LOGIN.load(read_json(request))
    services, address = current_services(), client_address(request)
    pair = f"{address} {wanted['name']}"
    services.guesses_by_address.check(address)
    services.guesses.begin(pair)
    try:
        token = services.accounts.login(wanted["name"], wanted["password"])
    except BadLogin:
        services.guesses.fail(pair)
        services.guesses_by_address.charge(address)
        _log_attempt("log-in-failed", wanted["name"], address)
        raise
    services.guesses.succeed(pair)
    _log_attempt("log-in", wanted["name"], address)
    return jsonify(token=token), 201


def _log_attempt(event: str, name: str, address: str) -> None:
    """Log the id of the user with this name, but not the name: some people type their password there."""
    user = current_services().accounts.users.by_name(name)
    log_event(LOG, event, player=None if user is None else user.id, address=address)


@users.delete("/tokens/current")
def log_out() -> tuple[str, int]:
    """Return 204; the token of this request is invalid from now on."""
    require_player()
    current_services().accounts.tokens.revoke(bearer_token(request) or "")
    return "", 204
