"""The players who have a line in the standings: users of this server, without guests and deleted ones."""

from collections.abc import Collection

from api.accounts.accounts import Accounts
from api.accounts.names import DELETED_NAME


def players_with_lines(accounts: Accounts, players: Collection[str]) -> set[str]:
    """Return which of these players have a line."""
    names = accounts.users.names_of(players)
    users = {player for player, name in names.items() if name != DELETED_NAME}
    return users - accounts.guests.among(users) if users else users
