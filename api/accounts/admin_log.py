"""The admin log: what operators did to the stores, such as a restore. Every later audit reports it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from projections.storage.database import Database

TABLES = (
    """CREATE TABLE IF NOT EXISTS journal (
        number BIGINT PRIMARY KEY, at TEXT NOT NULL, what TEXT NOT NULL, told TEXT NOT NULL)""",
)
RESTORED = "restored"
INSERT_ENTRY = "INSERT INTO journal SELECT COALESCE(MAX(number), 0) + 1, ?, ?, ? FROM journal"


@dataclass(frozen=True)
class AdminLogEntry:
    """An event in the life of the stores: its time (UTC, six decimals), its kind in one word, and its details."""

    at: str
    what: str
    details: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the entry as audit reports show it."""
        return {"at": self.at, "what": self.what, **self.details}

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

    def to_json(self) -> tuple[dict[str, Any], ...]:
        """Return every entry as audit reports show it."""
        return tuple(entry.to_json() for entry in self.entries())
