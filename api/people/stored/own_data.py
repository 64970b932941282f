"""Everything stored about one person: exported as JSON values, and erased with the account.

An account stops at once, and is erased after a day unless its owner comes back.

The ids of erased people are kept, and a backup names them too, so that a restore erases these people again.
"""

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from api.accounts import server_nodes
from api.clock import put_off
from api.conduct.stored import conduct_data, private_messages
from api.conduct.stored.conduct_data import StoredBlock, StoredMessage, StoredReport, StoredStep, erase_conduct
from api.conduct.stored.private_messages import StoredPrivateMessage
from api.delivery.stored import queue
from api.delivery.stored.queue import StoredDelivery
from api.evidence.stored.dispute_texts import DisputeDetails
from api.inbox.stored import outbox, webhooks
from api.inbox.stored.outbox import StoredNote
from api.inbox.stored.webhooks import StoredWebhook
from api.mail.stored import board_mails, levels
from api.mail.stored.board_mails import StoredBoardMails
from api.mail.stored.levels import StoredMailLevels
from api.people.stored import hours, settings, tokens
from api.people.stored.admin_log import INSERT_ENTRY, AdminLogEntry
from api.people.stored.hours import StoredHours
from api.people.stored.roles import Role, Roles
from api.people.stored.tokens import DAY_US, REVOKE_ALL, StoredToken, TokenGrant, insert_token, list_tokens
from api.people.stored.users import BadLogin, count_name_change
from api.tables.stored import handover_offers, held_moves, rulebooks, table_lists
from api.tables.stored.handover_offers import StoredOffer
from api.tables.stored.held_moves import StoredHeldMoves
from api.tables.stored.rulebooks import OwnRulebook
from api.tables.stored.table_lists import OwnTables, leave_tables
from domain.engine.timestamps import format_time, iso_time
from domain.json_fields import PlayerId, Time, Uuid
from domain.store.sql.database import Database, Transaction


class StoredUser(TypedDict):
    """A user as the server stores them."""

    id: PlayerId
    name: str
    created: Time
    guest: bool


class StoredAddress(TypedDict):
    """A stored e-mail address."""

    address: str
    asked: Time
    confirmed: Time | None


class StoredCode(TypedDict):
    """A recovery code, without the code."""

    created: Time
    used: Time | None


class StoredOpening(TypedDict):
    """A game that the caller opened."""

    game: Uuid
    opened: Time


class StoredText(TypedDict):
    """A text of the caller in a dispute."""

    game: Uuid
    text: str | None
    written: Time
    details: NotRequired[DisputeDetails]


class StoredData(TypedDict):
    """All that the tables of the accounts hold about a player."""

    user: list[StoredUser]
    tokens: list[StoredToken]
    roles: list[Role]
    email: list[StoredAddress]
    recovery_codes: list[StoredCode]
    hours: StoredHours
    opened_games: list[StoredOpening]
    dispute_texts: list[StoredText]
    tables: OwnTables
    handover_offers: list[StoredOffer]
    blocks: list[StoredBlock]
    messages: list[StoredMessage]
    private_messages: list[StoredPrivateMessage]
    reports: list[StoredReport]
    steps: list[StoredStep]
    inbox_notes: list[StoredNote]
    webhooks: list[StoredWebhook]
    held_moves: list[StoredHeldMoves]
    rulebooks: list[OwnRulebook]
    command_settings: dict[str, str]
    mail_levels: StoredMailLevels
    board_mails: StoredBoardMails
    deliveries: list[StoredDelivery]


def stored_data(database: Database, player: str) -> StoredData:
    """Return all that is stored about a player."""
    return {
        "user": _user(database, player),
        "tokens": [token.to_json() for token in list_tokens(database, player)],
        "roles": Roles(database).of(player),
        "email": _email(database, player),
        "recovery_codes": _recovery_codes(database, player),
        "hours": hours.own_data(database, player),
        "opened_games": _opened_games(database, player),
        "dispute_texts": _dispute_texts(database, player),
        "tables": table_lists.own_data(database, player),
        "handover_offers": handover_offers.own_data(database, player),
        "blocks": conduct_data.blocks_by(database, player),
        "messages": conduct_data.messages_by(database, player),
        "private_messages": private_messages.own_data(database, player),
        "reports": conduct_data.reports_by(database, player),
        "steps": conduct_data.steps_against(database, player),
        "inbox_notes": outbox.own_data(database, player),
        "webhooks": webhooks.own_data(database, player),
        "held_moves": held_moves.own_data(database, player),
        "rulebooks": rulebooks.own_data(database, player),
        "command_settings": settings.own_data(database, player),
        "mail_levels": levels.own_data(database, player),
        "board_mails": board_mails.own_data(database, player),
        "deliveries": queue.own_data(database, player),
    }


def _user(database: Database, player: str) -> list[StoredUser]:
    rows = database.run("SELECT name, created, guest FROM users WHERE player = ?", player)
    return [{"id": player, "name": name, "created": iso_time(at), "guest": bool(guest)} for name, at, guest in rows]


def _email(database: Database, player: str) -> list[StoredAddress]:
    rows = database.run("SELECT address, asked, confirmed FROM emails WHERE player = ?", player)
    return [{"address": to, "asked": iso_time(at), "confirmed": iso_time(done)} for to, at, done in rows]


def _recovery_codes(database: Database, player: str) -> list[StoredCode]:
    rows = database.run("SELECT created, used FROM recovery_codes WHERE player = ? ORDER BY number", player)
    return [{"created": iso_time(created), "used": iso_time(used)} for created, used in rows]


def _opened_games(database: Database, player: str) -> list[StoredOpening]:
    rows = database.run("SELECT game, opened FROM openings WHERE opener = ? ORDER BY opened, game", player)
    return [{"game": game, "opened": iso_time(opened)} for game, opened in rows]


def _dispute_texts(database: Database, player: str) -> list[StoredText]:
    query = "SELECT game, text, details, written FROM texts WHERE author = ? ORDER BY written, command"
    found = list[StoredText]()
    for game, text, details, written in database.run(query, player):
        shown: StoredText = {"game": game, "text": text, "written": iso_time(written)}
        if details is not None:
            shown["details"] = json.loads(details)
        found.append(shown)
    return found


GRACE_US = DAY_US
LEAVE = "UPDATE users SET leaving = ? WHERE player = ? AND leaving IS NULL"
COME_BACK = "UPDATE users SET leaving = NULL WHERE player = ? AND password = ?"

PUT_OFF = put_off("users", "leaving", since=f"(leaving - {GRACE_US})", due="leaving", where="leaving IS NOT NULL")


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

    def among(self, players: Collection[str]) -> set[str]:
        """Return which of these players have asked to be deleted, and haven't come back."""
        with self._database.transaction(writes=False) as transaction:
            rows = transaction.read_among("SELECT player, leaving FROM users", "player", players)
        return {player for player, leaving in rows if leaving is not None}

    def due(self, at: int) -> list[str]:
        """Return the players whose day is over at a time, in that order."""
        rows = self._database.run("SELECT player FROM users WHERE leaving < ? ORDER BY leaving, player", at)
        return [player for (player,) in rows]


def begin_leaving(transaction: Transaction, player: str) -> int:
    """Revoke a player's tokens, refuse log-ins, and return when the player will be erased. A repeat keeps that time.

    The player leaves the tables that form, so that no game begins with somebody who has left.
    """
    transaction.run(LEAVE, transaction.now() + GRACE_US, player)
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
    queue.erase_player,  # first, like the senders of what else is erased
    _erase_rows,
    _erase_texts,
    hours.erase_player,
    table_lists.erase_player,
    handover_offers.erase_player,
    erase_conduct,
    outbox.erase_player,
    webhooks.erase_player,
    held_moves.erase_player,
    rulebooks.erase_player,
    settings.erase_player,
    tokens.erase_player,
    levels.erase_player,
    board_mails.erase_player,
    server_nodes.erase_player,
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
