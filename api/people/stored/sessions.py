"""The tokens of one person, by short ids, and the epoch that grows whenever all tokens, or all others, are ended.

A reply address of a mail holds the epoch under its signature, so that it ends with the tokens of its time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Protocol, TypedDict

from api.people.stored.tokens import DAY, TOKEN_ID_LENGTH, TokenGrant, insert_token, token_sha256
from api.people.stored.users import BadLogin
from domain.engine.timestamps import iso_time
from domain.json_fields import Day, Time, says
from domain.store.sql.database import Database, RowValues, Transaction

TABLES = ("CREATE TABLE IF NOT EXISTS token_epochs (player TEXT PRIMARY KEY, epoch BIGINT NOT NULL)",)
NEXT = """INSERT INTO token_epochs VALUES (?, 1)
    ON CONFLICT (player) DO UPDATE SET epoch = token_epochs.epoch + 1"""


class _Runner(Protocol):
    def run(self, statement: str, *values: object) -> list[RowValues]:
        """Execute one statement."""


def begin_epoch(runner: _Runner, player: str) -> None:
    """End the epoch of a player's tokens, in a transaction or by itself."""
    runner.run(NEXT, player)


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
KEPT_AFTER_END = 30 * DAY


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
        before = self._database.now() - KEPT_AFTER_END
        self._database.run("DELETE FROM tokens WHERE expires < ? OR revoked < ?", before, before)


def replace_tokens(transaction: Transaction, player: str, grant: TokenGrant) -> str:
    """Revoke all tokens of a player and return a new one."""
    transaction.run(REVOKE_ALL, transaction.now(), player)
    begin_epoch(transaction, player)
    return insert_token(transaction, player, grant)
