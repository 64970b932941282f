"""Pages of a player's inbox."""

from collections.abc import Collection
from dataclasses import dataclass

from projections.lists.inbox import OUTBOX
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Row

PLAYERS_AT_ONCE = 500
"""For how many players a statement asks."""


@dataclass(frozen=True)
class InboxPage:
    """Entries in order. The next page begins after `reached`, and `head` is the last number in the inbox.

    Numbers are those of `generation`: in another generation, the same entries have other numbers.
    """

    generation: int
    entries: tuple[Row, ...]
    reached: int
    head: int


def inbox_page(reading: RowSnapshot, player: str, after: int, limit: int, game: str | None = None) -> InboxPage:
    """Return up to `limit` entries above `after`; with `game`, only those about this game."""
    head = inbox_heads(reading, [player]).get(player, 0)
    where, values = "player = ? AND n > ? AND n <= ?", [player, after, head]
    if game is not None:
        where, values = f"{where} AND about = ?", [*values, game]
    found = reading.find("entries", f"WHERE {where} ORDER BY n LIMIT {limit + 1}", *values)
    entries = tuple(found[:limit])
    reached = entries[-1]["n"] if len(found) > limit else head
    return InboxPage(reading.generation, entries, reached, head)


def place_of(reading: RowSnapshot, player: str) -> tuple[int, int]:
    """Return the last number in a player's inbox, and the number of the last note that is in the inboxes."""
    return inbox_heads(reading, [player]).get(player, 0), outbox_position(reading)


def last_about(reading: RowSnapshot, player: str, game: str) -> int:
    """Return the last number in a player's inbox that is about a game, or 0."""
    found = reading.find_column("entries", "n", "WHERE player = ? AND about = ? ORDER BY n DESC LIMIT 1", player, game)
    return int(found[0]) if found else 0


def number_before(reading: RowSnapshot, player: str, at: str, note: int) -> int:
    """Return the number after which a player's inbox has all that is newer than a time and a note.

    The time, in the format of events, is for entries of games, and the note's number for those of the outbox. Of a
    rebuilt inbox, what is older may follow, too.
    """
    newer = "player = ? AND ((game <> ? AND at > ?) OR (game = ? AND version > ?))"
    values = player, OUTBOX, at, OUTBOX, note
    found = reading.find_column("entries", "n", f"WHERE {newer} ORDER BY n LIMIT 1", *values)
    return int(found[0]) - 1 if found else inbox_heads(reading, [player]).get(player, 0)


def outbox_position(reading: RowSnapshot) -> int:
    """Return the number of the last note from the accounts that is in the inboxes."""
    rows = reading.find("sources", "WHERE source = ?", OUTBOX)
    return int(rows[0]["last"]) if rows else 0


def inbox_state(reading: RowSnapshot) -> object:
    """Return a value that differs if entries may have been added since."""
    return reading.generation, reading.at, outbox_position(reading)


def inbox_heads(reading: RowSnapshot, players: Collection[str]) -> dict[str, int]:
    """Return the last number in the inbox of each of these players who has any entry."""
    listed, heads = list(players), dict[str, int]()
    for begin in range(0, len(listed), PLAYERS_AT_ONCE):
        some = listed[begin : begin + PLAYERS_AT_ONCE]
        rows = reading.find("heads", f"WHERE owner IN ({', '.join('?' * len(some))})", *some)
        heads |= {row["owner"]: row["last"] for row in rows}
    return heads
