"""The purpose, the scope and the row of a new token. A token is stored as SHA-256, never as text.

`play` is everything that a player does, and managing the account; `play:<game id>` is one game's moves, chat and views,
and its seats while it forms; `read` changes nothing; `moderate` also moderates, if its user has that role.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass

from domain.store.sql.database import Transaction

PLAY, READ, MODERATE = "play", "read", "moderate"
GAME_PREFIX = PLAY + ":"
SCOPE = re.compile("play|read|moderate|play:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
MEANINGS = {
    PLAY: "this token can't play or change the account",
    READ: "this token can't be used here",
    MODERATE: "this token can't moderate",
}


def game_of_scope(scope: str) -> str | None:
    """Return the game of a scope `play:<game id>`, or None for any other scope."""
    return scope.removeprefix(GAME_PREFIX) if scope.startswith(GAME_PREFIX) else None


def scope_allows(held: str, needed: str, game: str | None = None) -> bool:
    """Return whether a token of scope `held` does what needs `needed`, in `game` if it's about moves and chat of one.

    A scope of one game doesn't reach other games: the caller has checked that already.
    """
    if needed in (READ, held):
        return True
    return needed == PLAY and game is not None and game_of_scope(held) == game


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
