"""Deleting one's own account, and coming back within a day."""

from flask import Blueprint, Response, jsonify, request

from api.accounts.clock.times import iso_time
from api.accounts.people.grants import USUAL_GRANT
from api.http.context import current_services, require_player, require_token
from api.http.people.guesses import check_own_password, guess_limit
from api.http.people.schemas import LEAVE, NAME_AND_PASSWORD
from api.http.problems import Problem
from api.http.strict_json import read_json
from api.routes.users import token_response

leaving = Blueprint("leaving", __name__)


@leaving.delete("/me")
def leave() -> tuple[Response, int]:
    """Return 202 `{"deleted_at"}`: tokens and log-ins are refused from now on, and in a day the account is deleted.

    401 for a wrong password. A guest has none, and sends `{}`.
    """
    password, player, accounts = (
        LEAVE.load(read_json(request))["password"],
        require_player(),
        current_services().accounts,
    )
    if password is not None:
        check_own_password(password)
    elif not require_token().guest:
        raise Problem("malformed", "Send your password: without it, the account isn't deleted.")
    at = accounts.leaving.leave(player.id)
    accounts.tokens.forget(player.id)
    return jsonify(deleted_at=iso_time(at)), 202


@leaving.post("/me/restore")
def come_back() -> tuple[Response, int]:
    """Return 201 and a new token: the account isn't deleted. 401 for a wrong name or password."""
    wanted, accounts = NAME_AND_PASSWORD.load(read_json(request)), current_services().accounts
    with guess_limit(wanted["name"], "restore"):
        player, stored, _ = accounts.users.check_password(wanted["name"], wanted["password"])
        token = accounts.leaving.come_back(player, stored, USUAL_GRANT)
    return token_response(token, USUAL_GRANT)
