"""The players whom a block keeps away from a forming table.

They don't notice: a table that everybody sees is there for them too, and a claim is refused in the usual words. If the
table asks them, they hear nothing of it, as somebody who was never asked.
"""

from collections.abc import Iterable
from dataclasses import replace

from api.conduct.stored.blocks import players_apart
from api.tables.stored.seats import ASKED, CLAIMED, FormingTable
from domain.store.sql.database import Transaction


def is_kept_away(transaction: Transaction, table: FormingTable, player: str) -> bool:
    """Return whether a block stands between a player and the opener, or somebody who sits at the table."""
    return _stands_between(players_apart(transaction, player), table)


def known_to(transaction: Transaction, table: FormingTable, viewer: str | None) -> FormingTable:
    """Return the table without a question to the viewer from which a block keeps them away."""
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
