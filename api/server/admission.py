"""The places of a lane. If all are taken, the client with the most loses one of those that still wait."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from api.server.fair_queue import Client

Drop = Callable[[], bool]
"""Refuses a request with LaneFull if it still waits, and returns whether it did."""


class LaneFull(Exception):
    """Every place of the lane is taken, and no other client has more of them."""


class ShareTaken(Exception):
    """One address has taken its share of the lane's places."""


def cannot_drop() -> bool:
    """Return False: this request runs."""
    return False


class Admission:
    """Counts the requests in a lane: at most `places`, and at most `share` of one address."""

    def __init__(self, places: int, share: int) -> None:
        self._places, self._share = places, share
        self._held = dict[str, dict[object, tuple[str, Drop]]]()
        """The requests of each address in the order in which they came, each with its player."""
        self._taken = 0

    @contextmanager
    def place(self, client: Client, drop: Drop = cannot_drop) -> Iterator[None]:
        """Take a place during the block. Raise LaneFull or ShareTaken if the client gets none."""
        own = len(self._held.get(client.address, ()))
        if own >= self._share:
            raise ShareTaken
        if self._taken >= self._places:
            self._make_room(own)
        place = object()
        held = self._held.setdefault(client.address, {})
        held[place] = client.player, drop
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1
            del held[place]
            if not held:
                del self._held[client.address]

    def _make_room(self, own: int) -> None:
        """Drop the newest waiting request of the address and the player that have the most.

        Raise LaneFull if nobody has more than the address that asks.
        """
        largest = max(self._held.values(), key=len)
        of_player = Counter(player for player, _ in largest.values())
        newest_first = reversed(largest.values())
        by_player = sorted(newest_first, key=lambda each: of_player[each[0]], reverse=True)
        if len(largest) <= own + 1 or not any(drop() for _, drop in by_player):
            raise LaneFull
