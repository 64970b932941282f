"""One's own tokens; the password, whose change ends all others; and recovery codes for a password that is lost."""

from typing import Annotated, Any, TypedDict

from flask import Response, jsonify, request

from api.budgets import check_own_password, guess_limit, hash_new_password
from api.people.routes.users import NAMED, NEW_PASSWORD, TOKEN_MADE, renewed_token_response, token_response
from api.people.services import own_account
from api.people.services.own_account import RenewedToken
from api.people.services.schemas import OWN_PASSWORD, PASSWORD_CHANGE, RECOVERY
from api.people.stored.sessions import StoredToken
from api.people.stored.token_scopes import USUAL_GRANT, TokenGrant
from api.problem import Problem
from api.web.auth import client_address
from api.web.context import current_caller, current_services, require_player, require_token
from api.web.preconditions import read_body
from api.web.problem_groups import PASSWORD
from api.web.route import TaggedBlueprint, route
from api.web.strict_json import read_json
from domain.json_fields import says

own_tokens = TaggedBlueprint("own_tokens", __name__, "people")


class OwnToken(StoredToken):
    """A token of the caller."""

    current: Annotated[bool, says("Whether it's the token of the request.")]


class TokenList(TypedDict):
    """The caller's valid tokens, the newest first."""

    items: list[OwnToken]


class EndedTokens(TypedDict):
    """How many tokens ended."""

    ended: int


@own_tokens.get("/me/tokens")
@route("list your tokens", answer=TokenList, token="needed")
def list_own() -> Response:
    """Return 200 `{"items"}`: the caller's valid tokens, the newest first; `current` marks the one of this request."""
    player, current = require_player(), require_token()
    found = current_services().accounts.sessions.valid(player.id)
    body: TokenList = {"items": [{**token.to_json(), "current": token.id == current.id} for token in found]}
    return jsonify(body)


@own_tokens.delete("/me/tokens/<token>")
@route("end one of them", says="The token is invalid from now on.", token="needed", problems=("not-found",))
def end_token(token: str) -> tuple[str, int]:
    """Return 204; the caller's token with this id is invalid from now on. 404 if there is no such token."""
    if not current_services().accounts.sessions.end(require_player().id, token):
        raise Problem("not-found", "You have no valid token with this id. GET /me/tokens lists the ids.")
    return "", 204


@own_tokens.delete("/me/tokens")
@route("end all but this one", answer=EndedTokens, token="needed")
def end_others() -> tuple[Response, int]:
    """Return 200 `{"ended"}`: all tokens of the caller but this one are invalid from now on."""
    player, current = require_player(), require_token()
    body: EndedTokens = {"ended": current_services().accounts.sessions.end_others(player.id, current.id)}
    return jsonify(body), 200


@own_tokens.post("/me/password")
@route(
    "change your password",
    answer=RenewedToken,
    says="All your other tokens are invalid from now on.",
    token="needed",
    body=PASSWORD_CHANGE,
    example={"password": NAMED["password"], "new_password": NEW_PASSWORD},
    problems=PASSWORD,
    lane="login",
)
def change_password() -> Response:
    """Return 200 and a new token; all others of the caller, the one of this request too, are invalid from now on.

    401 for a wrong password, 409 for a guest.
    """
    return renewed_token_response(*own_account.change_password(current_services(), current_caller(), read_body))


recovery = TaggedBlueprint("recovery", __name__, "people")


class NewRecoveryCodes(TypedDict):
    """New recovery codes; the earlier ones are invalid."""

    recovery_codes: list[str]


@recovery.post("/tokens/recovery")
@route(
    "choose a new password with a recovery code",
    answer=TOKEN_MADE,
    body=RECOVERY,
    example={"name": "ann", "code": "abcd-efgh-jkmn-pqrs", "new_password": NEW_PASSWORD},
    problems=("bad-login", "user-leaving"),
    lane="login",
)
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
    with guess_limit(current_services(), client_address(request), wanted["name"], "recovery"):
        token = accounts.recovery_codes.recover(wanted["name"], wanted["code"], new_hash, grant)
    player = accounts.tokens.user_of(token)
    if player is not None:
        accounts.tokens.forget(player.id)
    return token


@recovery.post("/me/recovery-codes")
@route(
    "get new recovery codes",
    answer=NewRecoveryCodes,
    status=201,
    token="needed",
    body=OWN_PASSWORD,
    example={"password": NAMED["password"]},
    problems=PASSWORD,
    lane="login",
)
def renew() -> tuple[Response, int]:
    """Return 201 `{"recovery_codes"}`: eight new ones; the earlier ones are invalid from now on."""
    wanted, player = OWN_PASSWORD.load(read_json(request)), require_player()
    check_own_password(current_services(), current_caller(), wanted["password"])
    body: NewRecoveryCodes = {"recovery_codes": current_services().accounts.recovery_codes.renew(player.id)}
    return jsonify(body), 201
