"""E-mail addresses, each confirmed by a code that was sent there, and the mails that wait to be sent."""

import hashlib
import secrets
from dataclasses import dataclass

from api.delivery.stored import queue
from api.delivery.stored.queue import ACCOUNT_MAILS, TakenItem
from api.mail.stored.levels import resume_mail
from api.people.stored.tokens import DAY_US
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS emails (
        player TEXT PRIMARY KEY, address TEXT NOT NULL, code TEXT, asked BIGINT NOT NULL, tries BIGINT NOT NULL,
        confirmed BIGINT)""",
    """CREATE TABLE IF NOT EXISTS mails (
        number BIGINT PRIMARY KEY, player TEXT NOT NULL, address TEXT NOT NULL, subject TEXT NOT NULL,
        body TEXT NOT NULL)""",
)
CODE_DIGITS = 8
MOST_TRIES = 5
VALID_FOR_US = DAY_US
UPSERT_ADDRESS = """INSERT INTO emails VALUES (?, ?, ?, ?, 0, NULL) ON CONFLICT (player) DO UPDATE
    SET address = excluded.address, code = excluded.code, asked = excluded.asked, tries = 0, confirmed = NULL"""
TAKE_NUMBER = """INSERT INTO counters VALUES ('mails', 1)
    ON CONFLICT (name) DO UPDATE SET last = counters.last + 1 RETURNING last"""
COUNT_TRY = """UPDATE emails SET tries = tries + 1 WHERE player = ? AND confirmed IS NULL AND tries < ? AND asked > ?
    RETURNING code"""
CONFIRM = "UPDATE emails SET confirmed = ?, code = NULL WHERE player = ? AND code = ? RETURNING address"


@dataclass(frozen=True)
class AccountMail:
    """A mail about an account. Its number is never another one's."""

    number: int
    address: str
    subject: str
    body: str


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
            transaction.run(UPSERT_ADDRESS, player, address, _sha256(player, code), transaction.now())
            _forget_mails(transaction, player)
            number = transaction.run(TAKE_NUMBER)[0][0]
            values = number, player, address, "Confirm your e-mail address", body
            transaction.run("INSERT INTO mails VALUES (?, ?, ?, ?, ?)", *values)
            queue.add(transaction, ACCOUNT_MAILS, str(number), player, transaction.now())

    def confirm(self, player: str, code: str) -> str | None:
        """Return the address that the code confirms; None for a wrong or old code, or after five wrong ones."""
        with self._database.transaction(writes=True) as transaction:
            if not transaction.run(COUNT_TRY, player, MOST_TRIES, transaction.now() - VALID_FOR_US):
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
            transaction.run("DELETE FROM emails WHERE player = ?", player)
            resume_mail(transaction, player)
            _forget_mails(transaction, player)

    def mail(self, item: TakenItem) -> AccountMail | None:
        """Return the mail that an item stands for."""
        select = "SELECT number, address, subject, body FROM mails WHERE number = ?"
        rows = self._database.run(select, int(item.key))
        return AccountMail(*rows[0]) if rows else None

    def finish(self, item: TakenItem, failure: str | None = None) -> None:
        """Delete a mail that was sent, or that can't be sent because of a failure."""
        with self._database.transaction(writes=True) as transaction:
            if queue.end(transaction, item, failure=failure):
                transaction.run("DELETE FROM mails WHERE number = ?", int(item.key))

    def delete_unconfirmed(self) -> None:
        """Delete the addresses whose code has expired."""
        self._database.run(
            "DELETE FROM emails WHERE confirmed IS NULL AND asked < ?", self._database.now() - VALID_FOR_US
        )


def _forget_mails(transaction: Transaction, player: str) -> None:
    for (number,) in transaction.run("SELECT number FROM mails WHERE player = ?", player):
        queue.forget(transaction, ACCOUNT_MAILS, str(number))  # first, like a sender that has sent it
    transaction.run("DELETE FROM mails WHERE player = ?", player)


def _sha256(player: str, code: str) -> str:
    return hashlib.sha256(f"{player} {code}".encode()).hexdigest()
