"""Bearer tokens, stored as SHA-256 and never as text, and the purpose, the scope and the row of a new one.

`play` is everything that a player does, and managing the account; `play:<game id>` is one game's moves, chat and views,
and its seats while it forms; `read` changes nothing; `moderate` also moderates, if its user has that role.

A process remembers a valid token for `MAX_AGE_S`, so that many requests of a player cost few queries. It notices within
that time if another process revokes the token or disables its user. The query for one token also reads others that are
in use, so that many players cost few queries, too.

A player has an epoch, which grows whenever all their tokens, or all others, are ended. A reply address of a mail holds
it under its signature, so that it ends with the tokens of its time.
"""

import hashlib
import re
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import Annotated, TypedDict

from cachetools import LRUCache

from api.people.stored.users import BadLogin, User, UserDisabled
from domain.engine.timestamps import iso_time
from domain.json_fields import Day, Time, says
from domain.store.sql.database import Database, Transaction

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


DAY_US = 24 * 3600 * 1_000_000
"""In microseconds."""
USUAL_DAYS, MOST_DAYS = 90, 366
TOKEN_ID_LENGTH = 12
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
    expires = created + grant.days * DAY_US
    transaction.run(INSERT_TOKEN, token_sha256(token), player, created, grant.label, grant.scope, expires)
    return token


def token_sha256(token: str) -> str:
    """Return the hash by which a token is stored, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


TABLES = (
    """CREATE TABLE IF NOT EXISTS tokens (
        sha256 TEXT PRIMARY KEY, player TEXT NOT NULL, created BIGINT NOT NULL, revoked BIGINT)""",
    "CREATE INDEX IF NOT EXISTS tokens_of_player ON tokens (player)",
    "CREATE TABLE IF NOT EXISTS token_epochs (player TEXT PRIMARY KEY, epoch BIGINT NOT NULL)",
)
HASHES_PER_QUERY = 500
MAX_AGE_S = 0.5
"""How long a process may take a token for valid without asking the database again."""
CACHED_TOKENS = 10_000
HASHES_READ = 64
"""How many tokens are read together. Fewer are filled up, so that the statement stays the same."""
LOCK_USER = "UPDATE users SET password = password WHERE player = ? AND password = ? AND leaving IS NULL"
"""Changes nothing, but a reset of the password waits for it, or it for the reset."""
SELECT_VALID = """SELECT t.sha256, u.player, u.name, u.disabled, t.scope, t.expires, u.guest, t.label
    FROM tokens t JOIN users u ON u.player = t.player
    WHERE t.revoked IS NULL AND (t.expires IS NULL OR t.expires > ?)"""
SELECT_EXPIRED = "SELECT 1 FROM tokens WHERE sha256 = ? AND revoked IS NULL AND expires <= ?"
SET_USED = "UPDATE tokens SET used = ? WHERE sha256 = ? AND (used IS NULL OR used < ?)"


@dataclass(frozen=True)
class TokenInfo:
    """A valid token: whose it is, its short id and name, its scope, and when it ends (UTC microseconds since 1970).

    `game` is the only game that it's for; None for a token that isn't for one game.
    """

    player: User
    id: str
    label: str | None = None
    scope: str = PLAY
    expires: int | None = None
    guest: bool = False
    game: str | None = None


class Tokens:
    """The table of tokens. Safe for concurrent use by several threads."""

    def __init__(self, database: Database, timer: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self.timer = timer
        self._tokens: LRUCache[str, tuple[TokenInfo, float]] = LRUCache(CACHED_TOKENS)
        self._used = set[str]()
        """The remembered tokens that were used since they were read."""
        self._days = dict[str, int]()
        """The day of the last use of each token, if it isn't written yet."""
        self._revoked = 0
        """How many tokens this process has revoked or found invalid: what was read before that isn't remembered."""
        self._lock = Lock()

    def issue(self, user_id: str, password_hash: str, grant: TokenGrant = USUAL_GRANT) -> str:
        """Store and return a new token for a user: `tb_` and 43 characters.

        Raise BadLogin if the stored hash of the password isn't that one any more: a host has reset it meanwhile.
        """
        with self._database.transaction(writes=True) as transaction:
            if not transaction.count_changes(LOCK_USER, user_id, password_hash):
                raise BadLogin
            return insert_token(transaction, user_id, grant)

    def user_of(self, token: str) -> User | None:
        """Return the token's user, as `find` does."""
        found = self.find(token)
        return None if found is None else found.player

    def find(self, token: str) -> TokenInfo | None:
        """Return a token, or None if it's unknown, expired or revoked. Raise UserDisabled.

        Another process's change of the token or the user takes effect within `MAX_AGE_S`.
        """
        sha256, asked_at = token_sha256(token), self.timer()
        with self._lock:
            known = self._tokens.get(sha256)
            if known is not None and asked_at - known[1] < MAX_AGE_S:
                self._used.add(sha256)
                return known[0]
            others, revoked = list(islice(self._used - {sha256}, HASHES_READ - 1)), self._revoked
            self._used.difference_update(others)
        found = self._read([sha256, *others])
        day = self._database.now() // DAY_US
        with self._lock:
            for each in (sha256, *others):
                info = found.get(each)
                if info is not None and revoked == self._revoked:
                    self._tokens[each] = info, asked_at
                    self._days[each] = day
                else:
                    self._forget(each)
        if sha256 in found and found[sha256] is None:
            raise UserDisabled
        return found.get(sha256)

    def has_expired(self, token: str) -> bool:
        """Return whether a token was valid until its time ran out."""
        return bool(self._database.run(SELECT_EXPIRED, token_sha256(token), self._database.now()))

    def remembered_player(self, token: str) -> str | None:
        """Return whose token it was when this process last saw it, or None. Doesn't ask the database."""
        with self._lock:
            known = self._tokens.get(token_sha256(token))
        return None if known is None else known[0].player.id

    def _forget(self, sha256: str) -> None:
        self._tokens.pop(sha256, None)
        self._used.discard(sha256)

    def _read(self, hashes: Sequence[str]) -> dict[str, TokenInfo | None]:
        """Return the valid tokens among `hashes`, None for one of a disabled user."""
        listed = hashes if len(hashes) == 1 else [*hashes, *[hashes[0]] * (HASHES_READ - len(hashes))]
        marks = ",".join("?" * len(listed))
        rows = self._database.run(f"{SELECT_VALID} AND t.sha256 IN ({marks})", self._database.now(), *listed)
        return {sha256: _token_info(sha256, *row) for sha256, *row in rows}

    def write_days(self) -> int:
        """Write the last days of use of the tokens that were used since the last call, and return their number."""
        with self._lock:
            days, self._days = self._days, {}
        if days:
            rows = [(day * DAY_US, sha256, day * DAY_US) for sha256, day in sorted(days.items())]
            with self._database.transaction(writes=True) as transaction:
                transaction.run_many(SET_USED, rows)
        return len(days)

    def forget(self, player: str) -> None:
        """Read the tokens of a player again: some were revoked."""
        with self._lock:
            self._revoked += 1
            for each in [each for each, (info, _) in self._tokens.items() if info.player.id == player]:
                self._forget(each)

    def revoke(self, token: str) -> None:
        """Make a token invalid, in other processes within `MAX_AGE_S`. An unknown token changes nothing."""
        sha256 = token_sha256(token)
        revoke = "UPDATE tokens SET revoked = ? WHERE sha256 = ? AND revoked IS NULL"
        self._database.run(revoke, self._database.now(), sha256)
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
            select = f"{SELECT_VALID} AND u.disabled IS NULL AND t.sha256 IN ({marks})"
            rows = self._database.run(select, self._database.now(), *part)
            valid.update(row[0] for row in rows)
        with self._lock:
            invalid = [each for each in listed if each not in valid]
            self._revoked += len(invalid)
            for each in invalid:
                self._forget(each)
        return valid


def _token_info(
    sha256: str, player: str, name: str, disabled: int | None, scope: str, expires: int | None, guest: int,
    label: str | None,
) -> TokenInfo | None:  # fmt: skip
    if disabled is not None:
        return None
    game = game_of_scope(scope)
    return TokenInfo(User(player, name), sha256[:TOKEN_ID_LENGTH], label, scope, expires, bool(guest), game)


NEXT = """INSERT INTO token_epochs VALUES (?, 1)
    ON CONFLICT (player) DO UPDATE SET epoch = token_epochs.epoch + 1"""


def begin_epoch(transaction: Transaction, player: str) -> None:
    """End the epoch of a player's tokens."""
    transaction.run(NEXT, player)


def epoch_of(database: Database, player: str) -> int:
    """Return the epoch of a player's tokens, 0 before the first end."""
    rows = database.run("SELECT epoch FROM token_epochs WHERE player = ?", player)
    return int(rows[0][0]) if rows else 0


def erase_player(transaction: Transaction, player: str) -> None:
    """Forget the player's epoch."""
    transaction.run("DELETE FROM token_epochs WHERE player = ?", player)


REVOKE_ALL = "UPDATE tokens SET revoked = ? WHERE player = ? AND revoked IS NULL"
SELECT_TOKENS = """SELECT sha256, label, scope, created, used, expires, revoked FROM tokens WHERE player = ?
    ORDER BY created DESC, sha256"""
REPLACE_PASSWORD = "UPDATE users SET password = ? WHERE player = ? AND password = ? AND leaving IS NULL"
KEPT_AFTER_END_US = 30 * DAY_US


class StoredToken(TypedDict):
    """A token, without the token itself."""

    id: str
    label: str | None
    scope: str
    created: Time
    used: Annotated[Day | None, says("The day of the last use.")]
    expires: Time | None
    revoked: Time | None


@dataclass(frozen=True)
class ListedToken:
    """A token in a list: the first hex digits of its hash, and times in UTC microseconds since 1970.

    `used` is the beginning of the last day on which the token was used.
    """

    id: str
    label: str | None
    scope: str
    created: int
    used: int | None
    expires: int | None
    revoked: int | None

    def is_valid(self, at: int) -> bool:
        """Return whether the token is neither revoked nor expired at a time."""
        return self.revoked is None and (self.expires is None or self.expires > at)

    def to_json(self) -> StoredToken:
        """Return the token as its owner sees it; of the last use only the day."""
        used = iso_time(self.used)
        return {
            "id": self.id,
            "label": self.label,
            "scope": self.scope,
            "created": iso_time(self.created),
            "used": None if used is None else used.partition("T")[0],
            "expires": iso_time(self.expires),
            "revoked": iso_time(self.revoked),
        }


def list_tokens(database: Database, player: str) -> list[ListedToken]:
    """Return all tokens of a player that are still stored, the newest first."""
    rows = database.run(SELECT_TOKENS, player)
    return [ListedToken(sha256[:TOKEN_ID_LENGTH], *rest) for sha256, *rest in rows]


class Sessions:
    """A person's own tokens. `forget` drops what this process remembers of a player's tokens."""

    def __init__(self, database: Database, forget: Callable[[str], None]) -> None:
        self._database = database
        self._forget = forget

    def valid(self, player: str) -> list[ListedToken]:
        """Return the valid tokens of a player, the newest first."""
        at = self._database.now()
        return [token for token in list_tokens(self._database, player) if token.is_valid(at)]

    def end(self, player: str, token_id: str) -> bool:
        """Revoke a player's valid token with this id, and return whether there was one."""
        statement = REVOKE_ALL + " AND substr(sha256, 1, ?) = ? RETURNING sha256"
        ended = self._database.run(statement, self._database.now(), player, TOKEN_ID_LENGTH, token_id)
        self._forget(player)
        return bool(ended)

    def end_others(self, player: str, kept_id: str) -> int:
        """Revoke all tokens of a player but one, and return how many were valid."""
        statement = REVOKE_ALL + " AND substr(sha256, 1, ?) <> ? RETURNING sha256"
        with self._database.transaction(writes=True) as transaction:
            ended = transaction.run(statement, transaction.now(), player, TOKEN_ID_LENGTH, kept_id)
            begin_epoch(transaction, player)
        self._forget(player)
        return len(ended)

    def change_password(
        self,
        player: str,
        old_hash: str,
        new_hash: str,
        grant: TokenGrant,
        take_along: Callable[[Transaction, str], None],
    ) -> str:
        """Store another password, revoke all tokens, and return a new one.

        `take_along` gives its id what went with an old one.

        Raise BadLogin if the stored hash isn't `old_hash` any more.
        """
        with self._database.transaction(writes=True) as transaction:
            if not transaction.count_changes(REPLACE_PASSWORD, new_hash, player, old_hash):
                raise BadLogin
            token = replace_tokens(transaction, player, grant)
            take_along(transaction, token_sha256(token)[:TOKEN_ID_LENGTH])
        self._forget(player)
        return token

    def delete_old(self) -> None:
        """Delete the tokens that have been invalid for 30 days."""
        before = self._database.now() - KEPT_AFTER_END_US
        self._database.run("DELETE FROM tokens WHERE expires < ? OR revoked < ?", before, before)


def replace_tokens(transaction: Transaction, player: str, grant: TokenGrant) -> str:
    """Revoke all tokens of a player and return a new one."""
    transaction.run(REVOKE_ALL, transaction.now(), player)
    begin_epoch(transaction, player)
    return insert_token(transaction, player, grant)
