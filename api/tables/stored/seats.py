"""A forming table and its seats: their values, their rows, and the players whom a block keeps away.

They don't notice: a table that everybody sees is there for them too, and a claim is refused in the usual words. If the
table asks them, they get nothing of it, as somebody who was never asked.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from api.conduct.stored.blocks import players_apart
from domain.store.sql.database import RowValues, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS forming_tables (
        game TEXT PRIMARY KEY, board BIGINT NOT NULL, opener TEXT NOT NULL, command TEXT NOT NULL,
        variant TEXT NOT NULL, body TEXT NOT NULL, listed BIGINT NOT NULL, rematch_of TEXT, status TEXT NOT NULL,
        revision BIGINT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS forming_tables_by_status ON forming_tables (status, expires)",
    "CREATE INDEX IF NOT EXISTS forming_tables_by_age ON forming_tables (status, created, game)",
    "CREATE INDEX IF NOT EXISTS forming_tables_by_opener ON forming_tables (opener, status)",
    "CREATE INDEX IF NOT EXISTS forming_tables_by_rematch ON forming_tables (rematch_of, status)",
    """CREATE TABLE IF NOT EXISTS forming_seats (
        game TEXT NOT NULL, seat BIGINT NOT NULL, kind TEXT NOT NULL, player TEXT, bot TEXT, state TEXT NOT NULL,
        vacant TEXT NOT NULL, PRIMARY KEY (game, seat))""",
    "CREATE UNIQUE INDEX IF NOT EXISTS forming_seats_by_player ON forming_seats (player, game)",
    """CREATE TABLE IF NOT EXISTS table_invitees (
        game TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (game, player))""",
)
OPEN, INVITE, ASKED, CLAIMED = "open", "invite", "asked", "claimed"
EMPTY_SEATS = (OPEN, INVITE)
"""How a body names a seat without a player: anybody may claim it, or only a player with an invitation."""
SELECT_TABLES = (
    "SELECT f.game, f.board, f.opener, f.command, f.variant, f.body, f.listed, f.rematch_of, f.status, f.revision,"
    " f.created, f.expires FROM forming_tables f"
)


class TableStatus(StrEnum):
    """Tables form until they close, are cancelled or lapse. A closed table is dealt once its game is in the log."""

    FORMING = "forming"
    CLOSING = "closing"
    DEALT = "dealt"
    CANCELLED = "cancelled"
    LAPSED = "lapsed"


FULL = (TableStatus.CLOSING, TableStatus.DEALT)
"""The table has its players, and its game starts or has started."""


class NotForming(Exception):
    """The table doesn't form any more."""

    def __init__(self, status: TableStatus) -> None:
        super().__init__(_ENDED[status])
        self.status = status


class StaleRevision(Exception):
    """The table has changed since the revision that the caller knew."""

    def __init__(self, revision: int) -> None:
        super().__init__(f"The table has changed; it's at revision {revision} now. Read it again.")
        self.revision = revision


class SeatTaken(Exception):
    """The table has no such seat for this player. A player whom a block keeps away gets the same words."""

    def __init__(self, message: str = "This table has no such seat for you to take. Read the table again.") -> None:
        super().__init__(message)


class SeatsEmpty(Exception):
    """A table can't start, since seats are empty."""

    def __init__(self, seats: list[int]) -> None:
        super().__init__(
            f"Nobody has taken seat {', '.join(map(str, seats))} yet. Wait, or name a bot for the empty seats:"
            ' {"bots": "bot:simple"}.'
        )


_ENDED = {
    TableStatus.CLOSING: "This table is full, and its game starts. Read the game.",
    TableStatus.DEALT: "This table's game has started. Read the game.",
    TableStatus.CANCELLED: "This table was cancelled by the player who opened it.",
    TableStatus.LAPSED: "This table wasn't full in time, and has lapsed.",
}


@dataclass(frozen=True)
class FormingSeat:
    """A seat: `kind` is human, bot, open or invite, `state` claimed, asked, open or invite.

    `vacant` is what the seat becomes when its player leaves or declines: open or invite.
    """

    seat: int
    kind: str
    player: str | None
    bot: str | None
    state: str
    vacant: str

    def vacated(self) -> "FormingSeat":
        """Return the seat without its player."""
        return replace(self, kind=self.vacant, player=None, bot=None, state=self.vacant)


@dataclass(frozen=True)
class FormingTable:
    """A table before the deal. `game` is its id and later its game's; `body` holds the options as loaded.

    `listed` tables are shown to everybody. `created` and `expires` are UTC microseconds.
    """

    game: str
    board: int
    opener: str
    command: str
    body: Mapping[str, Any]
    listed: bool
    rematch_of: str | None
    status: TableStatus
    revision: int
    created: int
    expires: int
    seats: tuple[FormingSeat, ...]

    def seat_of(self, player: str) -> FormingSeat | None:
        """Return the seat that a player has or is asked to take."""
        return next((seat for seat in self.seats if seat.player == player), None)

    def concerns(self, player: str | None) -> bool:
        """Return whether a player opened the table, has a seat or is asked to take one."""
        return player is not None and (player == self.opener or self.seat_of(player) is not None)


def table_row(table: FormingTable) -> RowValues:
    return (
        table.game, table.board, table.opener, table.command, table.body["variant"],
        json.dumps(dict(table.body), sort_keys=True), int(table.listed), table.rematch_of, table.status.value,
        table.revision, table.created, table.expires,
    )  # fmt: skip


def seat_row(game: str, seat: FormingSeat) -> RowValues:
    return game, seat.seat, seat.kind, seat.player, seat.bot, seat.state, seat.vacant


def read_tables(transaction: Transaction, tail: str, *values: Any) -> list[FormingTable]:
    """Return the tables of `SELECT_TABLES` and a tail, with their seats."""
    rows = transaction.run(f"{SELECT_TABLES} {tail}", *values)
    seats: dict[str, list[FormingSeat]] = {row[0]: [] for row in rows}
    found = transaction.read_among("SELECT * FROM forming_seats", "game", list(seats)) if rows else []
    for game, *seat in sorted(found, key=lambda row: row[1]):
        seats[game].append(FormingSeat(*seat))
    return [_table(row, tuple(seats[row[0]])) for row in rows]


def _table(row: RowValues, seats: tuple[FormingSeat, ...]) -> FormingTable:
    game, board, opener, command, _, body, listed, rematch_of, status, revision, created, expires = row
    return FormingTable(
        game, board, opener, command, json.loads(body), bool(listed), rematch_of, TableStatus(status), revision,
        created, expires, seats,
    )  # fmt: skip


def read_table(transaction: Transaction, game: str) -> FormingTable | None:
    found = read_tables(transaction, "WHERE f.game = ?", game)
    return found[0] if found else None


def require_forming(table: FormingTable | None, revision: int | None, at: int) -> FormingTable:
    """Return a table that forms at a time, at that revision unless it's None. Raise NotForming or StaleRevision."""
    if table is None:
        raise NotForming(TableStatus.CANCELLED)
    if table.status != TableStatus.FORMING:
        raise NotForming(table.status)
    if table.expires <= at:
        raise NotForming(TableStatus.LAPSED)
    if revision is not None and revision != table.revision:
        raise StaleRevision(table.revision)
    return table


def is_kept_away(transaction: Transaction, table: FormingTable, player: str) -> bool:
    """Return whether a block stands between a player and the opener, or somebody who sits at the table."""
    return _stands_between(players_apart(transaction, player), table)


def known_to(transaction: Transaction, table: FormingTable, viewer: str | None) -> FormingTable:
    """Return the table without a request to the viewer from which a block keeps them away."""
    return all_known_to(transaction, [table], viewer)[0]


def all_known_to(transaction: Transaction, tables: Iterable[FormingTable], viewer: str | None) -> list[FormingTable]:
    """Return tables as `known_to` does."""
    found = list(tables)
    if viewer is None or not any(_asks(table, viewer) for table in found):
        return found
    apart = players_apart(transaction, viewer)
    return [_without_question(table, viewer) if _stands_between(apart, table) else table for table in found]


def _stands_between(apart: frozenset[str], table: FormingTable) -> bool:
    sitting = {seat.player for seat in table.seats if seat.state == CLAIMED}
    return not apart.isdisjoint(sitting | {table.opener})


def _asks(table: FormingTable, viewer: str) -> bool:
    return any(seat.player == viewer and seat.state == ASKED for seat in table.seats)


def _without_question(table: FormingTable, viewer: str) -> FormingTable:
    seats = (
        replace(seat, player=None) if seat.player == viewer and seat.state == ASKED else seat for seat in table.seats
    )
    return replace(table, seats=tuple(seats))
