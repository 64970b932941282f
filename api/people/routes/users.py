"""Users: register, or play as a guest and take a name later; log in and log out."""

from typing import TypedDict

from flask import Response, jsonify, request

from api.people.services import own_account, own_tokens
from api.people.services.own_account import IssuedToken, NewUser
from api.people.services.schemas import NEW_TOKEN, NO_FIELDS
from api.people.stored.tokens import USUAL_GRANT, TokenGrant
from api.schemas import REGISTRATION
from api.web.context import (
    client_address,
    current_caller,
    current_services,
    delete_cookie,
    sent_token,
    set_cookie,
    uses_cookie,
)
from api.web.request_input import read_json, sent_body
from api.web.responses import JSON
from api.web.route import Content, RouteAnswer, TaggedBlueprint, route
from domain.json_fields import PlayerId

NAMED = {"name": "ann", "password": "correct-horse"}
NEW_PASSWORD = "violet-otter-lantern"
SIGNED_UP = RouteAnswer(201, "OK", (Content(JSON, NewUser),))
TOKEN_MADE = RouteAnswer(201, "OK", (Content(JSON, IssuedToken),))

users = TaggedBlueprint("users", __name__, "people")


@users.post("/users")
@route(
    "register",
    answer=SIGNED_UP,
    body=REGISTRATION,
    example=NAMED,
    problems=("name-taken", "registration-closed"),
    lane="login",
)
def register() -> tuple[Response, int]:
    """Return 201 `{"id", "name", "recovery_codes"}`; 409 for a taken name, 403 if registration is closed, or 429."""
    return jsonify(own_account.register(current_services(), client_address(request), sent_body())), 201


@users.post("/tokens")
@route(
    "log in",
    answer=TOKEN_MADE,
    body=NEW_TOKEN,
    example=NAMED | {"label": "my bot", "scope": "play", "days": 30},
    problems=("bad-login", "user-leaving", "forbidden"),
    lane="login",
    leads_to={"own_tokens.end_token": {"token": "$response.body#/id"}},
)
def log_in() -> tuple[Response, int]:
    """Return 201 `{"token", "id", "label", "scope", "days"}`; 401 for a wrong name or password, 429 after too many.

    403 for the scope `moderate` without the role.
    """
    wanted = NEW_TOKEN.load(read_json(request))
    grant = TokenGrant(wanted["label"], wanted["scope"], wanted["days"])
    return token_response(own_tokens.log_in(current_services(), client_address(request), wanted, grant), grant)


def token_response(token: str, grant: TokenGrant, status: int = 201) -> tuple[Response, int]:
    """Return the response with a new token, which is shown only once."""
    issued: IssuedToken = {**own_account.describe_token(token, grant), "token": token}
    return jsonify(issued), status


def renewed_token_response(token: str, grant: TokenGrant) -> Response:
    """Return the response with a token that replaces the request's: in the cookie, if that one was in a cookie."""
    if not uses_cookie():
        return token_response(token, grant)[0]
    response = jsonify(own_account.describe_token(token, grant))
    set_cookie(response, request, token, insecure_lan=current_services().config.insecure_lan)
    return response


@users.delete("/tokens/current")
@route("log out", says="The token is invalid from now on.", token="needed")
def log_out() -> Response:
    """Return 204; the token of this request, whatever its scope, is invalid from now on."""
    own_tokens.log_out(current_services(), current_caller(), sent_token() or "")
    response = Response(status=204)
    if uses_cookie():
        delete_cookie(response, request)
    return response


guests = TaggedBlueprint("guests", __name__, "people")


class NewGuest(TypedDict):
    """A new guest, with a token."""

    id: PlayerId
    name: str
    token: str


@guests.post("/guests")
@route("play without registering", answer=NewGuest, status=201, body=NO_FIELDS, example={}, problems=("guests-closed",))
def create() -> tuple[Response, int]:
    """Return 201 `{"id", "name", "token"}`; 403 if the server accepts no guests, 429 for too many from one address."""
    NO_FIELDS.load(read_json(request))
    guest, token = own_tokens.new_guest(current_services(), client_address(request), USUAL_GRANT)
    made: NewGuest = {"id": guest.id, "name": guest.name, "token": token}
    return jsonify(made), 201


@guests.post("/me/account")
@route(
    "take a name and a password, as a guest",
    answer=SIGNED_UP,
    token="needed",
    body=REGISTRATION,
    example=NAMED,
    problems=("name-taken", "not-a-guest", "registration-closed"),
    lane="login",
)
def take_name() -> tuple[Response, int]:
    """Return 201 `{"id", "name", "recovery_codes"}`: the guest is a user now, with the same id, games and tokens.

    409 for a taken name and for a user who isn't a guest; 403 if registration is closed.
    """
    return jsonify(own_account.take_name(current_services(), current_caller(), sent_body())), 201
