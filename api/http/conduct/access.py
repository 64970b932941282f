"""Access of the current caller to the chat of a game, and to the routes of moderators."""

from collections.abc import Mapping
from typing import Any

from api.accounts.people.scopes import MODERATE
from api.accounts.users import User
from api.http.context import current_request, current_services, require_player, require_token
from api.http.game_access import visible_game
from api.http.problems import Problem
from api.http.schemas import NAME
from api.http.strict_json import read_json
from api.http.tables.forming_tables import see_table
from api.services.conduct.chat import FORMING_SEAT, ChatPlace
from domain.store import NoSuchGame

NO_PLAYER = "There is no player with this name."


def require_moderator() -> User:
    """Return the calling moderator; 403 without the role, or for a token of another scope."""
    return require_player(MODERATE)


def moderator_and_body() -> tuple[User, Mapping[str, Any]]:
    """Return the calling moderator and the body; as elsewhere, 400 for a body without a form comes before 403."""
    require_token()
    body = read_json(current_request())
    return require_moderator(), body


def chat_place(reference: str, player: User) -> ChatPlace:
    """Return the player's place in the chat of a game, or of a table that forms; 404 if they may see neither."""
    try:
        access = visible_game(reference)
    except NoSuchGame:
        table = see_table(reference, player.id)
        return ChatPlace(table.game, player.id, FORMING_SEAT if table.concerns(player.id) else None, None)
    seat = access.viewer if isinstance(access.viewer, int) else None
    return ChatPlace(access.game, player.id, seat, access.state, access.head)


def user_of_name(name: str) -> User | None:
    """Return the user with exactly this name; None also for a text that can't be a name."""
    return None if NAME.fullmatch(name) is None else current_services().accounts.users.by_name(name)


def other_user(name: str, player: User) -> User:
    """Return another user by name; 404 for an unknown name, 409 for the player themselves."""
    user = user_of_name(name)
    if user is None:
        raise Problem("not-found", NO_PLAYER)
    if user == player:
        raise Problem("about-yourself", "You can't block or report yourself.")
    return user
