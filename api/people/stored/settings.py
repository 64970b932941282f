"""The settings of players: about lines with their password, broadcasts, and whether others see them at the table."""

from collections.abc import Collection

from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS command_settings (
        player TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (player, name))""",
)
UPSERT = """INSERT INTO command_settings VALUES (?, ?, ?)
    ON CONFLICT (player, name) DO UPDATE SET value = excluded.value"""
PASSWORDS, BROADCASTS, PRESENCE = "passwords", "broadcasts", "presence"
SETTINGS = {PASSWORDS: "off", BROADCASTS: "on", PRESENCE: "on"}
"""Each setting with its default.

With `passwords` on, a command line may carry the password instead of a token. With `broadcasts` off, a player gets no
messages to everybody. With `presence` off, nobody sees whether they are at the table.
"""
VALUES = ("on", "off")


class CommandSettings:
    """The table of settings. Safe for concurrent use by several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, player: str) -> dict[str, str]:
        return SETTINGS | dict(self._database.run("SELECT name, value FROM command_settings WHERE player = ?", player))

    def switched_off(self, players: Collection[str], name: str) -> frozenset[str]:
        """Return which of these players have switched a setting off."""
        marks = ", ".join("?" * len(players))
        select = f"SELECT player FROM command_settings WHERE name = ? AND value = 'off' AND player IN ({marks})"
        return frozenset(player for (player,) in self._database.run(select, name, *players)) if players else frozenset()

    def set(self, player: str, name: str, value: str) -> None:
        """Change one setting; raise KeyError for a name that there isn't."""
        SETTINGS[name]
        self._database.run(UPSERT, player, name, value)


def erase_player(transaction: Transaction, player: str) -> None:
    """Forget the player's settings."""
    transaction.run("DELETE FROM command_settings WHERE player = ?", player)


def own_data(database: Database, player: str) -> dict[str, str]:
    """Return what the player has set."""
    return dict(database.run("SELECT name, value FROM command_settings WHERE player = ? ORDER BY name", player))
