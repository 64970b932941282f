"""A host's acts on users: find, disable, sign out, give a new password, delete, keep. Each act is in the admin log.

The admin log names a user by id, so that it keeps no name of a deleted user.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from api.people.stored.admin_log import INSERT_ENTRY, AdminLogEntry
from api.people.stored.own_data import begin_leaving
from api.people.stored.passwords import Passwords, check_password_strength
from api.people.stored.recovery_codes import insert_codes
from api.people.stored.tokens import TOKEN_ID_LENGTH, ListedToken, begin_epoch, list_tokens
from api.people.stored.users import User
from domain.engine.timestamps import format_time
from domain.store.sql.database import Database, Transaction

USER_ACTS = (
    "user-added", "user-disabled", "user-enabled", "password-reset", "user-signed-out", "token-revoked", "user-deleted",
    "user-leaving", "user-restored", "role-granted", "role-withdrawn", "recovery-codes-renewed", "table-cancelled",
)  # fmt: skip
REVOKE = "UPDATE tokens SET revoked = ? WHERE player = ? AND revoked IS NULL"


@dataclass(frozen=True)
class UserFilter:
    """A filter on users; `prefix` is the beginning of a name in any case, None means any."""

    prefix: str | None = None
    role: str | None = None
    disabled: bool = False
    guests: bool = False


@dataclass(frozen=True)
class ListedUser:
    """A user in a list; times are in UTC microseconds since 1970."""

    id: str
    name: str
    roles: tuple[str, ...]
    created: int
    disabled: int | None
    guest: bool
    leaving: int | None


class UserAdmin:
    """The acts of a host on users, tokens and roles. Each takes effect in every process within a second."""

    def __init__(self, database: Database, passwords: Passwords) -> None:
        self._database = database
        self._passwords = passwords

    def users(self, only: UserFilter, limit: int) -> list[ListedUser]:
        """Return at most `limit` users by name."""
        where, values = ["1 = 1"], list[object]()
        if only.prefix is not None:
            where.append("substr(folded, 1, ?) = ?")
            values += [len(only.prefix), only.prefix.lower()]
        if only.role is not None:
            where.append("player IN (SELECT player FROM roles WHERE role = ?)")
            values.append(only.role)
        if only.disabled:
            where.append("disabled IS NOT NULL")
        if only.guests:
            where.append("guest = 1")
        columns = "player, name, created, disabled, guest, leaving"
        statement = f"SELECT {columns} FROM users WHERE {' AND '.join(where)} ORDER BY folded"
        found = self._database.run(f"{statement} LIMIT {int(limit)}", *values)
        return [
            ListedUser(player, name, self._roles_of(player), created, disabled, bool(guest), leaving)
            for player, name, created, disabled, guest, leaving in found
        ]

    def tokens(self, user: User) -> list[ListedToken]:
        """Return a user's tokens, the newest first."""
        return list_tokens(self._database, user.id)

    def disable(self, user: User) -> None:
        """Refuse the user's tokens and log-ins. Doing it again changes nothing."""
        with self._act("user-disabled", user.id) as transaction:
            transaction.run(
                "UPDATE users SET disabled = ? WHERE player = ? AND disabled IS NULL", transaction.now(), user.id
            )

    def enable(self, user: User) -> None:
        """Accept the user's tokens and log-ins again."""
        with self._act("user-enabled", user.id) as transaction:
            transaction.run("UPDATE users SET disabled = NULL WHERE player = ?", user.id)

    def reset_password(self, user: User, password: str) -> None:
        """Give the user another password and revoke all tokens. Raise WeakPassword."""
        check_password_strength(password, user.name)
        stored = self._passwords.hash(password)
        with self._act("password-reset", user.id) as transaction:
            transaction.run("UPDATE users SET password = ? WHERE player = ?", stored, user.id)
            transaction.run(REVOKE, transaction.now(), user.id)
            begin_epoch(transaction, user.id)

    def renew_recovery_codes(self, user: User) -> list[str]:
        """Give the user other recovery codes and return them."""
        with self._act("recovery-codes-renewed", user.id) as transaction:
            return insert_codes(transaction, user.id)

    def sign_out(self, user: User) -> int:
        """Revoke all tokens of a user, and return how many were valid."""
        with self._act("user-signed-out", user.id) as transaction:
            begin_epoch(transaction, user.id)
            return transaction.count_changes(REVOKE, transaction.now(), user.id)

    def begin_deletion(self, user: User) -> int:
        """Let a user leave as if they had asked for it themselves, and return when they will be erased."""
        with self._act("user-leaving", user.id) as transaction:
            return begin_leaving(transaction, user.id)

    def keep(self, user: User) -> bool:
        """Keep a user who is about to be deleted, and return whether they were. Their tokens stay revoked."""
        if self._database.run("SELECT 1 FROM users WHERE player = ? AND leaving IS NOT NULL", user.id) == []:
            return False
        with self._act("user-restored", user.id) as transaction:
            transaction.run("UPDATE users SET leaving = NULL WHERE player = ?", user.id)
        return True

    def revoke_token(self, token_id: str) -> bool:
        """Revoke the valid token with this id, and return whether there was one."""
        rows = self._database.run(
            "SELECT sha256, player FROM tokens WHERE substr(sha256, 1, ?) = ? AND revoked IS NULL",
            TOKEN_ID_LENGTH, token_id,
        )  # fmt: skip
        for sha256, player in rows:
            with self._act("token-revoked", player, token=token_id) as transaction:
                transaction.run("UPDATE tokens SET revoked = ? WHERE sha256 = ?", transaction.now(), sha256)
        return bool(rows)

    def add_to_log(self, what: str, user_id: str, **details: str) -> None:
        """Write an act that another class carried out to the admin log."""
        with self._act(what, user_id, **details):
            return

    def _roles_of(self, player: str) -> tuple[str, ...]:
        return tuple(
            role for (role,) in self._database.run("SELECT role FROM roles WHERE player = ? ORDER BY 1", player)
        )

    @contextmanager
    def _act(self, what: str, user_id: str, **details: str) -> Iterator[Transaction]:
        """Change the tables and write the admin log, both or neither."""
        with self._database.transaction(writes=True) as transaction:
            transaction.lock_schema()  # the next number of the log is nobody else's
            yield transaction
            at = format_time(transaction.now())
            transaction.run(INSERT_ENTRY, *AdminLogEntry(at, what, {"player": user_id, **details}).row)
