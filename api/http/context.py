"""The request that is being answered: its services, its reader of games, and its player."""

from flask import Flask, current_app, g

from api.accounts.users import User
from api.http.auth import bearer_token
from api.http.game_reader import GameReader
from api.http.problems import Problem
from api.services.container import Services

SERVICES_KEY = "trickbook"
READER_KEY = "trickbook.reader"


def attach_services(app: Flask, opened: Services) -> None:
    """Let every request of `app` find these services."""
    app.extensions[SERVICES_KEY] = opened
    app.extensions[READER_KEY] = GameReader(opened.games, opened.views, opened.accounts)


def current_services() -> Services:
    """Those of the app that answers the present request."""
    found: Services = current_app.extensions[SERVICES_KEY]
    return found


def reader() -> GameReader:
    """Reads of games for the viewer of the present request."""
    found: GameReader = current_app.extensions[READER_KEY]
    return found


def current_player() -> User | None:
    """Who asks; None without a token. A token that is not (or no longer) good is 401."""
    if "player" not in g:
        g.player = _asking()
    player: User | None = g.player
    return player


def require_player() -> User:
    """Who asks; 401 without a token."""
    player = current_player()
    if player is None:
        raise Problem("unauthorized", "this needs a token")
    return player


def _asking() -> User | None:
    token = bearer_token()
    if token is None:
        return None
    player = current_services().accounts.tokens.user_of(token)
    if player is None:
        raise Problem("unauthorized", "the token is unknown or was revoked")
    return player
