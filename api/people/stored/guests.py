"""Guests: players without a password, made by one request, who can take a name and a password later.

A guest keeps the id, and with it the games. Guests who no longer use the server are removed by the worker.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from api.people.stored.recovery_codes import insert_codes
from api.people.stored.tokens import DAY_US, USUAL_GRANT, TokenGrant, insert_token
from api.people.stored.users import GUEST_PREFIX, NameTaken, User, count_name_change, require_free_name, skeleton
from domain.store.sql.database import Database

ALPHABET = "abcdefghjkmpqstuvwxyz23456789"
NAME_LENGTH = 8
ATTEMPTS = 20
INSERT_GUEST = """INSERT INTO users (player, name, folded, lookalike, password, created, guest)
    VALUES (?, ?, ?, ?, '', ?, 1) ON CONFLICT DO NOTHING RETURNING player"""
NAME_GUEST = """UPDATE users SET name = ?, folded = ?, lookalike = ?, password = ?, guest = 0
    WHERE player = ? AND guest = 1 AND leaving IS NULL"""
SELECT_GUESTS = """SELECT u.player, u.name, u.created, MAX(t.used) FROM users u
    LEFT JOIN tokens t ON t.player = u.player WHERE u.guest = 1
    GROUP BY u.player, u.name, u.created ORDER BY u.created, u.player"""


class NotAGuest(Exception):
    """The user isn't a guest, or isn't one any more."""

    def __init__(self) -> None:
        super().__init__("You aren't a guest: this account has a name and a password already.")


@dataclass(frozen=True)
class Guest:
    """A guest: the times of creation and last use in UTC microseconds since 1970; of the last use only its day."""

    id: str
    name: str
    created: int
    used: int | None

    @property
    def last_use(self) -> int:
        """The latest moment at which the guest may have used the server."""
        return max(self.created, 0 if self.used is None else self.used + DAY_US)


class Guests:
    """The users who are guests."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, grant: TokenGrant = USUAL_GRANT) -> tuple[User, str]:
        """Return a new guest with a name that nobody has, and a token."""
        for _ in range(ATTEMPTS):
            name = GUEST_PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(NAME_LENGTH))
            guest = User("p_" + secrets.token_hex(12), name)
            with self._database.transaction(writes=True) as transaction:
                if transaction.run(INSERT_GUEST, guest.id, name, name, skeleton(name), transaction.now()):
                    return guest, insert_token(transaction, guest.id, grant)
        raise NameTaken("no free name for a guest was found; try again")

    def take_name(self, player: str, name: str, password_hash: str) -> list[str]:
        """Give a guest a name and a password, and return recovery codes. Raise NameTaken or NotAGuest."""
        with self._database.transaction(writes=True) as transaction:
            require_free_name(transaction, name)
            values = (name, name.lower(), skeleton(name), password_hash, player)
            if not transaction.count_changes(NAME_GUEST, *values):
                raise NotAGuest
            count_name_change(transaction)
            return insert_codes(transaction, player)

    def among(self, players: Iterable[str]) -> set[str]:
        """Return which of these players are guests now."""
        with self._database.transaction(writes=False) as transaction:
            rows = transaction.read_among("SELECT player, guest FROM users", "player", list(players))
        return {player for player, guest in rows if guest}

    def all(self) -> list[Guest]:
        """Return every guest, oldest first."""
        return [Guest(*row) for row in self._database.run(SELECT_GUESTS)]
