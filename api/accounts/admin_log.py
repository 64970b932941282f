"""The office's journal: what happened to the stores themselves, to be told by every audit after it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api.accounts.sql import Sql

TABLES = (
    """CREATE TABLE IF NOT EXISTS journal (
        number BIGINT PRIMARY KEY, at TEXT NOT NULL, what TEXT NOT NULL, told TEXT NOT NULL)""",
)
RESTORED = "restored"
ADDED = "INSERT INTO journal SELECT COALESCE(MAX(number), 0) + 1, ?, ?, ? FROM journal"


@dataclass(frozen=True)
class Note:
    """Something that happened at a time (UTC, six decimals): what, in a word, and more of it."""

    at: str
    what: str
    told: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {"at": self.at, "what": self.what, **self.told}

    @property
    def row(self) -> tuple[str, str, str]:
        """As it is kept."""
        return self.at, self.what, json.dumps(self.told, sort_keys=True)


def notes(sql: Sql) -> tuple[Note, ...]:
    """Everything noted, in order."""
    rows = sql.run("SELECT at, what, told FROM journal ORDER BY number")
    return tuple(Note(at, what, json.loads(told)) for at, what, told in rows)


def told(sql: Sql) -> tuple[dict[str, Any], ...]:
    """The same, as reports have it."""
    return tuple(each.json() for each in notes(sql))
