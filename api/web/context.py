"""The context of the current request: its services and its caller."""

import re
from dataclasses import replace
from typing import Any, cast

from flask import Flask, Request, current_app, g, request

from api.caller import Caller, admit, take_heavy_budget
from api.container import Services
from api.people.stored.tokens import TokenInfo
from api.people.stored.users import User
from api.web.auth import bearer_token, client_address, invalid_token
from api.web.cookies import READS, cookie_token

SERVICES_KEY = "trickbook"
ENDPOINTS_OF_ANY_TOKEN = frozenset(
    ("users.log_out", "own_account.show", "inbox.list_entries", "variants.list_variants")
)
"""The requests beside that game that a token for one game may send."""
OWN_ACCOUNT = re.compile("/api/v1/(me(/.*)?|tokens/current)")
"""The addresses that a suspended or banned player may still use: their account, to appeal too."""


def attach_services(app: Flask, services: Services) -> None:
    """Make `services` available to every request of `app`."""
    app.extensions[SERVICES_KEY] = services


def current_request() -> Request:
    """Return the request itself: `flask.request` looks for it at every access."""
    found: Request = cast("Any", request)._get_current_object()
    return found


def current_application() -> Flask:
    """Return the app that handles the current request."""
    found: Flask = cast("Any", current_app)._get_current_object()
    return found


def current_services() -> Services:
    """Return the services of the app that handles the current request."""
    services: Services = current_application().extensions[SERVICES_KEY]
    return services


def current_caller() -> Caller:
    """Return the caller of the current request, whose token is looked up the first time.

    Raise Problem for an invalid token, LimitReached for too many of them from one address.
    """
    known: Any = cast("Any", g)._get_current_object()
    if "caller" not in known:
        known.caller = Caller(client_address(current_request()), _authenticate())
    caller: Caller = known.caller
    return caller


def current_player() -> User | None:
    """Return the player whose token the request carries, or None without one, as `current_caller` does."""
    return current_caller().player


def take_passes(passes: float) -> None:
    """Let the current request count as heavy. Raise LimitReached beyond the caller's budget."""
    caller = current_caller()
    take_heavy_budget(current_services(), caller)
    g.caller = replace(caller, passes=passes)


def admit_request() -> None:
    """Answer 403 for a token of another game, for a banned player, and for a suspended one who doesn't only read."""
    caller, request = current_caller(), current_request()
    reference = (request.view_args or {}).get("reference")
    if caller.token is not None and request.endpoint in (None, *ENDPOINTS_OF_ANY_TOKEN):
        reference = caller.token.game
    own = OWN_ACCOUNT.fullmatch(request.path) is not None
    admit(current_services(), caller, reference, reads=request.method in READS, own=own)


def sent_token() -> str | None:
    """Return the text of the token that the request carries, valid or not: that of Authorization, or of the cookie."""
    request = current_request()
    token = bearer_token(request)
    return cookie_token(request, insecure_lan=current_services().config.insecure_lan) if token is None else token


def uses_cookie() -> bool:
    """Return whether the request's token is that of a cookie."""
    return "HTTP_AUTHORIZATION" not in current_request().environ and sent_token() is not None


def _authenticate() -> TokenInfo | None:
    request, token = current_request(), sent_token()
    if token is None:
        return None
    services = current_services()
    found = services.accounts.tokens.find(token)
    if found is None:
        services.unknown_tokens.take(client_address(request))  # after the look-up: a valid token works all the same
        raise invalid_token(expired=services.accounts.tokens.has_expired(token))
    return found
