"""Registered users: names, passwords and the ids that facts carry.

A name matches `http.schemas.NAME` and is compared exactly. Registration refuses a name that differs from an existing
one only in upper and lower case (R-P12). Passwords are stored as argon2id hashes.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from api.accounts.clock import now
from api.accounts.passwords import Passwords
from projections.storage.database import Database

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
    """Another user has this name, or one that differs only in upper and lower case (R-P12)."""


class BadLogin(Exception):
    """No user has this name with this password."""


class Users:
    """The table of users. Safe for concurrent use by several threads."""

    def __init__(self, database: Database, passwords: Passwords) -> None:
        self._database = database
        self._passwords = passwords

    def register(self, name: str, password: str) -> User:
        """Add a user. Raise NameTaken if the name is in use, whatever its case."""
        user = User("p_" + secrets.token_hex(12), name)
        added = self._database.run(
            "INSERT INTO users (player, name, folded, password, created) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING RETURNING player",
            user.id, name, name.lower(), self._passwords.hash(password), now(),
        )  # fmt: skip
        if not added:
            raise NameTaken(self._taken_message(name))
        return user

    def authenticate(self, name: str, password: str) -> str:
        """Return the user's id. Raise the same BadLogin for a wrong name and for a wrong password."""
        rows = self._database.run("SELECT player, password FROM users WHERE name = ?", name)
        player, stored = rows[0] if rows else (None, None)
        if not self._passwords.matches(stored, password):
            raise BadLogin("no user has this name with this password")
        return str(player)

    def by_name(self, name: str) -> User | None:
        """Return the user with exactly this name."""
        return self._select("SELECT player, name FROM users WHERE name = ?", name)

    def names_of(self, ids: Iterable[str]) -> dict[str, str]:
        """Return `{user id: name}` for the ids of users; bots and unknown ids are left out."""
        distinct = sorted(set(ids))
        if not distinct:
            return {}
        marks = ", ".join("?" * len(distinct))
        return dict(self._database.run(f"SELECT player, name FROM users WHERE player IN ({marks})", *distinct))

    def _taken_message(self, name: str) -> str:
        other = self._select("SELECT player, name FROM users WHERE folded = ?", name.lower())
        if other is None or other.name == name:
            return f"the name {name} is taken"
        return f"the name {other.name} is taken, and {name} differs from it only in upper and lower case"

    def _select(self, statement: str, value: str) -> User | None:
        rows = self._database.run(statement, value)
        return User(*rows[0]) if rows else None
