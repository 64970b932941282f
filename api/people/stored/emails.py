"""E-mail addresses, each confirmed by a code that was sent there, and the mails that wait to be sent."""

import hashlib
import secrets
from dataclasses import dataclass

from api.mail.stored.levels import resume_mail
from api.people.stored.token_scopes import DAY
from domain.store.sql.database import Database

TABLES = (
    """CREATE TABLE IF NOT EXISTS emails (
        player TEXT PRIMARY KEY, address TEXT NOT NULL, code TEXT, asked BIGINT NOT NULL, tries BIGINT NOT NULL,
        confirmed BIGINT)""",
    """CREATE TABLE IF NOT EXISTS mails (
        number BIGINT PRIMARY KEY, player TEXT NOT NULL, address TEXT NOT NULL, subject TEXT NOT NULL,
        body TEXT NOT NULL, due BIGINT NOT NULL, tries BIGINT NOT NULL)""",
)
CODE_DIGITS = 8
MOST_TRIES = 5
VALID_FOR = DAY
SENDING_US = 60 * 1_000_000
"""How long a process has to send a mail before another one tries."""
MOST_SENDS = 10
UPSERT_ADDRESS = """INSERT INTO emails VALUES (?, ?, ?, ?, 0, NULL) ON CONFLICT (player) DO UPDATE
    SET address = excluded.address, code = excluded.code, asked = excluded.asked, tries = 0, confirmed = NULL"""
INSERT_MAIL = "INSERT INTO mails SELECT COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ?, 0 FROM mails"
COUNT_TRY = """UPDATE emails SET tries = tries + 1 WHERE player = ? AND confirmed IS NULL AND tries < ? AND asked > ?
    RETURNING code"""
CONFIRM = "UPDATE emails SET confirmed = ?, code = NULL WHERE player = ? AND code = ? RETURNING address"
TAKE_MAILS = """SELECT number, address, subject, body, tries FROM mails WHERE due <= ? ORDER BY number LIMIT ?"""
MAILS_AT_ONCE = 20


@dataclass(frozen=True)
class Mail:
    """A mail to send; `tries` counts how often it was tried before."""

    number: int
    address: str
    subject: str
    body: str
    tries: int


class Emails:
    """The tables `emails` and `mails`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(self, player: str, address: str, text: str = "{code}") -> None:
        """Store an unconfirmed address instead of an earlier one, and leave a mail with a code to the worker.

        In `text`, `{code}` stands for the code.
        """
        code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
        body = text.replace("{code}", code)
        with self._database.transaction(writes=True) as transaction:
            transaction.lock_schema()  # the next number of a mail is nobody else's
            transaction.run(UPSERT_ADDRESS, player, address, _sha256(player, code), transaction.now())
            transaction.run("DELETE FROM mails WHERE player = ?", player)
            transaction.run(INSERT_MAIL, player, address, "Confirm your e-mail address", body, transaction.now())

    def confirm(self, player: str, code: str) -> str | None:
        """Return the address that the code confirms; None for a wrong or old code, or after five wrong ones."""
        with self._database.transaction(writes=True) as transaction:
            if not transaction.run(COUNT_TRY, player, MOST_TRIES, transaction.now() - VALID_FOR):
                return None
            confirmed = transaction.run(CONFIRM, transaction.now(), player, _sha256(player, code))
            if confirmed:
                resume_mail(transaction, player)
        return str(confirmed[0][0]) if confirmed else None

    def address(self, player: str) -> tuple[str, bool] | None:
        """Return a player's address and whether it's confirmed; None without one."""
        rows = self._database.run("SELECT address, confirmed FROM emails WHERE player = ?", player)
        return (str(rows[0][0]), rows[0][1] is not None) if rows else None

    def remove(self, player: str) -> None:
        """Delete a player's address and the mails to it."""
        with self._database.transaction(writes=True) as transaction:
            for table in ("emails", "mails"):
                transaction.run(f"DELETE FROM {table} WHERE player = ?", player)

    def take(self) -> list[Mail]:
        """Return mails to send now; nobody else gets them for a minute."""
        with self._database.transaction(writes=True) as transaction:
            transaction.lock_schema()
            mails = [Mail(*row) for row in transaction.run(TAKE_MAILS, transaction.now(), MAILS_AT_ONCE)]
            later = [(transaction.now() + SENDING_US * 2**mail.tries, mail.number) for mail in mails]
            transaction.run_many("UPDATE mails SET due = ?, tries = tries + 1 WHERE number = ?", later)
        return mails

    def waits(self) -> bool:
        """Return whether there is a mail to send."""
        return bool(self._database.run("SELECT 1 FROM mails WHERE due <= ? LIMIT 1", self._database.now()))

    def drop(self, mail: Mail) -> None:
        """Delete a mail that was sent, or that can't be sent."""
        self._database.run("DELETE FROM mails WHERE number = ?", mail.number)

    def delete_unconfirmed(self) -> None:
        """Delete the addresses whose code has expired."""
        self._database.run("DELETE FROM emails WHERE confirmed IS NULL AND asked < ?", self._database.now() - VALID_FOR)


def _sha256(player: str, code: str) -> str:
    return hashlib.sha256(f"{player} {code}".encode()).hexdigest()
