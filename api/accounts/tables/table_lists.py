"""Lists of forming tables as a player may see them.

A table is hidden from a player if one of them has blocked the opener or somebody seated there, or was blocked by one of
these, unless the player has a seat there already: nobody learns of a block.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from api.accounts.clock import now
from api.accounts.tables.seats import ASKED, CLAIMED, FormingTable, TableStatus, read_tables
from projections.storage.database import Database

OWN = "EXISTS (SELECT 1 FROM forming_seats s WHERE s.game = f.game AND s.player = ? AND s.state = ?)"
AT_TABLE = "SELECT s.player FROM forming_seats s WHERE s.game = f.game AND s.kind = 'human' AND s.state = 'claimed'"
BLOCKED = (
    f"EXISTS (SELECT 1 FROM blocks b WHERE (b.player = ? AND (b.other = f.opener OR b.other IN ({AT_TABLE})))"
    f" OR (b.other = ? AND (b.player = f.opener OR b.player IN ({AT_TABLE}))))"
)
INVITED = "EXISTS (SELECT 1 FROM table_invitees i WHERE i.game = f.game AND i.player = ?)"


@dataclass(frozen=True)
class TableFilter:
    """A filter on open tables; None means any. `player` has a seat there; `before` is (created, id) of another one."""

    variant: str | None = None
    player: str | None = None
    before: tuple[int, str] | None = None


class TableLists:
    """Reads of the forming tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open_tables(self, viewer: str | None, criteria: TableFilter, limit: int) -> list[FormingTable]:
        """Return forming tables that the viewer may see, the newest first."""
        where, values = _visible(viewer)
        for condition, chosen in _conditions(criteria):
            where += f" AND {condition}"
            values += chosen
        tail = f"WHERE f.status = ? AND f.expires > ? AND {where} ORDER BY f.created DESC, f.game DESC LIMIT {limit}"
        return self._read(tail, TableStatus.FORMING, now(), *values)

    def questions(self, player: str) -> list[FormingTable]:
        """Return the forming tables that ask a player to sit down, the newest first."""
        where, values = _visible(player)
        tail = f"WHERE f.status = ? AND f.expires > ? AND {OWN} AND {where} ORDER BY f.created DESC, f.game DESC"
        return self._read(tail, TableStatus.FORMING, now(), player, ASKED, *values)

    def visible(self, game: str, viewer: str | None, *, by_invitation: bool = False) -> FormingTable | None:
        """Return a table if the viewer may see it: as one of the players, by invitation, or because it's open.

        A table that was cancelled or has lapsed is there for those who were at it.
        """
        where, values = _visible(viewer, everything=by_invitation)
        found = self._read(f"WHERE f.game = ? AND {where}", game, *values)
        ended = bool(found) and found[0].status in (TableStatus.CANCELLED, TableStatus.LAPSED)
        return None if not found or (ended and not found[0].concerns(viewer)) else found[0]

    def is_invited(self, game: str, player: str) -> bool:
        """Return whether a player was ever asked to this table, or took a seat at it."""
        find = "SELECT 1 FROM table_invitees WHERE game = ? AND player = ?"
        return bool(self._database.run(find, game, player))

    def count_asked(self, opener: str, player: str) -> int:
        """Return how many of the opener's forming tables ask a player who hasn't answered."""
        count = f"SELECT COUNT(*) FROM forming_tables f WHERE f.opener = ? AND f.status = ? AND f.expires > ? AND {OWN}"
        return int(self._database.run(count, opener, TableStatus.FORMING, now(), player, ASKED)[0][0])

    def all_tables(self, status: str | None, limit: int) -> list[FormingTable]:
        """Return tables for the host, the newest first."""
        where, values = ("WHERE f.status = ?", [status]) if status else ("", [])
        return self._read(f"{where} ORDER BY f.created DESC, f.game DESC LIMIT {limit}", *values)

    def _read(self, tail: str, *values: Any) -> list[FormingTable]:
        with self._database.transaction(writes=False) as transaction:
            return read_tables(transaction, tail, *values)


def _visible(viewer: str | None, *, everything: bool = False) -> tuple[str, list[Any]]:
    """Return the condition for tables that a viewer may see, and its values."""
    shown = "1 = 1" if everything else "f.listed = 1"
    if viewer is None:
        return f"({shown})", []
    where = f"(f.opener = ? OR {OWN} OR (({shown} OR {INVITED}) AND NOT {BLOCKED}))"
    return where, [viewer, viewer, CLAIMED, viewer, viewer, viewer]


def _conditions(criteria: TableFilter) -> Sequence[tuple[str, list[Any]]]:
    conditions: tuple[tuple[str, list[Any] | None], ...] = (
        ("f.variant = ?", None if criteria.variant is None else [criteria.variant]),
        (OWN, None if criteria.player is None else [criteria.player, CLAIMED]),
        ("(f.created, f.game) < (?, ?)", None if criteria.before is None else [*criteria.before]),
    )
    return [(condition, values) for condition, values in conditions if values is not None]
