"""Recovery codes: each lets its owner choose a new password once. They are stored as SHA-256, never as text."""

import hashlib
import secrets

from api.people.stored.tokens import USUAL_GRANT, TokenGrant, replace_tokens
from api.people.stored.users import BadLogin, UserDisabled, UserLeaving
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS recovery_codes (
        player TEXT NOT NULL, number BIGINT NOT NULL, sha256 TEXT NOT NULL, created BIGINT NOT NULL, used BIGINT,
        PRIMARY KEY (player, number))""",
)
COUNT = 8
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without characters that look alike: i, l, o, 0 and 1."""
GROUPS, GROUP_LENGTH = 4, 4
USE_CODE = "UPDATE recovery_codes SET used = ? WHERE player = ? AND sha256 = ? AND used IS NULL"
REPLACE_CODE = """INSERT INTO recovery_codes VALUES (?, ?, ?, ?, NULL) ON CONFLICT (player, number) DO UPDATE
    SET sha256 = excluded.sha256, created = excluded.created, used = NULL"""
"""Of two who renew a player's codes at once, the second waits at the first code, and replaces them all."""
SET_PASSWORD = """UPDATE users SET password = ? WHERE player = ? AND guest = 0 AND disabled IS NULL
    AND leaving IS NULL"""


class RecoveryCodes:
    """The table of recovery codes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def renew(self, player: str) -> list[str]:
        """Replace a player's codes and return the new ones, which can't be read again."""
        with self._database.transaction(writes=True) as transaction:
            return insert_codes(transaction, player)

    def unused(self, player: str) -> int:
        """Return how many codes a player can still use."""
        count = "SELECT COUNT(*) FROM recovery_codes WHERE player = ? AND used IS NULL"
        return int(self._database.run(count, player)[0][0])

    def recover(self, name: str, code: str, new_hash: str, grant: TokenGrant = USUAL_GRANT) -> str:
        """Use up a code, store another password, revoke all tokens, and return a new token.

        Raise the same BadLogin for an unknown name and a wrong code; UserDisabled or UserLeaving for the right code of
        such a user.
        """
        with self._database.transaction(writes=True) as transaction:
            rows = transaction.run("SELECT player, leaving FROM users WHERE name = ?", name)
            player, leaving = rows[0] if rows else ("", None)
            if not transaction.count_changes(USE_CODE, transaction.now(), player, _sha256(player, code)):
                raise BadLogin
            if leaving is not None:
                raise UserLeaving(leaving)
            if not transaction.count_changes(SET_PASSWORD, new_hash, player):
                raise UserDisabled
            return replace_tokens(transaction, player, grant)


def insert_codes(transaction: Transaction, player: str) -> list[str]:
    """Replace a player's codes in a transaction, and return the new ones."""
    codes, created = [_new_code() for _ in range(COUNT)], transaction.now()
    rows = [(player, number, _sha256(player, code), created) for number, code in enumerate(codes, 1)]
    transaction.run_many(REPLACE_CODE, rows)
    return codes


def _new_code() -> str:
    """Return 79 random bits: `abcd-efgh-jkmn-pqrs`."""
    groups = ("".join(secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS))
    return "-".join(groups)


def _sha256(player: str, code: str) -> str:
    """Return the hash of a code, however its owner typed spaces, hyphens and capitals."""
    plain = "".join(code.split()).replace("-", "").lower()
    return hashlib.sha256(f"{player} {plain}".encode()).hexdigest()
