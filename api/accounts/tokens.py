"""Bearer tokens, stored as SHA-256 and never as text.

A process remembers a valid token for `MAX_AGE_S`, so that many requests of a player cost few queries. It notices within
that time if another process revokes the token or disables its user. The query for one token also reads others that are
in use, so that many players cost few queries, too.
"""

import hashlib
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from threading import Lock

from cachetools import LRUCache

from api.accounts.clock import now
from api.accounts.users import BadLogin, User, UserDisabled
from projections.storage.database import Database

TABLES = (
    """CREATE TABLE IF NOT EXISTS tokens (
        sha256 TEXT PRIMARY KEY, player TEXT NOT NULL, created BIGINT NOT NULL, revoked BIGINT)""",
    "CREATE INDEX IF NOT EXISTS tokens_of_player ON tokens (player)",
)
HASHES_PER_QUERY = 500
MAX_AGE_S = 0.5
"""How long a process may take a token for valid without asking the database again."""
CACHED_TOKENS = 10_000
HASHES_READ = 64
"""How many tokens are read together. Fewer are filled up, so that the statement stays the same."""
LOCK_USER = "UPDATE users SET password = password WHERE player = ? AND password = ?"
"""Changes nothing, but a reset of the password waits for it, or it for the reset."""


class Tokens:
    """The table of tokens. Safe for concurrent use by several threads."""

    def __init__(self, database: Database, timer: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self.timer = timer
        self._users: LRUCache[str, tuple[User, float]] = LRUCache(CACHED_TOKENS)
        self._used = set[str]()
        """The remembered tokens that were used since they were read."""
        self._revoked = 0
        """How many tokens this process has revoked or found invalid: what was read before that isn't remembered."""
        self._lock = Lock()

    def issue(self, user_id: str, password_hash: str) -> str:
        """Store and return a new token for a user: `tb_` and 43 characters.

        Raise BadLogin if the stored hash of the password isn't that one any more: a host has reset it meanwhile.
        """
        token = "tb_" + secrets.token_urlsafe(32)
        with self._database.transaction(writes=True) as transaction:
            if not transaction.count_changes(LOCK_USER, user_id, password_hash):
                raise BadLogin
            transaction.run("INSERT INTO tokens VALUES (?, ?, ?, NULL)", token_sha256(token), user_id, now())
        return token

    def user_of(self, token: str) -> User | None:
        """Return the token's user, or None if the token is unknown or revoked. Raise UserDisabled.

        Another process's change of the token or the user takes effect within `MAX_AGE_S`.
        """
        sha256, asked_at = token_sha256(token), self.timer()
        with self._lock:
            known = self._users.get(sha256)
            if known is not None and asked_at - known[1] < MAX_AGE_S:
                self._used.add(sha256)
                return known[0]
            others, revoked = list(islice(self._used - {sha256}, HASHES_READ - 1)), self._revoked
            self._used.difference_update(others)
        found = self._read_users([sha256, *others])
        with self._lock:
            for each in (sha256, *others):
                user = found.get(each)
                if user is not None and revoked == self._revoked:
                    self._users[each] = user, asked_at
                else:
                    self._forget(each)
        if sha256 in found and found[sha256] is None:
            raise UserDisabled
        return found.get(sha256)

    def _forget(self, sha256: str) -> None:
        self._users.pop(sha256, None)
        self._used.discard(sha256)

    def _read_users(self, hashes: Sequence[str]) -> dict[str, User | None]:
        """Return the users of the valid tokens among `hashes`, None for a disabled one."""
        listed = hashes if len(hashes) == 1 else [*hashes, *[hashes[0]] * (HASHES_READ - len(hashes))]
        rows = self._database.run(
            "SELECT t.sha256, u.player, u.name, u.disabled FROM tokens t JOIN users u ON u.player = t.player"
            f" WHERE t.sha256 IN ({','.join('?' * len(listed))}) AND t.revoked IS NULL",
            *listed,
        )
        return {sha256: User(player, name) if disabled is None else None for sha256, player, name, disabled in rows}

    def revoke(self, token: str) -> None:
        """Make a token invalid, in other processes within `MAX_AGE_S`. An unknown token changes nothing."""
        sha256 = token_sha256(token)
        self._database.run("UPDATE tokens SET revoked = ? WHERE sha256 = ? AND revoked IS NULL", now(), sha256)
        with self._lock:
            self._revoked += 1
            self._forget(sha256)

    def valid_among(self, hashes: Collection[str]) -> set[str]:
        """Return the hashes (`token_sha256`) of valid tokens among `hashes`; a disabled user has none.

        The others are no longer remembered: a client whose stream ends for that reason is refused if it returns.
        """
        listed, valid = list(hashes), set[str]()
        for at in range(0, len(listed), HASHES_PER_QUERY):
            part = listed[at : at + HASHES_PER_QUERY]
            marks = ",".join("?" * len(part))
            rows = self._database.run(
                "SELECT t.sha256 FROM tokens t JOIN users u ON u.player = t.player"
                f" WHERE t.sha256 IN ({marks}) AND t.revoked IS NULL AND u.disabled IS NULL",
                *part,
            )
            valid.update(row[0] for row in rows)
        with self._lock:
            invalid = [each for each in listed if each not in valid]
            self._revoked += len(invalid)
            for each in invalid:
                self._forget(each)
        return valid


def token_sha256(token: str) -> str:
    """Return the hash by which a token is stored, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()
