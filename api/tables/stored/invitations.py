"""Invitations to forming tables: links with a token of 128 bits, a number of uses and an expiry.

A token is stored as SHA-256 and never as text.
"""

import secrets
from dataclasses import dataclass, field

from api.clock import put_off
from api.people.stored.tokens import token_sha256
from domain.engine.wording import count_of
from domain.rejections import TooMany
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS table_invitations (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE, uses BIGINT NOT NULL,
        used BIGINT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL, revoked BIGINT)""",
    "CREATE INDEX IF NOT EXISTS table_invitations_of_game ON table_invitations (game, created)",
)
TOKEN_BYTES = 16
VALID = "used < uses AND expires > ? AND revoked IS NULL"
SELECT = "SELECT id, uses, used, created, expires, revoked FROM table_invitations WHERE game = ?"

PUT_OFF = put_off("table_invitations", "expires", since="created", due="expires", where="revoked IS NULL")


class NoInvitation(Exception):
    """No valid invitation has this token."""

    def __init__(self) -> None:
        super().__init__("There is no such invitation, or it was used, revoked or has expired. Ask for another one.")


@dataclass(frozen=True)
class Invitation:
    """An invitation; times are UTC microseconds."""

    id: str
    uses: int
    used: int
    created: int
    expires: int
    revoked: int | None


@dataclass(frozen=True)
class IssuedInvitation:
    """An invitation that was just made, with its token: the only time that the token is known."""

    id: str
    token: str = field(repr=False)


class Invitations:
    """The table of invitations. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def issue(self, game: str, uses: int, expires: int, most: int | None) -> IssuedInvitation:
        """Add an invitation. Raise TooMany if the table has `most` that aren't revoked."""
        made = IssuedInvitation("i_" + secrets.token_hex(8), secrets.token_urlsafe(TOKEN_BYTES))
        count = "SELECT COUNT(*) FROM table_invitations WHERE game = ? AND revoked IS NULL"
        with self._database.transaction(writes=True) as transaction:
            transaction.run("UPDATE forming_tables SET revision = revision WHERE game = ?", game)
            existing = int(transaction.run(count, game)[0][0])
            if most is not None and existing >= most:
                raise TooMany(
                    f"This table has {count_of(existing, 'invitation')}, the most that this server allows. Revoke one."
                )
            transaction.run(
                "INSERT INTO table_invitations VALUES (?, ?, ?, ?, 0, ?, ?, NULL)",
                made.id, game, token_sha256(made.token), uses, transaction.now(), expires,
            )  # fmt: skip
        return made

    def list_of(self, game: str) -> list[Invitation]:
        """Return the invitations to a table, the oldest first."""
        return [Invitation(*row) for row in self._database.run(f"{SELECT} ORDER BY created, id", game)]

    def revoke(self, game: str, invitation: str) -> bool:
        """Revoke an invitation, and return whether it wasn't revoked before."""
        revoke = "UPDATE table_invitations SET revoked = ? WHERE game = ? AND id = ? AND revoked IS NULL"
        with self._database.transaction(writes=True) as transaction:
            return bool(transaction.count_changes(revoke, transaction.now(), game, invitation))

    def game_of(self, sha256: str) -> str:
        """Return the table of a valid invitation. Raise NoInvitation."""
        find = f"SELECT game FROM table_invitations WHERE sha256 = ? AND {VALID}"
        rows = self._database.run(find, sha256, self._database.now())
        if not rows:
            raise NoInvitation
        return str(rows[0][0])


def take_use(transaction: Transaction, game: str, sha256: str) -> None:
    """Count one use of an invitation to a table. Raise NoInvitation if it has none left."""
    take = f"UPDATE table_invitations SET used = used + 1 WHERE game = ? AND sha256 = ? AND {VALID}"
    if not transaction.count_changes(take, game, sha256, transaction.now()):
        raise NoInvitation
