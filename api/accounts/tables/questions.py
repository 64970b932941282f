"""The players whom a new table asks to sit down. A question across a block never arrives."""

from api.accounts.inbox.outbox import InboxNote
from api.accounts.tables.seat_blocks import is_kept_away
from api.accounts.tables.seats import ASKED, CLAIMED, FormingSeat, FormingTable
from projections.storage.database import Transaction


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
