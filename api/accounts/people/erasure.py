"""Erases everything that names a person or that a person wrote, but not the player's id, which logs of games hold.

The ids of erased people are kept, and a backup names them too, so that a restore erases these people again.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from api.accounts.admin_log import INSERT_ENTRY, AdminLogEntry
from api.accounts.conduct.personal import erase_conduct
from api.accounts.inbox import outbox, webhooks
from api.accounts.mail import answers, board_mails, levels
from api.accounts.people import command_settings, hours, token_epochs
from api.accounts.tables import handover_offers, held_moves, player_data
from api.accounts.users import count_name_change
from domain.engine.timestamps import format_time
from projections.storage.database import Database, Transaction

TABLES = ("CREATE TABLE IF NOT EXISTS erasures (player TEXT PRIMARY KEY, at BIGINT NOT NULL, resigned BIGINT)",)
USER_DELETED = "user-deleted"
ERASE_TEXTS = """UPDATE texts SET salt = NULL, text = NULL, details = NULL, author = NULL, erased = COALESCE(erased, ?)
    WHERE author = ?"""
INSERT_ERASURE = "INSERT INTO erasures VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


def _erase_rows(transaction: Transaction, player: str) -> None:
    """Delete the rows about a player in the tables of this package."""
    for table in ("tokens", "roles", "recovery_codes", "emails", "mails", "users"):
        transaction.run(f"DELETE FROM {table} WHERE player = ?", player)
    count_name_change(transaction)


def _erase_texts(transaction: Transaction, player: str) -> None:
    """Erase the texts of disputes that a player wrote. Their notes stay in the log."""
    transaction.run(ERASE_TEXTS, transaction.now(), player)


ERASERS: tuple[Callable[[Transaction, str], None], ...] = (
    _erase_rows,
    _erase_texts,
    hours.erase_player,
    player_data.erase_player,
    handover_offers.erase_player,
    erase_conduct,
    outbox.erase_player,
    webhooks.erase_player,
    held_moves.erase_player,
    command_settings.erase_player,
    token_epochs.erase_player,
    levels.erase_player,
    board_mails.erase_player,
    answers.erase_player,
)
"""Each erases a player's data from some tables, in the transaction that it gets."""


@dataclass(frozen=True)
class Erasure:
    """The id of an erased player, and the time in UTC microseconds since 1970."""

    player: str
    at: int


class Erasures:
    """The table `erasures`. `resigned` is None for a player who may still have seats in running games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def erase(self, player: str) -> None:
        """Erase a player who has resigned their seats, remember the id, and write the admin log."""
        at = self._database.now()
        self._erase(AdminLogEntry(format_time(at), USER_DELETED, {"player": player}), Erasure(player, at), at)

    def erase_again(self, erasures: Iterable[Erasure]) -> None:
        """Erase the same people in a store that was put back from a backup; their seats aren't resigned yet."""
        for each in erasures:
            at = format_time(self._database.now())
            self._erase(AdminLogEntry(at, USER_DELETED, {"player": each.player, "reason": "restore"}), each, None)

    def erase_without_trace(self, player: str) -> None:
        """Erase a player whose id is in no log, such as a guest who never played."""
        with self._database.transaction(writes=True) as transaction:
            erase_player(transaction, player)
        self._database.drop_deleted()

    def all(self) -> list[Erasure]:
        """Return every erasure, oldest first."""
        rows = self._database.run("SELECT player, at FROM erasures ORDER BY at, player")
        return [Erasure(player, at) for player, at in rows]

    def seated(self) -> list[str]:
        """Return the erased players who may still have seats."""
        rows = self._database.run("SELECT player FROM erasures WHERE resigned IS NULL ORDER BY at, player")
        return [player for (player,) in rows]

    def finish(self, player: str) -> None:
        """Record that an erased player has no seat in a running game any more."""
        self._database.run("UPDATE erasures SET resigned = ? WHERE player = ?", self._database.now(), player)

    def _erase(self, entry: AdminLogEntry, erasure: Erasure, resigned: int | None) -> None:
        player = erasure.player
        with self._database.transaction(writes=True) as transaction:
            transaction.lock_schema()  # the next number of the admin log is nobody else's
            known = transaction.run("SELECT 1 FROM users WHERE player = ?", player)
            erase_player(transaction, player)
            transaction.run(INSERT_ERASURE, player, erasure.at, resigned)
            if known:
                transaction.run(INSERT_ENTRY, *entry.row)
        self._database.drop_deleted()


def erase_player(transaction: Transaction, player: str) -> None:
    """Erase a player's data from all tables."""
    for erase in ERASERS:
        erase(transaction, player)
