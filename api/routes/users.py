"""Users: register, log in and log out."""

from flask import Blueprint, Response, jsonify, request

from api.accounts import roles
from api.accounts.people.grants import TokenGrant, token_sha256
from api.accounts.people.scopes import MODERATE
from api.accounts.people.sessions import TOKEN_ID_LENGTH
from api.http.auth import client_address
from api.http.context import current_services, require_token, sent_token, uses_cookie
from api.http.pages.cookies import delete_cookie, set_cookie
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


def token_response(token: str, grant: TokenGrant, status: int = 201) -> tuple[Response, int]:
    """Return the response with a new token, which is shown only once."""
    return jsonify(token=token, **_described(token, grant)), status


def renewed_token_response(token: str, grant: TokenGrant) -> Response:
    """Return the response with a token that replaces the request's: in the cookie, if that one was in a cookie."""
    if not uses_cookie():
        return token_response(token, grant)[0]
    response = jsonify(_described(token, grant))
    set_cookie(response, request, token, insecure_lan=current_services().config.insecure_lan)
    return response


def _described(token: str, grant: TokenGrant) -> dict[str, object]:
    short = token_sha256(token)[:TOKEN_ID_LENGTH]
    return {"id": short, "label": grant.label, "scope": grant.scope, "days": grant.days}


@users.delete("/tokens/current")
def log_out() -> Response:
    """Return 204; the token of this request, whatever its scope, is invalid from now on."""
    require_token()
    current_services().accounts.tokens.revoke(sent_token() or "")
    response = Response(status=204)
    if uses_cookie():
        delete_cookie(response, request)
    return response
