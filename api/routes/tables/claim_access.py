"""The table in which a player claims a seat: one that they may see, or that they have an invitation to."""

from api.accounts.people.grants import token_sha256
from api.accounts.tables.invitations import NoInvitation
from api.accounts.tables.seats import FormingTable
from api.http.context import current_reader, current_services
from api.http.game_reader import NO_GAME
from api.http.problems import Problem


def table_of_claim(reference: str, player: str, token: str | None) -> tuple[FormingTable, str | None]:
    """Return the table, and the hash of the invitation's token if the claim needs one.

    404 as for no game unless the player may see the table, or shows a valid invitation to it.
    """
    game, tables = current_reader().resolve(reference), current_services().accounts.tables
    known = tables.visible(game, player)
    if known is not None and known.seat_of(player) is not None:  # a repeated request, whose invitation may be used up
        return known, None
    invitation = None if token is None else token_sha256(token)
    table = known or (tables.visible(game, player, by_invitation=True) if _is_to(invitation, game) else None)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return table, invitation


def _is_to(invitation: str | None, game: str) -> bool:
    """Return whether this is a valid invitation to this table."""
    try:
        return invitation is not None and current_services().accounts.invitations.game_of(invitation) == game
    except NoInvitation:
        return False
