"""Roles of users: arbiters rule on disputes; moderators and operators may erase dispute texts."""

from typing import Literal

from domain.store.sql.database import Database

Role = Literal["arbiter", "moderator", "operator"]
ARBITER: Role = "arbiter"
MODERATOR: Role = "moderator"
OPERATOR: Role = "operator"
ROLES = (ARBITER, MODERATOR, OPERATOR)
MODERATORS = (MODERATOR, OPERATOR)
"""The roles that may moderate."""
TABLES = ("CREATE TABLE IF NOT EXISTS roles (player TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (player, role))",)


class Roles:
    """The table of roles. A user without a row has no role."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def grant(self, user_id: str, role: str) -> None:
        """Grant a role to a user. Granting it again changes nothing."""
        self._database.run("INSERT INTO roles VALUES (?, ?) ON CONFLICT DO NOTHING", user_id, role)

    def withdraw(self, user_id: str, role: str) -> None:
        """Withdraw a role from a user. The user's earlier rulings stand."""
        self._database.run("DELETE FROM roles WHERE player = ? AND role = ?", user_id, role)

    def has_any(self, user_id: str, *roles: str) -> bool:
        """Return whether a user has one of these roles now."""
        marks = ", ".join("?" * len(roles))
        found = self._database.run(
            f"SELECT 1 FROM roles WHERE player = ? AND role IN ({marks}) LIMIT 1", user_id, *roles
        )
        return bool(found)

    def of(self, user_id: str) -> list[Role]:
        """Return a user's roles, sorted."""
        rows = self._database.run("SELECT role FROM roles WHERE player = ? ORDER BY role", user_id)
        return [role for (role,) in rows]

    def holders(self) -> list[tuple[str, str]]:
        """Return every (name, role), sorted."""
        return [
            (name, role)
            for name, role in self._database.run(
                "SELECT u.name, r.role FROM roles r JOIN users u ON u.player = r.player ORDER BY u.name, r.role"
            )
        ]
