"""The players whom a new table asks to sit down, and those whom a player lets seat them at once.

A request across a block never arrives.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from api.inbox.stored.outbox import InboxNote
from api.tables.stored.seats import ASKED, CLAIMED, FormingSeat, FormingTable, is_kept_away
from domain.store.sql.database import Database, Transaction


def invitees_of(transaction: Transaction, table: FormingTable) -> list[str]:
    """Return the people who sit at a new table or hear that it asks them."""
    sitting = [seat.player for seat in table.seats if seat.kind == "human" and seat.state == CLAIMED and seat.player]
    return sitting + [player for player, _ in _questions(transaction, table)]


def question_notes(transaction: Transaction, table: FormingTable) -> list[InboxNote]:
    """Return the notes for the inboxes of the players who hear that the table asks them."""
    return [
        InboxNote(player, "question", table.game, {"asks": "sit", "seat": seat.seat, "from": table.opener})
        for player, seat in _questions(transaction, table)
    ]


def _questions(transaction: Transaction, table: FormingTable) -> list[tuple[str, FormingSeat]]:
    asked = [(seat.player, seat) for seat in table.seats if seat.player is not None and seat.state == ASKED]
    return [(player, seat) for player, seat in asked if not is_kept_away(transaction, table, player)]


TABLES = (
    "CREATE TABLE IF NOT EXISTS seating_allowances (player TEXT PRIMARY KEY, at_once BIGINT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS seating_friends (
        player TEXT NOT NULL, friend TEXT NOT NULL, PRIMARY KEY (player, friend))""",
    "CREATE INDEX IF NOT EXISTS seating_friends_of_friend ON seating_friends (friend)",
)


@dataclass(frozen=True)
class AllowedOpeners:
    """Whether anybody may seat the player at once, and the ids of the friends who may."""

    at_once: bool = False
    friends: tuple[str, ...] = ()

    def allows(self, opener: str) -> bool:
        """Return whether this opener may seat the player without asking."""
        return self.at_once or opener in self.friends


class SeatingAllowances:
    """The table of allowances. A player without a row is asked by everybody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, player: str) -> AllowedOpeners:
        """Return a player's allowances, friends in order of their ids."""
        with self._database.transaction(writes=False) as transaction:
            return _read(transaction, player)

    def set(self, player: str, *, at_once: bool, friends: Iterable[str]) -> None:
        """Replace a player's allowances."""
        with self._database.transaction(writes=True) as transaction:
            transaction.run(
                "INSERT INTO seating_allowances VALUES (?, ?)"
                " ON CONFLICT (player) DO UPDATE SET at_once = excluded.at_once",
                player, int(at_once),
            )  # fmt: skip
            transaction.run("DELETE FROM seating_friends WHERE player = ?", player)
            transaction.run_many(
                "INSERT INTO seating_friends VALUES (?, ?) ON CONFLICT DO NOTHING",
                [(player, friend) for friend in friends],
            )


def _read(transaction: Transaction, player: str) -> AllowedOpeners:
    at_once = transaction.run("SELECT at_once FROM seating_allowances WHERE player = ?", player)
    friends = transaction.run("SELECT friend FROM seating_friends WHERE player = ? ORDER BY friend", player)
    return AllowedOpeners(bool(at_once and at_once[0][0]), tuple(friend for (friend,) in friends))
