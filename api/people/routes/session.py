"""The session of a browser: the token is in a cookie that no script can read. Programs use tokens instead."""

from typing import Annotated, TypedDict

from flask import Response, jsonify, request

from api.people.routes.users import NAMED, NEW_PASSWORD
from api.people.services import own_tokens
from api.people.services.schemas import NAME_AND_PASSWORD, NO_FIELDS, RECOVERY
from api.people.stored.tokens import TokenGrant, TokenInfo
from api.people.stored.users import UserDisabled
from api.problem import Problem
from api.web.context import (
    Safety,
    address_safety,
    client_address,
    current_services,
    delete_cookie,
    has_cookie,
    require_safe_address,
    sent_token,
    set_cookie,
)
from api.web.request_input import read_json
from api.web.responses import JSON
from api.web.route import Content, RouteAnswer, TaggedBlueprint, route
from domain.json_fields import PlayerId, says


class SessionPlayer(TypedDict):
    """The player of a session."""

    id: PlayerId
    name: str
    guest: bool


class BegunSession(TypedDict):
    """A session that has begun."""

    player: SessionPlayer


SIGNED_IN = RouteAnswer(201, "The cookie holds a token.", (Content(JSON, BegunSession),), ("Set-Cookie",))
SIGN_IN = ("insecure-address", "unauthorized", "user-disabled", "too-many-requests")

session = TaggedBlueprint("session", __name__, "pages")

BROWSER = TokenGrant(label="browser")


class Session(TypedDict):
    """The session of a browser, and what the server offers to begin one."""

    player: Annotated[SessionPlayer | None, says("Null without a session.")]
    address: Annotated[Safety, says("Whether and why a cookie is safe here.")]
    guests: Annotated[bool, says("Whether the server accepts guests.")]
    registration: Annotated[bool, says("Whether the server accepts new users.")]
    mail: Annotated[bool, says("Whether the server sends mail.")]


@session.get("/session")
@route("the session of a browser", answer=Session, token="none")
def show() -> Response:
    """Return 200 `{"player", "address", "guests", "registration", "mail"}`; `player` is null without a session."""
    token, config = _valid_token(), current_services().config
    body: Session = {
        "player": None if token is None else _player(token),
        "address": address_safety(request, insecure_lan=config.insecure_lan),
        "guests": config.registration == "open",
        "registration": config.registration != "closed",
        "mail": config.smtp_url is not None,
    }
    response = jsonify(body)
    if token is None and has_cookie(request):
        delete_cookie(response, request)
    return response


@session.post("/session")
@route(
    "begin a session with name and password",
    answer=SIGNED_IN,
    token="none",
    body=NAME_AND_PASSWORD,
    example=NAMED,
    problems=(*SIGN_IN, "bad-login", "user-leaving"),
    lane="login",
)
def log_in() -> tuple[Response, int]:
    """Return 201 and a cookie; 401 for a wrong name or password, 429 after too many."""
    wanted = NAME_AND_PASSWORD.load(read_json(request))
    _check_address()
    return _begin(own_tokens.log_in(current_services(), client_address(request), wanted, BROWSER))


@session.post("/session/guest")
@route(
    "begin a session as a guest",
    answer=SIGNED_IN,
    token="none",
    body=NO_FIELDS,
    example={},
    problems=(*SIGN_IN, "guests-closed"),
)
def begin_as_guest() -> tuple[Response, int]:
    """Return 201 and a cookie of a new guest; 403 if the server accepts no guests, 429 for too many."""
    NO_FIELDS.load(read_json(request))
    _check_address()
    return _begin(own_tokens.new_guest(current_services(), client_address(request), BROWSER)[1])


@session.post("/session/recovery")
@route(
    "begin a session with a recovery code",
    answer=SIGNED_IN,
    token="none",
    body=RECOVERY,
    example={"name": "ann", "code": "abcd-efgh-jkmn-pqrs", "new_password": NEW_PASSWORD},
    problems=(*SIGN_IN, "bad-login", "user-leaving"),
    lane="login",
)
def recover() -> tuple[Response, int]:
    """Return 201 and a cookie: as `POST /tokens/recovery`, for a browser."""
    wanted = RECOVERY.load(read_json(request))
    _check_address()
    return _begin(own_tokens.recover(current_services(), client_address(request), wanted, BROWSER))


@session.post("/session/restore")
@route(
    "begin a session with an account that was being deleted",
    answer=SIGNED_IN,
    token="none",
    body=NAME_AND_PASSWORD,
    example=NAMED,
    problems=(*SIGN_IN, "bad-login"),
    lane="login",
)
def restore() -> tuple[Response, int]:
    """Return 201 and a cookie: the account isn't deleted. As `POST /me/restore`, for a browser."""
    wanted = NAME_AND_PASSWORD.load(read_json(request))
    _check_address()
    return _begin(own_tokens.come_back(current_services(), client_address(request), wanted, BROWSER))


@session.delete("/session")
@route("end it", says="The browser forgets the token, which is invalid.", token="none")
def log_out() -> Response:
    """Return 204; the token of the cookie is invalid from now on, and the browser forgets it."""
    _end_previous()
    response = Response(status=204)
    delete_cookie(response, request)
    return response


def _begin(token: str) -> tuple[Response, int]:
    """Return the response that begins a session, and end the one that the browser had."""
    services = current_services()
    _end_previous()
    info = services.accounts.tokens.find(token)
    if info is None:
        raise Problem("unauthorized", "The session was ended meanwhile. Log in again.")
    body: BegunSession = {"player": _player(info)}
    response = jsonify(body)
    set_cookie(response, request, token, insecure_lan=services.config.insecure_lan)
    return response, 201


def _check_address() -> None:
    require_safe_address(request, insecure_lan=current_services().config.insecure_lan)


def _end_previous() -> None:
    token = _sent()
    if token is not None:
        current_services().accounts.tokens.revoke(token)


def _valid_token() -> TokenInfo | None:
    token = _sent()
    try:
        return None if token is None else current_services().accounts.tokens.find(token)
    except UserDisabled:
        return None


def _sent() -> str | None:
    """Return the token that the request carries, or None, also for a cookie or a header that isn't valid."""
    try:
        return sent_token()
    except Problem:
        return None


def _player(token: TokenInfo) -> SessionPlayer:
    return {"id": token.player.id, "name": token.player.name, "guest": token.guest}
