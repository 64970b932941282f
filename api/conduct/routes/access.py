"""Access of the current caller to the routes of moderators, and to other players."""

from collections.abc import Mapping
from typing import Any

from api.conduct.services.writing import user_of_name
from api.people.services.figures import NO_PLAYER
from api.people.stored.token_scopes import MODERATE
from api.people.stored.users import User
from api.problem import Problem
from api.web.context import current_request, current_services, require_player, require_token
from api.web.strict_json import read_json


def require_moderator() -> User:
    """Return the calling moderator; 403 without the role, or for a token of another scope."""
    return require_player(MODERATE)


def moderator_and_body() -> tuple[User, Mapping[str, Any]]:
    """Return the calling moderator and the body; as elsewhere, 400 for a body without a form comes before 403."""
    require_token()
    body = read_json(current_request())
    return require_moderator(), body


def other_user(name: str, player: User) -> User:
    """Return another user by name; 404 for an unknown name, 409 for the player themselves."""
    user = user_of_name(current_services(), name)
    if user is None:
        raise Problem("not-found", NO_PLAYER)
    if user == player:
        raise Problem("about-yourself", "You can't block or report yourself.")
    return user
