"""Recovery codes: a new password without the old one."""

from flask import Blueprint, Response, jsonify, request

from api.accounts.people.grants import USUAL_GRANT
from api.http.context import current_services, require_player
from api.http.people.guesses import check_own_password, guess_limit, hash_new_password
from api.http.people.schemas import OWN_PASSWORD, RECOVERY
from api.http.strict_json import read_json
from api.routes.users import token_response

recovery = Blueprint("recovery", __name__)


@recovery.post("/tokens/recovery")
def recover() -> tuple[Response, int]:
    """Return 201 and a new token: the code is used up, the password is the new one, and all other tokens are invalid.

    401 for a wrong name or code; wrong codes count as wrong passwords do.
    """
    wanted, accounts = RECOVERY.load(read_json(request)), current_services().accounts
    new_hash = hash_new_password(
        "new_password", lambda: accounts.users.hash_password(wanted["new_password"], wanted["name"])
    )
    with guess_limit(wanted["name"], "recovery"):
        token = accounts.recovery_codes.recover(wanted["name"], wanted["code"], new_hash)
    player = accounts.tokens.user_of(token)
    if player is not None:
        accounts.tokens.forget(player.id)
    return token_response(token, USUAL_GRANT)


@recovery.post("/me/recovery-codes")
def renew() -> tuple[Response, int]:
    """Return 201 `{"recovery_codes"}`: eight new ones; the earlier ones are invalid from now on."""
    wanted, player = OWN_PASSWORD.load(read_json(request)), require_player()
    check_own_password(wanted["password"])
    return jsonify(recovery_codes=current_services().accounts.recovery_codes.renew(player.id)), 201
