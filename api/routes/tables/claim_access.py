"""The table that an invitation is for, or that a player may see without one."""

from api.accounts.tables.seats import FormingTable
from api.accounts.tokens import token_sha256
from api.http.context import current_reader, current_services
from api.http.game_reader import NO_GAME
from api.http.problems import Problem


def table_of_claim(reference: str, player: str, token: str | None) -> tuple[FormingTable, str | None]:
    """Return the table in which a player claims a seat, and the hash of their invitation's token; 404 without it."""
    game = current_reader().resolve(reference)
    tables = current_services().accounts.tables
    known = tables.visible(game, player)
    if known is not None and known.seat_of(player) is not None:  # a repeated request, whose invitation may be used up
        return known, None
    invitation = None if token is None else token_sha256(token)
    table = tables.visible(game, player, by_invitation=_is_for(invitation, game))
    if table is None:
        raise Problem("not-found", NO_GAME)
    return table, invitation


def _is_for(invitation: str | None, game: str) -> bool:
    """Return whether an invitation is for this table. Raise NoInvitation if it isn't valid."""
    return invitation is not None and current_services().accounts.invitations.game_of(invitation) == game
