"""What a new token is for, and its row. A token is stored as SHA-256, never as text."""

import hashlib
import secrets
from dataclasses import dataclass

from api.accounts.people.scopes import PLAY
from projections.storage.database import Transaction

DAY = 24 * 3600 * 1_000_000
"""In microseconds."""
USUAL_DAYS, MOST_DAYS = 90, 366
INSERT_TOKEN = """INSERT INTO tokens (sha256, player, created, revoked, label, scope, expires)
    VALUES (?, ?, ?, NULL, ?, ?, ?)"""


@dataclass(frozen=True)
class TokenGrant:
    """The name that its owner gives a token, its scope, and for how many days it's valid."""

    label: str | None = None
    scope: str = PLAY
    days: int = USUAL_DAYS


USUAL_GRANT = TokenGrant()


def insert_token(transaction: Transaction, player: str, grant: TokenGrant) -> str:
    """Store and return a new token: `tb_` and 43 characters."""
    token, created = "tb_" + secrets.token_urlsafe(32), transaction.now()
    expires = created + grant.days * DAY
    transaction.run(INSERT_TOKEN, token_sha256(token), player, created, grant.label, grant.scope, expires)
    return token


def token_sha256(token: str) -> str:
    """Return the hash by which a token is stored, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()
