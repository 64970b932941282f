"""The players whom a new table asks to sit down. A question to somebody who has blocked the opener never arrives."""

from api.accounts.inbox.outbox import InboxNote, hears_of
from api.accounts.tables.seats import ASKED, CLAIMED, FormingTable
from projections.storage.database import Transaction


def invitees_of(transaction: Transaction, table: FormingTable) -> list[str]:
    """Return the people who sit at a new table or hear that it asks them."""
    people = [(seat.player, seat.state) for seat in table.seats if seat.kind == "human" and seat.player is not None]
    return [player for player, state in people if state == CLAIMED or hears_of(transaction, player, table.opener)]


def question_notes(transaction: Transaction, table: FormingTable) -> list[InboxNote]:
    """Return the notes for the inboxes of the players who hear that the table asks them."""
    asked = [(seat.player, seat.seat) for seat in table.seats if seat.player is not None and seat.state == ASKED]
    return [
        InboxNote(player, "question", table.game, {"asks": "sit", "seat": seat, "from": table.opener})
        for player, seat in asked
        if hears_of(transaction, player, table.opener)
    ]
