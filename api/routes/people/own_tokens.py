"""One's own tokens: list and end them, and change the password, which ends all others."""

from flask import Blueprint, Response, jsonify, request

from api.accounts.people.grants import TokenGrant
from api.http.context import current_services, require_player, require_token
from api.http.people.guesses import check_own_password, hash_new_password
from api.http.people.schemas import PASSWORD_CHANGE
from api.http.problems import Problem
from api.http.strict_json import read_json
from api.routes.users import renewed_token_response

own_tokens = Blueprint("own_tokens", __name__)


@own_tokens.get("/me/tokens")
def list_own() -> Response:
    """Return 200 `{"items"}`: the caller's valid tokens, the newest first; `current` marks the one of this request."""
    player, current = require_player(), require_token()
    found = current_services().accounts.sessions.valid(player.id)
    return jsonify(items=[token.to_json() | {"current": token.id == current.id} for token in found])


@own_tokens.delete("/me/tokens/<token>")
def end_token(token: str) -> tuple[str, int]:
    """Return 204; the caller's token with this id is invalid from now on. 404 if there is no such token."""
    if not current_services().accounts.sessions.end(require_player().id, token):
        raise Problem("not-found", "You have no valid token with this id. GET /me/tokens lists the ids.")
    return "", 204


@own_tokens.delete("/me/tokens")
def end_others() -> tuple[Response, int]:
    """Return 200 `{"ended"}`: all tokens of the caller but this one are invalid from now on."""
    player, current = require_player(), require_token()
    return jsonify(ended=current_services().accounts.sessions.end_others(player.id, current.id)), 200


@own_tokens.post("/me/password")
def change_password() -> Response:
    """Return 200 and a new token; all others of the caller, the one of this request too, are invalid from now on.

    401 for a wrong password, 409 for a guest.
    """
    wanted, accounts = PASSWORD_CHANGE.load(read_json(request)), current_services().accounts
    player, old_hash = require_player(), check_own_password(wanted["password"])
    new_hash = hash_new_password(
        "new_password", lambda: accounts.users.hash_password(wanted["new_password"], player.name)
    )
    grant = TokenGrant(require_token().label)
    return renewed_token_response(accounts.sessions.change_password(player.id, old_hash, new_hash, grant), grant)
