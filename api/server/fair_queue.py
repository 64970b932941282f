"""A queue in which each client gets the same time, however much it asks for: first addresses, then players of one.

Start-time fair queueing (Goyal, Vin and Cheng, 1996): a client's next item begins, by the queue's own clock, when its
last one ended, and the item that begins first is taken. The clock stands at the beginning of the item taken last, so a
client that was away gets no time back, and one that has used much waits until the others have had as much.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from heapq import heappop, heappush, heapreplace
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
MOST_REMEMBERED = 4096
"""How many clients without items are remembered before those who owe little are forgotten."""


class Client(NamedTuple):
    """Whose a request is: an address (of IPv6 its network), and the player if one is known there."""

    address: str
    player: str = ""


class FairQueue(Generic[Item]):
    """Items of clients, each named by a path of `levels` names, such as a Client. Not safe for use by several threads.

    Taking an item costs its client `estimate`; `charge` adds what it has cost beyond that. Costs are in one unit of the
    caller's, such as seconds.
    """

    def __init__(self, levels: int, estimate: float) -> None:
        self._levels, self._estimate = levels, estimate
        self._clock = 0.0
        self._ends = dict[str, float]()
        self._turns = list[tuple[float, int, str]]()
        """When the next item of each client with items begins; equal ones are in the order in which they came."""
        self._count = 0
        self._inner = dict[str, FairQueue[Item]]()
        self._items = dict[str, deque[Item]]()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, path: Sequence[str], item: Item) -> None:
        """Add an item behind the others of its client."""
        name, *rest = path
        self._size += 1
        if self._levels == 1:
            waiting = self._items.setdefault(name, deque())
            waiting.append(item)
            if len(waiting) == 1:
                self._queue(name)
            return
        inner = self._inner.get(name)
        if inner is None:
            inner = self._inner[name] = FairQueue(self._levels - 1, self._estimate)
        inner.put(rest, item)
        if len(inner) == 1:
            self._queue(name)

    def next_name(self) -> str:
        """Return the first name of the path of the next item. Raise IndexError if the queue is empty."""
        while (turn := self._turns[0])[0] < (end := self._ends.get(turn[2], 0.0)):
            heapreplace(self._turns, (end, *turn[1:]))  # it was charged since
        return turn[2]

    def take(self) -> Item:
        """Remove and return the next item. Raise IndexError if the queue is empty."""
        name = self.next_name()
        self._clock = heappop(self._turns)[0]
        self._size -= 1
        self._ends[name] = self._clock + self._estimate
        if self._levels == 1:
            waiting = self._items[name]
            item = waiting.popleft()
            if waiting:
                self._queue(name)
            else:
                del self._items[name]
        else:
            inner = self._inner[name]
            item = inner.take()
            if inner:
                self._queue(name)
        if len(self._ends) > MOST_REMEMBERED:
            self._forget()
        return item

    def charge(self, path: Sequence[str], cost: float) -> None:
        """Add to what a client has used: its next items come later. A client may also get something back."""
        name, *rest = path
        if name in self._ends:
            self._ends[name] += cost
        if rest and name in self._inner:
            self._inner[name].charge(rest, cost)

    def _queue(self, name: str) -> None:
        self._count += 1
        heappush(self._turns, (max(self._clock, self._ends.get(name, 0.0)), self._count, name))

    def _forget(self) -> None:
        """Forget clients who have nothing here and owe nothing, or no more than half of the others do."""
        waiting = {name for _, _, name in self._turns}
        owed = max(self._clock, sorted(self._ends.values())[len(self._ends) // 2])
        self._ends = {name: end for name, end in self._ends.items() if end > owed or name in waiting}
        self._inner = {name: inner for name, inner in self._inner.items() if name in self._ends or name in waiting}


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
