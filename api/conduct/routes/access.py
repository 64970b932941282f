"""Access of the current caller to the chat of a game, and to the routes of moderators.

A suspended or banned player may still ask for their own account, and appeal.
"""

import re
from collections.abc import Mapping
from typing import Any

from flask import Request

from api.conduct.services.chat import FORMING_SEAT, ChatPlace
from api.conduct.services.standing import require_standing
from api.people.stored.grants import MODERATE
from api.people.stored.users import User
from api.tables.routes.forming_tables import see_table
from api.web.context import current_request, current_services, require_player, require_token
from api.web.game_access import visible_game
from api.web.problems import Problem
from api.web.schemas import NAME
from api.web.strict_json import read_json
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


READS = ("GET", "HEAD", "OPTIONS")
OWN_ACCOUNT = re.compile("/api/v1/(me(/.*)?|tokens/current)")


def check_standing(request: Request, player: User | None) -> None:
    """Answer 403 `banned`, or 403 `suspended` unless the request only reads."""
    if player is None:
        return
    own = OWN_ACCOUNT.fullmatch(request.path) is not None
    require_standing(current_services().accounts.steps, player.id, reads=request.method in READS, own=own)
