"""One's own tokens; the password, whose change ends all others; and recovery codes for a password that is lost."""

from flask import Response, jsonify, request

from api.people.routes.users import NAMED, NEW_PASSWORD, TOKEN_MADE, renewed_token_response, token_response
from api.people.services import own_account
from api.people.services import own_tokens as tokens
from api.people.services.own_account import RenewedToken
from api.people.services.own_tokens import EndedTokens, NewRecoveryCodes, TokenList
from api.people.services.schemas import OWN_PASSWORD, PASSWORD_CHANGE, RECOVERY
from api.people.stored.tokens import USUAL_GRANT
from api.web.context import client_address, current_caller, current_services
from api.web.problems import PASSWORD
from api.web.request_input import read_json, sent_body
from api.web.route import TaggedBlueprint, route

own_tokens = TaggedBlueprint("own_tokens", __name__, "people")


@own_tokens.get("/me/tokens")
@route("list your tokens", answer=TokenList, token="needed")
def list_own() -> Response:
    """Return 200 `{"items"}`: the caller's valid tokens, the newest first; `current` marks the one of this request."""
    return jsonify(tokens.list_tokens(current_services(), current_caller()))


@own_tokens.delete("/me/tokens/<token>")
@route("end one of them", says="The token is invalid from now on.", token="needed", problems=("not-found",))
def end_token(token: str) -> tuple[str, int]:
    """Return 204; the caller's token with this id is invalid from now on. 404 if there is no such token."""
    tokens.end_token(current_services(), current_caller(), token)
    return "", 204


@own_tokens.delete("/me/tokens")
@route("end all but this one", answer=EndedTokens, token="needed")
def end_others() -> tuple[Response, int]:
    """Return 200 `{"ended"}`: all tokens of the caller but this one are invalid from now on."""
    return jsonify(tokens.end_other_tokens(current_services(), current_caller())), 200


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
    return renewed_token_response(*own_account.change_password(current_services(), current_caller(), sent_body()))


recovery = TaggedBlueprint("recovery", __name__, "people")


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
    wanted = RECOVERY.load(read_json(request))
    return token_response(tokens.recover(current_services(), client_address(request), wanted, USUAL_GRANT), USUAL_GRANT)


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
    return jsonify(tokens.renew_recovery_codes(current_services(), current_caller(), sent_body())), 201
