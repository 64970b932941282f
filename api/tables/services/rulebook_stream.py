"""Event streams of the check of a rulebook: a frame with it at first, whenever games were played, and at the end."""

from dataclasses import dataclass

import msgspec

from api.play.services.event_stream import Cursor, EventPage, StreamSlot
from api.tables.services.rulebooks import show
from api.tables.stored.rulebooks import Rulebooks, RulebookStatus
from domain.store import NoSuchGame
from replay.rulebook_check import GAMES

START: Cursor = (0, -1)
OVER: Cursor = (0, GAMES + 1)
"""The cursor once the check is over. Before, its number is that of the games played."""
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class RulebookStream:
    """The progress of the check of the rulebook at an address, as `EventStream` is that of a game."""

    address: str
    token_sha256: str | None
    slot: StreamSlot
    wait_s: int | None = None

    @property
    def player(self) -> None:
        """Nobody: nobody is present because they follow a check."""

    @property
    def topic(self) -> str:
        """The signal that wakes the stream: the rulebook."""
        return self.address

    @property
    def start(self) -> Cursor:
        """The cursor before any progress."""
        return START

    @property
    def end(self) -> Cursor | None:
        """The cursor with which the stream ends."""
        return OVER

    @property
    def opening(self) -> bytes:
        """The bytes before the first frame: none."""
        return b""

    def reader_among(self, _holders: frozenset[str]) -> str | None:
        """Return None: everybody sees the same."""
        return None


def read_progress(books: Rulebooks, address: str, after: Cursor) -> EventPage:
    """Return a frame with the rulebook if its check is further than `after`. Raise NoSuchGame if there's none."""
    stored = books.find(address)
    if stored is None:
        raise NoSuchGame(address)
    at = (0, stored.games) if stored.status is RulebookStatus.WAITING else OVER
    frame = b"id: %d\ndata: %b\n\n" % (at[1], _encode(show(stored)))
    return EventPage(((at, frame),) if at > after else (), at, at, at)
