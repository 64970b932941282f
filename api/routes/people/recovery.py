"""Recovery codes: a new password without the old one."""

from typing import Any

from flask import Blueprint, Response, jsonify, request

from api.accounts.people.grants import USUAL_GRANT, TokenGrant
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
    return token_response(token_by_recovery(RECOVERY.load(read_json(request)), USUAL_GRANT), USUAL_GRANT)


def token_by_recovery(wanted: dict[str, Any], grant: TokenGrant) -> str:
    """Return a new token for the owner of a recovery code, whose password is the new one from now on."""
    accounts = current_services().accounts
    new_hash = hash_new_password(
        "new_password", lambda: accounts.users.hash_password(wanted["new_password"], wanted["name"])
    )
    with guess_limit(wanted["name"], "recovery"):
        token = accounts.recovery_codes.recover(wanted["name"], wanted["code"], new_hash, grant)
    player = accounts.tokens.user_of(token)
    if player is not None:
        accounts.tokens.forget(player.id)
    return token


@recovery.post("/me/recovery-codes")
def renew() -> tuple[Response, int]:
    """Return 201 `{"recovery_codes"}`: eight new ones; the earlier ones are invalid from now on."""
    wanted, player = OWN_PASSWORD.load(read_json(request)), require_player()
    check_own_password(wanted["password"])
    return jsonify(recovery_codes=current_services().accounts.recovery_codes.renew(player.id)), 201
