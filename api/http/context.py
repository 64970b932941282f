"""The context of the current request: its services, its reader of games and its player."""

from flask import Flask, current_app, g

from api.accounts.users import User
from api.http.auth import bearer_token
from api.http.game_reader import GameReader
from api.http.problems import Problem
from api.services.container import Services

SERVICES_KEY = "trickbook"
READER_KEY = "trickbook.reader"


def attach_services(app: Flask, services: Services) -> None:
    """Make `services` available to every request of `app`."""
    app.extensions[SERVICES_KEY] = services
    app.extensions[READER_KEY] = GameReader(services.games, services.views, services.accounts)


def current_services() -> Services:
    """Return the services of the app that handles the current request."""
    services: Services = current_app.extensions[SERVICES_KEY]
    return services


def current_reader() -> GameReader:
    """Return the reader of games for the current request."""
    game_reader: GameReader = current_app.extensions[READER_KEY]
    return game_reader


def current_player() -> User | None:
    """Return the player whose token the request carries, or None without a token; 401 for an invalid one."""
    if "player" not in g:
        g.player = _authenticate()
    player: User | None = g.player
    return player


def require_player() -> User:
    """Return the player whose token the request carries; 401 without a token."""
    player = current_player()
    if player is None:
        raise Problem("unauthorized", "This request needs a token.")
    return player


def _authenticate() -> User | None:
    token = bearer_token()
    if token is None:
        return None
    player = current_services().accounts.tokens.user_of(token)
    if player is None:
        raise Problem("unauthorized", "The token is unknown or was revoked.")
    return player
