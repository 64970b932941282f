"""The admin log: what operators did to the stores, such as a restore, which later audits report, and to users."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.store.sql.database import Database

TABLES = (
    """CREATE TABLE IF NOT EXISTS journal (
        number BIGINT PRIMARY KEY, at TEXT NOT NULL, what TEXT NOT NULL, told TEXT NOT NULL)""",
)
RESTORED, GAME_RESTORED, SERVED_AFTER_LOSS = "restored", "game-restored", "served-after-loss"
SERVED_WITHOUT_ACCOUNTS = "served-without-accounts"
PRIVATE_DETAILS = frozenset({"position"})
"""Details for operators alone: a position counts the facts of all games."""
INSERT_ENTRY = "INSERT INTO journal SELECT COALESCE(MAX(number), 0) + 1, ?, ?, ? FROM journal"


@dataclass(frozen=True)
class AdminLogEntry:
    """An event in the life of the stores: its time (UTC, six decimals), its kind in one word, and its details."""

    at: str
    what: str
    details: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the entry as audit reports show it to everybody, without the log's position."""
        shown = {name: value for name, value in self.details.items() if name not in PRIVATE_DETAILS}
        return {"at": self.at, "what": self.what, **shown}

    @property
    def row(self) -> tuple[str, str, str]:
        """The values for `INSERT_ENTRY`."""
        return self.at, self.what, json.dumps(self.details, sort_keys=True)


class AdminLog:
    """The table `journal`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def entries(self) -> tuple[AdminLogEntry, ...]:
        """Return every entry, oldest first."""
        rows = self._database.run("SELECT at, what, told FROM journal ORDER BY number")
        return tuple(AdminLogEntry(at, what, json.loads(details)) for at, what, details in rows)

    def to_json(self, game: str) -> tuple[dict[str, Any], ...]:
        """Return the entries about the stores and this game, as its audits show them.

        Those about users stay with the host.
        """
        entries = (entry for entry in self.entries() if "player" not in entry.details)
        return tuple(entry.to_json() for entry in entries if entry.details.get("game", game) == game)
