"""The context of the current request: its services, its reader of games and its player."""

from typing import Any, cast

from flask import Flask, Request, current_app, g, request

from api.accounts.users import User
from api.http.auth import bearer_token, client_address, invalid_token
from api.http.game_reader import GameReader
from api.http.problems import Problem
from api.services.container import Services

SERVICES_KEY = "trickbook"
READER_KEY = "trickbook.reader"


def attach_services(app: Flask, services: Services) -> None:
    """Make `services` available to every request of `app`."""
    app.extensions[SERVICES_KEY] = services
    app.extensions[READER_KEY] = GameReader(services.games, services.views, services.accounts)


def current_request() -> Request:
    """Return the request itself: `flask.request` looks for it at every access."""
    found: Request = cast("Any", request)._get_current_object()
    return found


def _current_app() -> Flask:
    found: Flask = cast("Any", current_app)._get_current_object()
    return found


def current_services() -> Services:
    """Return the services of the app that handles the current request."""
    services: Services = _current_app().extensions[SERVICES_KEY]
    return services


def current_reader() -> GameReader:
    """Return the reader of games for the current request."""
    game_reader: GameReader = _current_app().extensions[READER_KEY]
    return game_reader


def current_player() -> User | None:
    """Return the player whose token the request carries, or None without one.

    401 for an invalid token; 429 for too many of them from one address.
    """
    known: Any = cast("Any", g)._get_current_object()
    if "player" not in known:
        known.player = _authenticate()
    player: User | None = known.player
    return player


def require_player() -> User:
    """Return the player whose token the request carries; 401 without a token."""
    player = current_player()
    if player is None:
        raise Problem("unauthorized", "This request needs a token.")
    return player


def _authenticate() -> User | None:
    request = current_request()
    token = bearer_token(request)
    if token is None:
        return None
    services = current_services()
    player = services.accounts.tokens.user_of(token)
    if player is None:
        services.unknown_tokens.take(client_address(request))  # after the look-up: a valid token works all the same
        raise invalid_token()
    return player
