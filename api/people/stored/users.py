"""Registered users: names, passwords and the ids that facts carry.

A name matches `http.schemas.NAME` and is compared exactly. Registration refuses a name that looks like an existing one
(`names.skeleton`, R-P12). Passwords are stored as argon2id hashes.
"""

import re
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from api.people.stored.names import DELETED_NAME, skeleton
from api.people.stored.passwords import Passwords, check_password_strength
from domain.engine.timestamps import iso_time
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS users (
        player TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL UNIQUE,
        password TEXT NOT NULL, created BIGINT NOT NULL)""",
)


@dataclass(frozen=True)
class User:
    """A registered user: the id that facts carry (`p_` and 24 hex digits) and the name that views show."""

    id: str
    name: str


class NameTaken(Exception):
    """Another user has this name, or one that looks like it (R-P12)."""


class BadLogin(Exception):
    """No user has this name with this password."""

    def __init__(self, message: str = "no user has this name with this password") -> None:
        super().__init__(message)


class UserDisabled(Exception):
    """The host has disabled this user."""

    def __init__(self) -> None:
        super().__init__("the host of this server has disabled this user")


class UserLeaving(Exception):
    """The user asked to be deleted, which happens at `until` (UTC microseconds since 1970)."""

    def __init__(self, until: int) -> None:
        super().__init__(f"This account will be deleted at {iso_time(until)}. Until then, POST /me/restore keeps it.")


NAME_CHANGES = "names"
"""The counter of the names that changed, so that a process knows whether those that it remembers are right."""
NAME_LOCK = "name lock"
LOCK_NAMES = "INSERT INTO counters VALUES (?, 0) ON CONFLICT (name) DO UPDATE SET last = counters.last"
"""Changes nothing, but the next registration waits for it, in the order they came."""
COUNT_CHANGE = """INSERT INTO counters VALUES (?, 1)
    ON CONFLICT (name) DO UPDATE SET last = counters.last + 1"""
ANOTHER = "; choose another one"
USER_ID = re.compile("p_[0-9a-f]{24}")


class Users:
    """The table of users. Safe for concurrent use by several threads."""

    def __init__(self, database: Database, passwords: Passwords) -> None:
        self._database = database
        self._passwords = passwords

    def register(self, name: str, password: str) -> User:
        """Add a user. Raise WeakPassword, or NameTaken if the name or one that looks like it is in use."""
        check_password_strength(password, name)
        user, stored = User("p_" + secrets.token_hex(12), name), self._passwords.hash(password)
        with self._database.transaction(writes=True) as transaction:
            require_free_name(transaction, name)
            transaction.run(
                "INSERT INTO users (player, name, folded, lookalike, password, created) VALUES (?, ?, ?, ?, ?, ?)",
                user.id, name, name.lower(), skeleton(name), stored, transaction.now(),
            )  # fmt: skip
        return user

    def authenticate(self, name: str, password: str) -> tuple[str, str]:
        """Return the user's id and the stored hash of the password.

        Raise the same BadLogin for a wrong name and for a wrong password. Raise UserDisabled or UserLeaving for such a
        user with the right password.
        """
        player, stored, leaving = self.check_password(name, password)
        if leaving is not None:
            raise UserLeaving(leaving)
        return player, stored

    def check_password(self, name: str, password: str) -> tuple[str, str, int | None]:
        """Return the same and when the user will be deleted, if they asked for that."""
        rows = self._database.run("SELECT player, password, disabled, leaving FROM users WHERE name = ?", name)
        player, stored, disabled, leaving = rows[0] if rows else (None, None, None, None)
        if not self._passwords.matches(stored or None, password):  # a guest has no password
            raise BadLogin
        if disabled is not None:
            raise UserDisabled
        return str(player), str(stored), leaving

    def hash_password(self, password: str, name: str) -> str:
        """Return the hash to store for a new password. Raise WeakPassword."""
        check_password_strength(password, name)
        return self._passwords.hash(password)

    def join_time(self, player: str) -> int:
        """Return when a player joined, in UTC microseconds since 1970; now for one who is unknown."""
        rows = self._database.run("SELECT created FROM users WHERE player = ?", player)
        return int(rows[0][0]) if rows else self._database.now()

    def by_name(self, name: str) -> User | None:
        """Return the user with exactly this name."""
        return self._select("SELECT player, name FROM users WHERE name = ?", name)

    def by_names(self, names: Collection[str]) -> dict[str, User]:
        """Return the users with exactly these names, by name."""
        with self._database.transaction(writes=False) as transaction:
            rows = transaction.read_among("SELECT player, name FROM users", "name", names)
        return {name: User(player, name) for player, name in rows}

    def names_of(self, ids: Iterable[str]) -> dict[str, str]:
        """Return `{user id: name}` for the ids of users, `deleted` for deleted users; bots are left out."""
        distinct = sorted(set(ids))
        if not distinct:
            return {}
        marks = ", ".join("?" * len(distinct))
        found: dict[str, str] = dict(
            self._database.run(f"SELECT player, name FROM users WHERE player IN ({marks})", *distinct)
        )
        return {each: DELETED_NAME for each in distinct if USER_ID.fullmatch(each)} | found

    def shown_names(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the name to show for each id, in their order: as `names_of` does, and for a bot its id."""
        distinct = sorted(set(ids))
        return dict(zip(distinct, distinct, strict=True)) | self.names_of(distinct)

    def name_changes(self) -> int:
        """Return how many names of users have changed: of guests who took one, and of deleted users."""
        rows = self._database.run("SELECT last FROM counters WHERE name = ?", NAME_CHANGES)
        return int(rows[0][0]) if rows else 0

    def _select(self, statement: str, value: str) -> User | None:
        rows = self._database.run(statement, value)
        return User(*rows[0]) if rows else None


def count_name_change(transaction: Transaction) -> None:
    """Let processes that remember names read them again."""
    transaction.run(COUNT_CHANGE, NAME_CHANGES)


def require_free_name(transaction: Transaction, name: str) -> None:
    """Raise NameTaken if a user has this name or one that looks like it; until the transaction ends, nobody takes it.

    Users whose names look alike since before this version keep them, so the column isn't unique.
    """
    transaction.run(LOCK_NAMES, NAME_LOCK)
    find = "SELECT name FROM users WHERE folded = ? OR lookalike = ? ORDER BY folded <> ?, created LIMIT 1"
    folded = name.lower()
    for (other,) in transaction.run(find, folded, skeleton(name), folded):
        if other == name:
            raise NameTaken(f"the name {name} is taken{ANOTHER}")
        if other.lower() == folded:
            how = f"{name} differs from it only in upper and lower case"
        else:
            how = f"{name} looks like it"
        raise NameTaken(f"the name {other} is taken, and {how}{ANOTHER}")
