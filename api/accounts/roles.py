"""Roles of users: who may rule on disputes, and who may erase what is said beside the log. A plain player has none."""

from api.accounts.sql import Sql

ARBITER, MODERATOR, OPERATOR = "arbiter", "moderator", "operator"
ROLES = (ARBITER, MODERATOR, OPERATOR)
TABLES = (
    "CREATE TABLE IF NOT EXISTS roles (player TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (player, role))",
)


def grant(sql: Sql, player: str, role: str) -> None:
    """Give a player a role; harmless to repeat."""
    sql.run("INSERT INTO roles VALUES (?, ?) ON CONFLICT DO NOTHING", player, role)


def withdraw(sql: Sql, player: str, role: str) -> None:
    """Take it away again; what he has decided stands."""
    sql.run("DELETE FROM roles WHERE player = ? AND role = ?", player, role)


def has(sql: Sql, player: str, *roles: str) -> bool:
    """Whether a player has one of these roles now."""
    marks = ", ".join("?" * len(roles))
    return bool(sql.run(f"SELECT 1 FROM roles WHERE player = ? AND role IN ({marks}) LIMIT 1", player, *roles))


def holders(sql: Sql) -> list[tuple[str, str]]:
    """Every name that has a role, with it, by name."""
    return [
        (name, role)
        for name, role in sql.run(
            "SELECT u.name, r.role FROM roles r JOIN users u ON u.player = r.player ORDER BY u.name, r.role"
        )
    ]
