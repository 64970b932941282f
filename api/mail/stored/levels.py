"""Which mails each player wants, for all games or one, and addresses to which no mail goes because mail came back."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypedDict, get_args

from domain.engine.timestamps import iso_time
from domain.json_fields import Time
from domain.store.sql.database import Database, Transaction

MailLevel = Literal["every", "turn", "digest", "none"]
LEVELS: tuple[MailLevel, ...] = get_args(MailLevel)
"""After every move; when the player has to act, and at the end; once a day; never."""
USUAL_LEVEL: MailLevel = "turn"
ALL_GAMES = ""
TABLES = (
    """CREATE TABLE IF NOT EXISTS mail_levels (
        player TEXT NOT NULL, game TEXT NOT NULL, level TEXT NOT NULL, PRIMARY KEY (player, game))""",
    """CREATE TABLE IF NOT EXISTS mail_stops (
        player TEXT PRIMARY KEY, address TEXT NOT NULL, at BIGINT NOT NULL, reason TEXT NOT NULL)""",
)
UPSERT = """INSERT INTO mail_levels VALUES (?, ?, ?)
    ON CONFLICT (player, game) DO UPDATE SET level = excluded.level"""
STOP = """INSERT INTO mail_stops VALUES (?, ?, ?, ?) ON CONFLICT (player) DO UPDATE
    SET address = excluded.address, at = excluded.at, reason = excluded.reason"""
LOCK_ADDRESS = "UPDATE emails SET tries = tries WHERE player = ? AND address = ?"
SELECT_ADDRESSES = """SELECT e.player, e.address FROM emails e JOIN users u ON u.player = e.player
    LEFT JOIN mail_stops s ON s.player = e.player AND s.address = e.address
    WHERE e.confirmed IS NOT NULL AND s.player IS NULL AND u.disabled IS NULL AND u.leaving IS NULL"""

SELECT_CONFIRMED = """SELECT e.address, e.player FROM emails e JOIN users u ON u.player = e.player
    WHERE e.confirmed IS NOT NULL AND u.disabled IS NULL AND u.leaving IS NULL"""


class StoppedMail(TypedDict):
    """An address to which no mail goes, since mail came back."""

    address: str
    at: Time
    reason: str


class StoredMailLevels(TypedDict):
    """The levels by game id, empty for all other games, and the address to which no mail goes."""

    levels: dict[str, MailLevel]
    stopped: StoppedMail | None


@dataclass(frozen=True)
class MailStop:
    """An address to which no mail goes, since when (UTC microseconds since 1970), and why."""

    address: str
    at: int
    reason: str

    def to_json(self) -> StoppedMail:
        """Return the same as JSON values."""
        return {"address": self.address, "at": iso_time(self.at), "reason": self.reason}


class MailLevels:
    """The tables `mail_levels` and `mail_stops`. Safe for concurrent use by several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, player: str, game: str = ALL_GAMES) -> MailLevel:
        """Return the level of a player, for a game if it has one of its own."""
        found = self.all_of(player)
        return found.get(game, found.get(ALL_GAMES, USUAL_LEVEL))

    def all_of(self, player: str) -> dict[str, MailLevel]:
        """Return the levels that a player has set, by game id; `ALL_GAMES` is the one for all others."""
        return dict(self._database.run("SELECT game, level FROM mail_levels WHERE player = ? ORDER BY game", player))

    def set(self, player: str, level: MailLevel, game: str = ALL_GAMES) -> None:
        """Set a player's level, for all games or one."""
        self._database.run(UPSERT, player, game, level)

    def end_all(self, player: str) -> None:
        """Send a player no more mails about boards: also games with a level of their own lose it."""
        with self._database.transaction(writes=True) as transaction:
            transaction.run("DELETE FROM mail_levels WHERE player = ?", player)
            transaction.run(UPSERT, player, ALL_GAMES, "none")

    def addresses(self, players: Collection[str]) -> dict[str, str]:
        """Return the confirmed addresses of these players to which mail may go."""
        with self._database.transaction(writes=False) as transaction:
            rows = transaction.run(SELECT_ADDRESSES) if len(players) > 20 else [
                row for player in players for row in transaction.run(f"{SELECT_ADDRESSES} AND e.player = ?", player)
            ]  # fmt: skip
        wanted = set(players)
        return {player: address for player, address in rows if player in wanted}

    def confirmed_address(self, player: str) -> str | None:
        """Return the confirmed address of a player who may use the server, also if mail came back from it."""
        rows = self._database.run(f"{SELECT_CONFIRMED} AND e.player = ?", player)
        return str(rows[0][0]) if rows else None

    def players_of(self, address: str) -> list[str]:
        """Return the players who may use the server and have confirmed an address, which is in lower case."""
        rows = self._database.run(f"{SELECT_CONFIRMED} AND LOWER(e.address) = ?", address)
        return [str(player) for _, player in rows]

    def stop(self, player: str, address: str, reason: str) -> None:
        """Send no more mail to an address of a player, until they confirm one again.

        Nothing is kept of an address that isn't theirs any more, such as that of a player who was erased meanwhile.
        """
        with self._database.transaction(writes=True) as transaction:
            if transaction.count_changes(LOCK_ADDRESS, player, address):
                transaction.run(STOP, player, address, transaction.now(), reason)

    def stop_of(self, player: str) -> MailStop | None:
        """Return the address of a player to which no mail goes."""
        rows = self._database.run("SELECT address, at, reason FROM mail_stops WHERE player = ?", player)
        return MailStop(*rows[0]) if rows else None

    def count_stops(self) -> int:
        """Return how many addresses get no mail because mail came back."""
        return int(self._database.run("SELECT COUNT(*) FROM mail_stops")[0][0])


def resume_mail(transaction: Transaction, player: str) -> None:
    """Send mail again: the player has confirmed an address."""
    transaction.run("DELETE FROM mail_stops WHERE player = ?", player)


def erase_player(transaction: Transaction, player: str) -> None:
    """Forget what the player has set."""
    for table in ("mail_levels", "mail_stops"):
        transaction.run(f"DELETE FROM {table} WHERE player = ?", player)


def own_data(database: Database, player: str) -> StoredMailLevels:
    """Return the player's levels, and the address to which no mail goes."""
    levels = MailLevels(database)
    stop = levels.stop_of(player)
    return {"levels": levels.all_of(player), "stopped": None if stop is None else stop.to_json()}
