"""The context of the current request: its services, its reader of games and its player."""

from typing import Any, cast

from flask import Flask, Request, current_app, g, request

from api.container import Services
from api.people.stored import roles
from api.people.stored.grants import MEANINGS, MODERATE, PLAY, scope_allows
from api.people.stored.tokens import TokenInfo
from api.people.stored.users import User
from api.web.auth import bearer_token, client_address, invalid_token
from api.web.cookies import cookie_token
from api.web.game_reader import GameReader
from api.web.problems import Problem

SERVICES_KEY = "trickbook"
READER_KEY = "trickbook.reader"
ENDPOINTS_OF_ANY_TOKEN = frozenset(
    ("users.log_out", "own_account.show", "inbox.list_entries", "variants.list_variants")
)
"""What a token that is for one game may do beside that game."""


def attach_services(app: Flask, services: Services) -> None:
    """Make `services` available to every request of `app`."""
    app.extensions[SERVICES_KEY] = services
    app.extensions[READER_KEY] = GameReader(services.games, services.views, services.accounts)


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


def current_reader() -> GameReader:
    """Return the reader of games for the current request."""
    game_reader: GameReader = current_application().extensions[READER_KEY]
    return game_reader


def current_player() -> User | None:
    """Return the player whose token the request carries, or None without one, as `current_token` does."""
    token = current_token()
    return None if token is None else token.player


def current_token() -> TokenInfo | None:
    """Return the token that the request carries, or None without one.

    401 for an invalid token; 429 for too many of them from one address.
    """
    known: Any = cast("Any", g)._get_current_object()
    if "token" not in known:
        known.token = _authenticate()
    token: TokenInfo | None = known.token
    return token


NEEDS_TOKEN = "This request needs a token. Send `Authorization: Bearer TOKEN`. POST /tokens returns a token."


def require_token() -> TokenInfo:
    """Return the token that the request carries, whatever its scope; 401 without one."""
    token = current_token()
    if token is None:
        raise Problem("unauthorized", NEEDS_TOKEN)
    return token


def require_player(scope: str = PLAY, *, game: str | None = None) -> User:
    """Return the player whose token the request carries, if its scope allows what `scope` names.

    A route for the moves or the chat of a game names the game (id or board number), so that tokens for this game alone
    are accepted. 401 without a token, 403 for one of another scope, or without the role that `moderate` needs.
    """
    token = require_token()
    if token.scope != scope and not scope_allows(token.scope, scope, _game_of(token, game)):
        raise Problem("token-scope", f"The scope of this token is {token.scope}: {MEANINGS[scope]}.")
    if scope == MODERATE and not current_services().accounts.roles.has_any(token.player.id, *roles.MODERATORS):
        raise Problem("forbidden", "Only moderators can do this.")
    return token.player


def _game_of(token: TokenInfo, reference: str | None) -> str | None:
    return None if reference is None or token.game is None else current_reader().resolve(reference)


def check_token_game() -> None:
    """Answer 403 if the request's token is for one game, and the request isn't about that game or about the token."""
    token, request = current_token(), current_request()
    if token is None or token.game is None or request.endpoint in (None, *ENDPOINTS_OF_ANY_TOKEN):
        return
    reference = (request.view_args or {}).get("reference")
    if not _names_game(reference, token.game):
        raise Problem("token-scope", f"This token is only for the game {token.game}.")


def _names_game(reference: str | None, game: str) -> bool:
    """Return whether an id or board number names this game. All others are the same, whether they exist or not."""
    if reference is None or len(reference) == len(game):
        return reference == game
    return current_services().accounts.boards.number_of(game) == int(reference)


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
        raise invalid_token(expired=current_services().accounts.tokens.has_expired(token))
    return found
