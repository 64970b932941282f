"""Bearer tokens, stored as SHA-256 and never as text."""

import hashlib
import secrets

from api.accounts.clock import now
from api.accounts.users import User
from projections.storage.database import Database

TABLES = (
    """CREATE TABLE IF NOT EXISTS tokens (
        sha256 TEXT PRIMARY KEY, player TEXT NOT NULL, created BIGINT NOT NULL, revoked BIGINT)""",
    "CREATE INDEX IF NOT EXISTS tokens_of_player ON tokens (player)",
)


class Tokens:
    """The table of tokens. Safe for concurrent use by several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def issue(self, user_id: str) -> str:
        """Store and return a new token for a user: `tb_` and 43 characters."""
        token = "tb_" + secrets.token_urlsafe(32)
        self._database.run("INSERT INTO tokens VALUES (?, ?, ?, NULL)", _sha256(token), user_id, now())
        return token

    def user_of(self, token: str) -> User | None:
        """Return the token's user, or None if the token is unknown or revoked."""
        rows = self._database.run(
            "SELECT u.player, u.name FROM tokens t JOIN users u ON u.player = t.player"
            " WHERE t.sha256 = ? AND t.revoked IS NULL",
            _sha256(token),
        )
        return User(*rows[0]) if rows else None

    def revoke(self, token: str) -> None:
        """Make a token invalid at once, in every process. An unknown token changes nothing."""
        self._database.run("UPDATE tokens SET revoked = ? WHERE sha256 = ? AND revoked IS NULL", now(), _sha256(token))


def _sha256(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
