"""The data about a player in forming tables: to export it, and to erase it with the player."""

from typing import TypedDict

from api.tables.stored.seats import CLAIMED, TableStatus
from api.tables.stored.table_lists import TableLists
from domain.json_fields import Uuid
from domain.store.sql.database import Database, Transaction

LOCK_TABLES = (
    "UPDATE forming_tables SET revision = revision + 1 WHERE status = ?"
    " AND (opener = ? OR game IN (SELECT game FROM forming_seats WHERE player = ?))"
)
EMPTY_SEATS = (
    "UPDATE forming_seats SET kind = vacant, player = NULL, bot = NULL, state = vacant WHERE player = ?"
    " AND game IN (SELECT game FROM forming_tables WHERE status = ?)"
)
OWN_TABLES = "SELECT game FROM forming_tables WHERE opener = ? AND status = ?"
FORGET = (
    "DELETE FROM table_invitees WHERE player = ?",
    "DELETE FROM seating_allowances WHERE player = ?",
    "DELETE FROM seating_friends WHERE player = ?",
    "DELETE FROM seating_friends WHERE friend = ?",
)


def leave_tables(transaction: Transaction, player: str) -> None:
    """Free the player's seats, decline what they're asked, and cancel the tables they opened.

    A table that has closed keeps its seats: it becomes a game, whose log keeps the id.
    """
    transaction.run(LOCK_TABLES, TableStatus.FORMING, player, player)
    transaction.run(EMPTY_SEATS, player, TableStatus.FORMING)
    transaction.run(f"UPDATE openings SET over = 1 WHERE game IN ({OWN_TABLES})", player, TableStatus.FORMING)
    transaction.run(
        "UPDATE forming_tables SET status = ? WHERE opener = ? AND status = ?",
        TableStatus.CANCELLED, player, TableStatus.FORMING,
    )  # fmt: skip


def erase_player(transaction: Transaction, player: str) -> None:
    """Let the player leave all tables that form, and forget their friends."""
    leave_tables(transaction, player)
    for statement in FORGET:
        transaction.run(statement, player)


class OwnTables(TypedDict):
    """The tables that the caller opened or has to do with, by id, and the caller's friends and blocks."""

    opened_tables: list[Uuid]
    seats: list[Uuid]
    friends: list[str]
    questions: list[Uuid]
    seated_at_once: bool


def own_data(database: Database, player: str) -> OwnTables:
    """Return what is stored about a player beside the log: tables, questions and friends, by id.

    A question that a block kept from the player isn't there: nobody hears of a block.
    """
    opened = database.run("SELECT game FROM forming_tables WHERE opener = ? ORDER BY created", player)
    seats = database.run("SELECT game FROM forming_seats WHERE player = ? AND state = ? ORDER BY game", player, CLAIMED)
    friends = database.run("SELECT friend FROM seating_friends WHERE player = ? ORDER BY friend", player)
    at_once = database.run("SELECT at_once FROM seating_allowances WHERE player = ?", player)
    return {
        "opened_tables": [game for (game,) in opened],
        "seats": [game for (game,) in seats],
        "friends": [friend for (friend,) in friends],
        "questions": [table.game for table in TableLists(database).all_questions(player)],
        "seated_at_once": bool(at_once and at_once[0][0]),
    }
