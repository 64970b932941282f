"""Deleting one's own account: it stops at once, and is erased after a day unless its owner comes back."""

from api.accounts.clock.records import put_off
from api.accounts.people.grants import DAY, TokenGrant, insert_token
from api.accounts.people.sessions import REVOKE_ALL
from api.accounts.tables.player_data import leave_tables
from api.accounts.users import BadLogin
from projections.storage.database import Database, Transaction

GRACE = DAY
LEAVE = "UPDATE users SET leaving = ? WHERE player = ? AND leaving IS NULL"
COME_BACK = "UPDATE users SET leaving = NULL WHERE player = ? AND password = ?"

PUT_OFF = put_off("users", "leaving", since=f"(leaving - {GRACE})", due="leaving", where="leaving IS NOT NULL")


class Leaving:
    """The users who have asked to be deleted; `leaving` is when that happens, in UTC microseconds since 1970."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def leave(self, player: str) -> int:
        """Let a player leave, as `begin_leaving` does, and return when the player will be erased."""
        with self._database.transaction(writes=True) as transaction:
            return begin_leaving(transaction, player)

    def come_back(self, player: str, password_hash: str, grant: TokenGrant) -> str:
        """Keep the account after all, and return a new token. Raise BadLogin if the password has changed."""
        with self._database.transaction(writes=True) as transaction:
            if not transaction.count_changes(COME_BACK, player, password_hash):
                raise BadLogin
            return insert_token(transaction, player, grant)

    def is_leaving(self, player: str) -> bool:
        """Return whether a player has asked to be deleted, and hasn't come back."""
        return bool(self._database.run("SELECT 1 FROM users WHERE player = ? AND leaving IS NOT NULL", player))

    def due(self, at: int) -> list[str]:
        """Return the players whose day is over at a time, in that order."""
        rows = self._database.run("SELECT player FROM users WHERE leaving < ? ORDER BY leaving, player", at)
        return [player for (player,) in rows]


def begin_leaving(transaction: Transaction, player: str) -> int:
    """Revoke a player's tokens, refuse log-ins, and return when the player will be erased. A repeat keeps that time.

    The player leaves the tables that form, so that no game begins with somebody who has left.
    """
    transaction.run(LEAVE, transaction.now() + GRACE, player)
    transaction.run(REVOKE_ALL, transaction.now(), player)
    leave_tables(transaction, player)
    return int(transaction.run("SELECT leaving FROM users WHERE player = ?", player)[0][0])
