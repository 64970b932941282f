"""Users: register, log in and log out."""

from flask import Blueprint, Response, jsonify, request

from api.accounts import roles
from api.accounts.people.grants import TokenGrant, token_sha256
from api.accounts.people.scopes import MODERATE
from api.accounts.people.sessions import TOKEN_ID_LENGTH
from api.http.auth import bearer_token, client_address
from api.http.context import current_services, require_token
from api.http.people.guesses import guess_limit, hash_new_password
from api.http.people.schemas import NEW_TOKEN
from api.http.problems import Problem
from api.http.schemas import REGISTRATION
from api.http.strict_json import read_json

users = Blueprint("users", __name__)


@users.post("/users")
def register() -> tuple[Response, int]:
    """Return 201 `{"id", "name", "recovery_codes"}`; 409 for a taken name, 403 if registration is closed, or 429."""
    wanted = REGISTRATION.load(read_json(request))
    services = current_services()
    if services.config.registration == "closed":
        raise Problem("registration-closed", "This server doesn't accept new users.")
    services.registrations.take(client_address(request))
    accounts = services.accounts
    player = hash_new_password("password", lambda: accounts.users.register(wanted["name"], wanted["password"]))
    return jsonify(id=player.id, name=player.name, recovery_codes=accounts.recovery_codes.renew(player.id)), 201


@users.post("/tokens")
def log_in() -> tuple[Response, int]:
    """Return 201 `{"token", "id", "label", "scope", "days"}`; 401 for a wrong name or password, 429 after too many.

    403 for the scope `moderate` without the role.
    """
    wanted = NEW_TOKEN.load(read_json(request))
    accounts, grant = current_services().accounts, TokenGrant(wanted["label"], wanted["scope"], wanted["days"])
    with guess_limit(wanted["name"], "log-in"):
        player, stored = accounts.users.authenticate(wanted["name"], wanted["password"])
    if grant.scope == MODERATE and not accounts.roles.has_any(player, *roles.MODERATORS):
        raise Problem("forbidden", "Only moderators can have a token with the scope moderate.")
    return token_response(accounts.tokens.issue(player, stored, grant), grant)


def token_response(token: str, grant: TokenGrant, status: int = 201, **more: object) -> tuple[Response, int]:
    """Return the response with a new token, which is shown only once."""
    short = token_sha256(token)[:TOKEN_ID_LENGTH]
    return jsonify(token=token, id=short, label=grant.label, scope=grant.scope, days=grant.days, **more), status


@users.delete("/tokens/current")
def log_out() -> tuple[str, int]:
    """Return 204; the token of this request, whatever its scope, is invalid from now on."""
    require_token()
    current_services().accounts.tokens.revoke(bearer_token(request) or "")
    return "", 204
