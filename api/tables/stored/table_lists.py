"""Lists of forming tables as a player may see them.

A block hides the request to sit down. From the player who made it, it also hides the tables that it keeps
them from, until they sit there. From the other one it hides no table that everybody sees: they would find it without a
token.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from api.tables.stored.seats import ASKED, CLAIMED, FormingTable, TableStatus, all_known_to, read_tables
from domain.json_fields import Uuid
from domain.store.sql.database import Database, Transaction

OWN = "EXISTS (SELECT 1 FROM forming_seats s WHERE s.game = f.game AND s.player = ? AND s.state = ?)"
BLOCKED = """EXISTS (SELECT 1 FROM blocks b WHERE b.player = ? AND (b.other = f.opener OR b.other IN (
    SELECT s.player FROM forming_seats s WHERE s.game = f.game AND s.state = ?)))"""
"""Whether the player has blocked the opener, or somebody who sits there."""
INVITED = "EXISTS (SELECT 1 FROM table_invitees i WHERE i.game = f.game AND i.player = ?)"


@dataclass(frozen=True)
class TableFilter:
    """A filter on open tables; None means any. `players` all have a seat; `before` is (created, id) of another one."""

    variant: str | None = None
    players: tuple[str, ...] = ()
    before: tuple[int, str] | None = None


class TableLists:
    """Reads of the forming tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open_tables(self, viewer: str | None, criteria: TableFilter, limit: int) -> list[FormingTable]:
        """Return forming tables that the viewer may see, the newest first."""
        where, values = _visible(viewer)
        if viewer is not None:
            where += f" AND (f.opener = ? OR {OWN} OR NOT {BLOCKED})"
            values += [viewer, viewer, CLAIMED, viewer, CLAIMED]
        for condition, chosen in _conditions(criteria):
            where += f" AND {condition}"
            values += chosen
        tail = f"WHERE f.status = ? AND f.expires > ? AND {where} ORDER BY f.created DESC, f.game DESC LIMIT {limit}"
        return self._read(viewer, tail, TableStatus.FORMING, self._database.now(), *values)

    def seat_requests(self, player: str) -> list[FormingTable]:
        """Return the forming tables that ask a player to sit down, the newest first."""
        forming = "f.status = ? AND f.expires > ? AND"
        return self._seat_requests(player, forming, TableStatus.FORMING, self._database.now())

    def all_seat_requests(self, player: str) -> list[FormingTable]:
        """Return the tables that ever asked a player, and which they didn't answer, the newest first."""
        return self._seat_requests(player, "")

    def _seat_requests(self, player: str, condition: str, *values: Any) -> list[FormingTable]:
        tail = f"WHERE {condition} {OWN} AND {INVITED} ORDER BY f.created DESC, f.game DESC"
        found = self._read(player, tail, *values, player, ASKED, player)
        return [table for table in found if table.seat_of(player) is not None]

    def visible(self, game: str, viewer: str | None, *, by_invitation: bool = False) -> FormingTable | None:
        """Return a table if the viewer may see it: as one of the players, by invitation, or because it's open.

        A table that was cancelled or has lapsed is there for those who were at it.
        """
        where, values = _visible(viewer, everything=by_invitation)
        found = self._read(viewer, f"WHERE f.game = ? AND {where}", game, *values)
        ended = bool(found) and found[0].status in (TableStatus.CANCELLED, TableStatus.LAPSED)
        return None if not found or (ended and not found[0].concerns(viewer)) else found[0]

    def board_and_variant(self, game: str) -> tuple[int, str] | None:
        """Return the board number and the variant of a table, whatever became of it."""
        rows = self._database.run("SELECT board, variant FROM forming_tables WHERE game = ?", game)
        return None if not rows else (int(rows[0][0]), str(rows[0][1]))

    def is_invited(self, game: str, player: str) -> bool:
        """Return whether a player was ever told that this table asks them, or took a seat at it."""
        find = "SELECT 1 FROM table_invitees WHERE game = ? AND player = ?"
        return bool(self._database.run(find, game, player))

    def count_asked(self, opener: str, player: str) -> int:
        """Return how many of the opener's forming tables ask a player who hasn't answered."""
        count = f"SELECT COUNT(*) FROM forming_tables f WHERE f.opener = ? AND f.status = ? AND f.expires > ? AND {OWN}"
        return int(self._database.run(count, opener, TableStatus.FORMING, self._database.now(), player, ASKED)[0][0])

    def all_tables(self, status: str | None, limit: int) -> list[FormingTable]:
        """Return tables for the host, the newest first."""
        where, values = ("WHERE f.status = ?", [status]) if status else ("", [])
        return self._read(None, f"{where} ORDER BY f.created DESC, f.game DESC LIMIT {limit}", *values)

    def _read(self, viewer: str | None, tail: str, *values: Any) -> list[FormingTable]:
        with self._database.transaction(writes=False) as transaction:
            return all_known_to(transaction, read_tables(transaction, tail, *values), viewer)


def _visible(viewer: str | None, *, everything: bool = False) -> tuple[str, list[Any]]:
    """Return the condition for tables that a viewer may see, and its values."""
    shown = "1 = 1" if everything else "f.listed = 1"
    if viewer is None:
        return f"({shown})", []
    return f"(f.opener = ? OR {OWN} OR {shown} OR {INVITED})", [viewer, viewer, CLAIMED, viewer]


def _conditions(criteria: TableFilter) -> Sequence[tuple[str, list[Any]]]:
    conditions: tuple[tuple[str, list[Any] | None], ...] = (
        ("f.variant = ?", None if criteria.variant is None else [criteria.variant]),
        *((OWN, [player, CLAIMED]) for player in criteria.players),
        ("(f.created, f.game) < (?, ?)", None if criteria.before is None else [*criteria.before]),
    )
    return [(condition, values) for condition, values in conditions if values is not None]


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
    """Return what is stored about a player beside the log: tables, requests and friends, by id.

    A request that a block kept from the player isn't there: nobody gets to know of a block.
    """
    opened = database.run("SELECT game FROM forming_tables WHERE opener = ? ORDER BY created", player)
    seats = database.run("SELECT game FROM forming_seats WHERE player = ? AND state = ? ORDER BY game", player, CLAIMED)
    friends = database.run("SELECT friend FROM seating_friends WHERE player = ? ORDER BY friend", player)
    at_once = database.run("SELECT at_once FROM seating_allowances WHERE player = ?", player)
    return {
        "opened_tables": [game for (game,) in opened],
        "seats": [game for (game,) in seats],
        "friends": [friend for (friend,) in friends],
        "questions": [table.game for table in TableLists(database).all_seat_requests(player)],
        "seated_at_once": bool(at_once and at_once[0][0]),
    }
