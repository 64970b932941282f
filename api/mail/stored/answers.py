"""Answers to mails: each has the id of the mail that it answers, so that a mail delivered twice is answered once.

The text is deleted once it's sent; the id is kept for 30 days.
"""

from dataclasses import dataclass
from typing import Annotated, TypedDict

from api.accounts.times import iso_time
from domain.json_fields import Time, says
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS mail_answers (
        id TEXT PRIMARY KEY, player TEXT NOT NULL, address TEXT NOT NULL, return_path TEXT NOT NULL,
        message TEXT, due BIGINT NOT NULL, tries BIGINT NOT NULL, written BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS mail_answers_due ON mail_answers (due) WHERE message IS NOT NULL",
)
SECOND = 1_000_000
LEASE_US = 60 * SECOND
KEPT_US = 30 * 24 * 3600 * SECOND
MOST_TRIES = 10
OTHERS = 20
"""How many other processes may take an answer at the same moment before this one gives up."""
SELECT_DUE = "SELECT id, tries FROM mail_answers WHERE due <= ? AND message IS NOT NULL ORDER BY due LIMIT ?"
INSERT = "INSERT INTO mail_answers VALUES (?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING"
TAKE = """UPDATE mail_answers SET due = ?, tries = tries + 1 WHERE id = ? AND due <= ? AND message IS NOT NULL
    RETURNING id, player, address, return_path, message, tries"""


@dataclass(frozen=True)
class MailAnswer:
    """A message to an address; bounces go to `return_path`. `player` is empty for a stranger."""

    id: str
    player: str
    address: str
    return_path: str
    message: str
    tries: int = 0


class MailAnswers:
    """The table `mail_answers`. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, answer: MailAnswer) -> None:
        """Leave an answer to the worker, unless there is or was one with this id."""
        at = self._database.now()
        values = answer.id, answer.player, answer.address, answer.return_path, answer.message
        self._database.run(INSERT, *values, at, at)

    def is_answered(self, identity: str) -> bool:
        """Return whether there is or was an answer with this id."""
        return bool(self._database.run("SELECT 1 FROM mail_answers WHERE id = ?", identity))

    def take(self) -> MailAnswer | None:
        """Return an answer to send now; nobody else gets it for a while."""
        at = self._database.now()
        for identity, tries in self._database.run(SELECT_DUE, at, OTHERS):
            rows = self._database.run(TAKE, at + LEASE_US * 2**tries, identity, at)
            if rows:
                return MailAnswer(*rows[0])
        return None

    def finish(self, answer: MailAnswer) -> None:
        """Delete the text of an answer that is sent, or that can't be sent."""
        self._database.run("UPDATE mail_answers SET message = NULL, address = '' WHERE id = ?", answer.id)

    def waiting(self) -> tuple[int, int | None]:
        """Return how many answers wait, and when the oldest was written."""
        [(count, oldest)] = self._database.run(
            "SELECT COUNT(*), MIN(written) FROM mail_answers WHERE message IS NOT NULL"
        )
        return int(count), None if oldest is None else int(oldest)

    def delete_old(self) -> None:
        """Delete what is older than `KEPT_US`."""
        self._database.run("DELETE FROM mail_answers WHERE written < ?", self._database.now() - KEPT_US)


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete the answers to a player."""
    transaction.run("DELETE FROM mail_answers WHERE player = ?", player)


class StoredMailAnswer(TypedDict):
    """The answer to a mail of the caller."""

    address: str
    waits: Annotated[bool, says("Whether it hasn't been sent yet.")]
    written: Time


def own_data(database: Database, player: str) -> list[StoredMailAnswer]:
    """Return the answers that wait to be sent to a player, as JSON values."""
    rows = database.run("SELECT address, message, written FROM mail_answers WHERE player = ? ORDER BY written", player)
    return [{"address": to, "waits": text is not None, "written": iso_time(at)} for to, text, at in rows]
