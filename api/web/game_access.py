"""The access of the current caller to a game: every route that shows anything of a game begins here."""

from api.people.stored.users import User
from api.play.services.gate import GameAccess
from api.web.budgets import charge_for_game
from api.web.context import current_player, current_reader, current_services
from api.web.problems import Problem
from domain.rejections import NotSeated

__all__ = ["GameAccess", "game_access", "require_own_seat", "require_present_seat", "require_seat", "visible_game"]

NOTHING_YET = "Spectators see this game late, and nothing of it can be seen yet. Try again later."


def game_access(reference: str) -> GameAccess:
    """Return the caller's access to the game; 404 if it doesn't exist, for all that the caller may know.

    Nothing of the game can be seen yet if its `head` is 0. A heavy request is charged here for the game's length:
    before it reads the game, and not for a game that the caller mustn't know of.
    """
    player, game = current_player(), current_reader().resolve(reference)
    access = current_services().gate.access(game, None if player is None else player.id)
    charge_for_game(access.version)
    return access


def visible_game(reference: str) -> GameAccess:
    """Return the caller's access to the game; 404 also if nothing of it can be seen yet."""
    access = game_access(reference)
    if access.head == 0:
        raise Problem("not-found", NOTHING_YET)
    return access


def require_seat(reference: str, player: User) -> tuple[str, int]:
    """Return the game's id and the player's seat; 404 if they may not know of the game, 403 without a seat."""
    game = current_reader().resolve(reference)
    seat = current_services().gate.seat_of(game, player.id)
    if seat is None:
        raise NotSeated("You have no seat in this game.")
    return game, seat


def require_present_seat(reference: str, player: User) -> tuple[str, int]:
    """Return the same as `require_seat`, by the newest version of the game: for what no commit judges again.

    In the cache of this process, a player who left the seat may still hold it.
    """
    game = current_reader().resolve(reference)
    viewer = current_services().gate.access(game, player.id).viewer
    if not isinstance(viewer, int):
        raise NotSeated("You have no seat in this game.")
    return game, viewer


def require_own_seat(reference: str, player: User) -> tuple[str, int]:
    """Return the game's id and the seat that the player holds, or lent and can take back; otherwise as require_seat."""
    try:
        return require_seat(reference, player)
    except NotSeated:
        game = current_reader().resolve(reference)
        lent = current_services().games.state(game).lent_seat_of(player.id)
        if lent is None:
            raise
        return game, lent
