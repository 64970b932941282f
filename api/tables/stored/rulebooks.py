"""Rulebooks that players have posted, by their address; what the check of each found; and those that the host allows.

The rules are kept, because games play by them. Name, text and author are erased with the author's account.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypedDict

from domain.engine.timestamps import iso_time
from domain.json_fields import Hash, Time
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS rulebooks (
        address TEXT PRIMARY KEY, rules TEXT NOT NULL, name TEXT, text TEXT, author TEXT, added BIGINT NOT NULL,
        status TEXT NOT NULL, games BIGINT NOT NULL, says TEXT, export TEXT, leased BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS rulebooks_by_status ON rulebooks (status, added)",
    "CREATE INDEX IF NOT EXISTS rulebooks_by_author ON rulebooks (author)",
    "CREATE TABLE IF NOT EXISTS allowed_rulebooks (address TEXT PRIMARY KEY, since BIGINT NOT NULL)",
)
FIELDS = "address, rules, name, text, author, added, status, games, says"
IS_LISTED = "address IN (SELECT address FROM allowed_rulebooks)"
IS_ALLOWED = f"({IS_LISTED} OR NOT EXISTS (SELECT 1 FROM allowed_rulebooks))"
"""Whether the host allows a rulebook: any, as long as their list is empty."""
SHOWN = f"{FIELDS}, {IS_ALLOWED}"
LEASE_US = 60 * 1_000_000
"""How long a worker that notes no progress keeps the others away: a game takes much less."""


class RulebookStatus(StrEnum):
    """How far the check of a rulebook is."""

    WAITING = "waiting"
    """for a check, or it's being checked"""
    GREEN = "green"
    """tables can play by it"""
    REFUSED = "refused"
    """a game by it went wrong"""


EARLIER_OF_AUTHOR = f"""SELECT COUNT(*) FROM rulebooks AS earlier WHERE earlier.author = rulebooks.author
    AND earlier.added < rulebooks.added AND earlier.status = '{RulebookStatus.WAITING}'"""
"""How many rulebooks of the same author wait for their check before one."""


@dataclass(frozen=True)
class StoredRulebook:
    """A rulebook: its canonical JSON, what stands beside it, and how many `games` of its check were played.

    `says` is the sentence that refuses it. `allowed` says whether the host allows tables to play by it.
    """

    address: str
    rules: str
    name: str | None = field(repr=False)
    text: str | None = field(repr=False)
    author: str | None
    added: int
    status: RulebookStatus
    games: int
    says: str | None
    allowed: bool


def _rulebook(row: Any) -> StoredRulebook:
    address, rules, name, text, author, added, status, games, says, allowed = row
    return StoredRulebook(address, rules, name, text, author, added, RulebookStatus(status), games, says, bool(allowed))


class Rulebooks:
    """The table of rulebooks. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, address: str, rules: str, name: str, text: str, author: str) -> bool:
        """Add a rulebook that waits for its check, and return whether it's new. A refused one waits once more."""
        insert = f"""INSERT INTO rulebooks ({FIELDS}, export, leased)
            VALUES (?, ?, ?, ?, ?, ?, '{RulebookStatus.WAITING}', 0, NULL, NULL, 0) ON CONFLICT DO NOTHING"""
        again = f"""UPDATE rulebooks SET status = '{RulebookStatus.WAITING}', games = 0, says = NULL, export = NULL
            WHERE address = ? AND status = '{RulebookStatus.REFUSED}'"""
        with self._database.transaction(writes=True) as transaction:
            now = transaction.now()
            if transaction.count_changes(insert, address, rules, name, text, author, now):
                return True
            transaction.run(again, address)
            return False

    def find(self, address: str) -> StoredRulebook | None:
        """Return the rulebook at an address."""
        rows = self._database.run(f"SELECT {SHOWN} FROM rulebooks WHERE address = ?", address)
        return _rulebook(rows[0]) if rows else None

    def names_of(self, addresses: Collection[str]) -> dict[str, str]:
        """Return the names of rulebooks, by their addresses; those that have none are left out."""
        if not addresses:
            return {}
        marks = ", ".join("?" * len(addresses))
        find = f"SELECT address, name FROM rulebooks WHERE name IS NOT NULL AND address IN ({marks})"
        return {str(row[0]): str(row[1]) for row in self._database.run(find, *addresses)}

    def beginning_with(self, prefix: str) -> list[str]:
        """Return the addresses that begin with these hex digits, at most two."""
        find = "SELECT address FROM rulebooks WHERE address >= ? AND address < ? ORDER BY address LIMIT 2"
        return [str(row[0]) for row in self._database.run(find, prefix, prefix + "g")]

    def green(self, limit: int) -> list[StoredRulebook]:
        """Return those that tables can play by, the newest first."""
        return self._read(f"status = '{RulebookStatus.GREEN}' AND {IS_ALLOWED}", limit)

    def for_host(self, limit: int) -> list[StoredRulebook]:
        """Return those that are green, allowed or not, and those on the host's list, the newest first."""
        return self._read(f"(status = '{RulebookStatus.GREEN}' OR {IS_LISTED})", limit)

    def allow(self, address: str) -> None:
        """Put a rulebook on the host's list: from the first one on, tables can play by no other."""
        insert = "INSERT INTO allowed_rulebooks (address, since) VALUES (?, ?) ON CONFLICT DO NOTHING"
        with self._database.transaction(writes=True) as transaction:
            transaction.run(insert, address, transaction.now())

    def forbid(self, address: str) -> bool:
        """Take a rulebook off the host's list, and return whether it was there. Without a list all are allowed."""
        with self._database.transaction(writes=True) as transaction:
            return transaction.count_changes("DELETE FROM allowed_rulebooks WHERE address = ?", address) == 1

    def count_allowed(self) -> int:
        """Return how many rulebooks the host's list has; 0 if there is no list."""
        return int(self._database.run("SELECT COUNT(*) FROM allowed_rulebooks")[0][0])

    def of(self, author: str, limit: int) -> list[StoredRulebook]:
        """Return a player's own, the newest first."""
        return self._read("author = ?", limit, author)

    def _read(self, where: str, limit: int, *values: str) -> list[StoredRulebook]:
        tail = f"WHERE {where} ORDER BY added DESC, address LIMIT {limit}"
        return [_rulebook(row) for row in self._database.run(f"SELECT {SHOWN} FROM rulebooks {tail}", *values)]

    def export_of(self, address: str) -> str | None:
        """Return the export of the game that went wrong."""
        rows = self._database.run("SELECT export FROM rulebooks WHERE address = ?", address)
        return None if not rows else rows[0][0]

    def take_waiting(self) -> StoredRulebook | None:
        """Take a rulebook, so that no other worker checks it meanwhile: authors take turns, then the oldest comes."""
        due = f"SELECT {SHOWN} FROM rulebooks WHERE status = '{RulebookStatus.WAITING}' AND leased <= ?"
        lease = "UPDATE rulebooks SET leased = ? WHERE address = ? AND leased <= ?"
        now = self._database.now()
        for row in self._database.run(f"{due} ORDER BY ({EARLIER_OF_AUTHOR}), added LIMIT 1", now):
            with self._database.transaction(writes=True) as transaction:
                if transaction.count_changes(lease, now + LEASE_US, row[0], now):
                    return _rulebook(row)
        return None

    def note_progress(self, address: str, games: int) -> None:
        """Note how many games were played, and keep the other workers away from now on."""
        self._update("games = ?, leased = ?", address, games, self._database.now() + LEASE_US)

    def finish(self, address: str, status: RulebookStatus, games: int, says: str | None, export: str | None) -> None:
        """Note how the check ended."""
        self._update(
            "status = ?, games = ?, says = ?, export = ?, leased = 0", address, str(status), games, says, export
        )

    def erase_own(self, address: str, author: str) -> None:
        """Erase the name and the text that an author gave a rulebook, and that it's theirs."""
        with self._database.transaction(writes=True) as transaction:
            erase_words(transaction, address, author)

    def _update(self, what: str, address: str, *values: Any) -> None:
        with self._database.transaction(writes=True) as transaction:
            transaction.run(f"UPDATE rulebooks SET {what} WHERE address = ?", *values, address)


class OwnRulebook(TypedDict):
    """A rulebook of the caller's, and what stands beside it."""

    rulebook: Hash
    name: str
    text: str
    added: Time


def own_data(database: Database, player: str) -> list[OwnRulebook]:
    """Return the rulebooks that a player has posted."""
    find = "SELECT address, name, text, added FROM rulebooks WHERE author = ? ORDER BY added, address"
    return [
        {"rulebook": address, "name": name, "text": text, "added": iso_time(added)}
        for address, name, text, added in database.run(find, player)
    ]


def erase_words(transaction: Transaction, address: str, author: str | None = None) -> bool:
    """Erase what stands beside a rulebook, and return whether it had an author. With `author`, only if it's theirs."""
    erase = "UPDATE rulebooks SET name = NULL, text = NULL, author = NULL WHERE address = ? AND author IS NOT NULL"
    if author is None:
        return transaction.count_changes(erase, address) == 1
    return transaction.count_changes(f"{erase} AND author = ?", address, author) == 1


def erase_player(transaction: Transaction, player: str) -> None:
    """Erase what a player wrote beside their rulebooks. The rules stay, because games play by them."""
    transaction.run("UPDATE rulebooks SET name = NULL, text = NULL, author = NULL WHERE author = ?", player)
