"""Everything stored about one person: exported as JSON values, and erased with the account.

An account stops at once, and is erased after a day unless its owner comes back.

The ids of erased people are kept, and a backup names them too, so that a restore erases these people again.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from api.accounts.times import iso_time
from api.clock.records import put_off
from api.conduct.stored import conduct_data, private_messages
from api.conduct.stored.conduct_data import erase_conduct
from api.inbox.stored import outbox, webhooks
from api.mail.stored import answers, board_mails, levels
from api.people.stored import hours, sessions, settings
from api.people.stored.admin_log import INSERT_ENTRY, AdminLogEntry
from api.people.stored.sessions import REVOKE_ALL, list_tokens
from api.people.stored.token_scopes import DAY, TokenGrant, insert_token
from api.people.stored.users import BadLogin, count_name_change
from api.tables.stored import handover_offers, held_moves, player_data
from api.tables.stored.player_data import leave_tables
from domain.engine.timestamps import format_time
from projections.storage.database import Database, Transaction


def _user(database: Database, player: str) -> object:
    rows = database.run("SELECT name, created, guest FROM users WHERE player = ?", player)
    return [{"id": player, "name": name, "created": iso_time(at), "guest": bool(guest)} for name, at, guest in rows]


def _tokens(database: Database, player: str) -> object:
    return [token.to_json() for token in list_tokens(database, player)]


def _roles(database: Database, player: str) -> object:
    return [role for (role,) in database.run("SELECT role FROM roles WHERE player = ? ORDER BY role", player)]


def _email(database: Database, player: str) -> object:
    rows = database.run("SELECT address, asked, confirmed FROM emails WHERE player = ?", player)
    return [{"address": to, "asked": iso_time(at), "confirmed": iso_time(done)} for to, at, done in rows]


def _recovery_codes(database: Database, player: str) -> object:
    rows = database.run("SELECT created, used FROM recovery_codes WHERE player = ? ORDER BY number", player)
    return [{"created": iso_time(created), "used": iso_time(used)} for created, used in rows]


def _opened_games(database: Database, player: str) -> object:
    rows = database.run("SELECT game, opened FROM openings WHERE opener = ? ORDER BY opened, game", player)
    return [{"game": game, "opened": iso_time(opened)} for game, opened in rows]


def _dispute_texts(database: Database, player: str) -> object:
    query = "SELECT game, text, details, written FROM texts WHERE author = ? ORDER BY written, command"
    return [
        {"game": game, "text": text, "written": iso_time(written)}
        | ({} if details is None else {"details": json.loads(details)})
        for game, text, details, written in database.run(query, player)
    ]


OWN_DATA: Mapping[str, Callable[[Database, str], object]] = {
    "user": _user,
    "tokens": _tokens,
    "roles": _roles,
    "email": _email,
    "recovery_codes": _recovery_codes,
    "hours": hours.own_data,
    "opened_games": _opened_games,
    "dispute_texts": _dispute_texts,
    "tables": player_data.own_data,
    "handover_offers": handover_offers.own_data,
    "blocks": conduct_data.blocks_by,
    "messages": conduct_data.messages_by,
    "private_messages": private_messages.own_data,
    "reports": conduct_data.reports_by,
    "steps": conduct_data.steps_against,
    "inbox_notes": outbox.own_data,
    "webhooks": webhooks.own_data,
    "held_moves": held_moves.own_data,
    "command_settings": settings.own_data,
    "mail_levels": levels.own_data,
    "board_mails": board_mails.own_data,
    "mail_answers": answers.own_data,
}
"""The parts of the export, each with the function that reads it."""


def own_data(database: Database, player: str) -> dict[str, object]:
    """Return all parts about a player, by name."""
    return {name: read(database, player) for name, read in OWN_DATA.items()}


GRACE = DAY
LEAVE = "UPDATE users SET leaving = ? WHERE player = ? AND leaving IS NULL"
COME_BACK = "UPDATE users SET leaving = NULL WHERE player = ? AND password = ?"

PUT_OFF = put_off("users", "leaving", since=f"(leaving - {GRACE})", due="leaving", where="leaving IS NOT NULL")


class Leaving:
    """The users who have asked to be deleted; `leaving` is when that happens, in UTC microseconds since 1970."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def leave(self, player: str) -> int:
        """Let a player leave, as `begin_leaving` does, and return when the player will be erased."""
        with self._database.transaction(writes=True) as transaction:
            return begin_leaving(transaction, player)

    def come_back(self, player: str, password_hash: str, grant: TokenGrant) -> str:
        """Keep the account after all, and return a new token. Raise BadLogin if the password has changed."""
        with self._database.transaction(writes=True) as transaction:
            if not transaction.count_changes(COME_BACK, player, password_hash):
                raise BadLogin
            return insert_token(transaction, player, grant)

    def is_leaving(self, player: str) -> bool:
        """Return whether a player has asked to be deleted, and hasn't come back."""
        return bool(self._database.run("SELECT 1 FROM users WHERE player = ? AND leaving IS NOT NULL", player))

    def due(self, at: int) -> list[str]:
        """Return the players whose day is over at a time, in that order."""
        rows = self._database.run("SELECT player FROM users WHERE leaving < ? ORDER BY leaving, player", at)
        return [player for (player,) in rows]


def begin_leaving(transaction: Transaction, player: str) -> int:
    """Revoke a player's tokens, refuse log-ins, and return when the player will be erased. A repeat keeps that time.

    The player leaves the tables that form, so that no game begins with somebody who has left.
    """
    transaction.run(LEAVE, transaction.now() + GRACE, player)
    transaction.run(REVOKE_ALL, transaction.now(), player)
    leave_tables(transaction, player)
    return int(transaction.run("SELECT leaving FROM users WHERE player = ?", player)[0][0])


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
    settings.erase_player,
    sessions.erase_player,
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
