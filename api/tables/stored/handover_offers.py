"""Offers of a seat to another person, who is asked beside the log before the table is (R-P13)."""

from dataclasses import dataclass
from typing import TypedDict

from api.clock import put_off
from api.conduct.stored.blocks import players_apart
from api.inbox.stored.outbox import InboxNote, hears_of, leave_notes
from domain.engine.timestamps import iso_time
from domain.json_fields import PlayerId, Time, Uuid
from domain.store.sql.database import Database, RowValues, Transaction
from projections.lists.inbox_entries import NoteDetails

TABLES = (
    """CREATE TABLE IF NOT EXISTS handover_offers (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, seat BIGINT NOT NULL, asker TEXT NOT NULL, taker TEXT NOT NULL,
        made BIGINT NOT NULL, outcome TEXT)""",
    """CREATE UNIQUE INDEX IF NOT EXISTS handover_offers_open ON handover_offers (game, asker)
        WHERE outcome IS NULL""",
    "CREATE INDEX IF NOT EXISTS handover_offers_to ON handover_offers (taker) WHERE outcome IS NULL",
)
LIFE_S = 7 * 24 * 3600
"""How many seconds an offer stays open."""
DUE = f"(made + {LIFE_S * 1_000_000})"
PUT_OFF = put_off("handover_offers", "made", since="made", due=DUE, where="outcome IS NULL")
SELECT = "SELECT id, game, seat, asker, taker, made FROM handover_offers"


@dataclass(frozen=True)
class HandoverOffer:
    """An open offer of `asker` to hand their seat in a game over to `taker`; `made` is in microseconds since 1970."""

    id: str
    game: str
    seat: int
    asker: str
    taker: str
    made: int

    @property
    def expires(self) -> int:
        """When the offer lapses, in microseconds since 1970."""
        return self.made + LIFE_S * 1_000_000


class OfferOpen(Exception):
    """The player has an open offer of this seat to somebody else."""


class HandoverOffers:
    """The table of offers. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, offer_id: str, game: str, seat: int, asker: str, taker: str) -> HandoverOffer:
        """Return a new offer, or the open one to the same player. Raise OfferOpen if there is one to another."""
        with self._database.transaction(writes=True) as transaction:
            lapse = "UPDATE handover_offers SET outcome = 'lapsed' WHERE outcome IS NULL AND game = ? AND made <= ?"
            transaction.run(lapse, game, _oldest(transaction.now()))
            added = transaction.count_changes(
                "INSERT INTO handover_offers VALUES (?, ?, ?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING",
                offer_id, game, seat, asker, taker, transaction.now(),
            )  # fmt: skip
            rows = transaction.run(f"{SELECT} WHERE outcome IS NULL AND game = ? AND asker = ?", game, asker)
            if added and hears_of(transaction, taker, asker):
                about: NoteDetails = {"offer": offer_id, "seat": seat, "from": asker}
                leave_notes(transaction, [InboxNote(taker, "invitation", game, about)])
        offer = _offer(rows[0])
        if (offer.taker, offer.seat) != (taker, seat):
            raise OfferOpen
        return offer

    def find(self, offer_id: str) -> HandoverOffer | None:
        """Return the offer if it's still open."""
        rows = self._database.run(f"{SELECT} WHERE id = ? AND outcome IS NULL AND made > ?", offer_id, self._oldest())
        return _offer(rows[0]) if rows else None

    def of(self, player: str) -> list[HandoverOffer]:
        """Return the open offers that a player made or got, the oldest first."""
        tail = "WHERE outcome IS NULL AND made > ? AND (asker = ? OR taker = ?) ORDER BY made, id"
        return [_offer(row) for row in self._database.run(f"{SELECT} {tail}", self._oldest(), player, player)]

    def _oldest(self) -> int:
        return _oldest(self._database.now())

    def close(self, offer_id: str, outcome: str) -> None:
        """Close an offer as `accepted`, `declined` or `withdrawn`."""
        close = "UPDATE handover_offers SET outcome = ? WHERE id = ? AND outcome IS NULL"
        self._database.run(close, outcome, offer_id)


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete every offer that a player made or got."""
    transaction.run("DELETE FROM handover_offers WHERE asker = ? OR taker = ?", player, player)


class StoredOffer(TypedDict):
    """An offer of a seat that the caller made or got; `outcome` is null for an open one."""

    id: str
    game: Uuid
    seat: int
    asker: PlayerId
    taker: PlayerId
    made: Time
    outcome: str | None


def own_data(database: Database, player: str) -> list[StoredOffer]:
    """Return the offers that a player made or got, as JSON values; a block keeps an offer from its taker."""
    apart = players_apart(database, player)
    rows = database.run(
        "SELECT id, game, seat, asker, taker, made, outcome FROM handover_offers WHERE asker = ? OR taker = ?"
        " ORDER BY made, id",
        player, player,
    )  # fmt: skip
    return [
        {"id": offer, "game": game, "seat": seat, "asker": asker, "taker": taker, "made": iso_time(made),
         "outcome": outcome}
        for offer, game, seat, asker, taker, made, outcome in rows
        if asker not in apart
    ]  # fmt: skip


def _oldest(at: int) -> int:
    """Return the time at which the oldest offer was made that is open at a time."""
    return at - LIFE_S * 1_000_000


def _offer(row: RowValues) -> HandoverOffer:
    offer_id, game, seat, asker, taker, made = row
    return HandoverOffer(offer_id, game, int(seat), asker, taker, int(made))
