"""Event streams: what a request asked for, the frames of a game's events, and the slots that streams take."""

import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from api.play.services.gate import GameGate
from domain.state import State
from domain.store.aggregate import Corrupt
from projections.views.audience import ceremonies_revealed_in, event_lines

ENVIRON_KEY = "trickbook.event_stream"
"""The key of the WSGI environ under which a view leaves an event stream. A server that can't send any leaves it out."""
WAITED_KEY = "trickbook.waited"
"""The key of the WSGI environ of a request that has waited: the view answers what there is."""
MAX_WAIT_S = 25
"""The longest time that a request waits: proxies often end one that takes 30 seconds."""
PAGE_EVENTS = 100
"""The most events in a page, which bounds the memory that a slow reader holds."""


class StreamLimitReached(Exception):
    """A player or an address has as many streams as it may have."""


class NoFreeStream(Exception):
    """The process has as many streams as it may have."""


class StreamSlots:
    """Counts the event streams of this process. None means no limit. Safe for concurrent use by several threads.

    A stream that ends sooner counts for `hold_s` for its address and its player, since opening one costs more than
    reading it: so the limits also bound how often a client reconnects.
    """

    def __init__(
        self,
        total: int,
        by_address: int | None,
        by_player: int | None,
        hold_s: float = 0.0,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total, self._by_address, self._by_player = total, by_address, by_player
        self._hold_s, self._timer = hold_s, timer
        self._taken: Counter[str] = Counter()
        self._held = deque[tuple[float, tuple[str, ...]]]()
        """The keys of streams that ended soon, with the times from which they don't count."""
        self._lock = Lock()
        self.open_streams = 0
        """How many slots are taken."""

    def take(self, address: str, player: str | None) -> "StreamSlot":
        """Take a slot. Raise StreamLimitReached or NoFreeStream if all are taken."""
        keys = [f"address {address}", *([] if player is None else [f"player {player}"])]
        with self._lock:
            now = self._timer()
            while self._held and self._held[0][0] <= now:
                self._forget(self._held.popleft()[1])
            if self._by_player is not None and player is not None and self._taken[keys[1]] >= self._by_player:
                raise StreamLimitReached(f"You have {self._by_player} event streams open. Close one first.")
            if self._by_address is not None and self._taken[keys[0]] >= self._by_address:
                raise StreamLimitReached(f"Your address has {self._by_address} event streams open. Close one first.")
            if self.open_streams >= self._total:
                raise NoFreeStream("The server has as many event streams open as it can. Try again.")
            self._taken.update(keys)
            self.open_streams += 1
        return StreamSlot(self, tuple(keys), now + self._hold_s)

    def give_back(self, keys: tuple[str, ...], held_until: float) -> None:
        """Free a slot, or let it count for its keys until that time."""
        with self._lock:
            self.open_streams -= 1
            if held_until > self._timer():
                self._held.append((held_until, keys))
            else:
                self._forget(keys)

    def _forget(self, keys: tuple[str, ...]) -> None:
        self._taken.subtract(keys)
        for key in keys:
            if not self._taken[key]:
                del self._taken[key]


class StreamSlot:
    """A slot of `StreamSlots`. It's free again after `release`, or when nobody refers to it any more."""

    def __init__(self, slots: StreamSlots, keys: tuple[str, ...], held_until: float) -> None:
        self._slots, self._keys, self._held_until = slots, keys, held_until
        self._taken = True

    def release(self) -> None:
        """Free the slot, once."""
        if self._taken:
            self._taken = False
            self._slots.give_back(self._keys, self._held_until)

    def __del__(self) -> None:
        self.release()


Cursor = tuple[int, int]
"""Where a stream is: of a game 0 and the version, of an inbox its generation and the number of an entry."""


@dataclass(frozen=True)
class EventStream:
    """A game's events above `after`, up to `until` (None: without end), for a player.

    In a game that `is_open`, everybody may watch at once, and all who never held a seat share what is read.
    `token_sha256` is the token that the stream was opened with, or None for a spectator without one.
    With `wait_s`, nothing is streamed: the answer waits that long for an event above `after`.
    """

    game: str
    player: str | None
    after: int
    until: int | None
    token_sha256: str | None
    slot: StreamSlot
    is_open: bool = False
    wait_s: int | None = None

    @property
    def topic(self) -> str:
        """The signal that wakes the stream: the game."""
        return self.game

    @property
    def start(self) -> Cursor:
        """The cursor after which the stream begins."""
        return 0, self.after

    @property
    def end(self) -> Cursor | None:
        """The cursor with which the stream ends, if any."""
        return None if self.until is None else (0, self.until)

    @property
    def opening(self) -> bytes:
        """The bytes before the first frame: none."""
        return b""

    def reader_among(self, holders: frozenset[str]) -> str | None:
        """Return the player if they see more or less than others; else None, for whom pages are shared.

        `holders` are the players who are known to have held a seat.
        """
        return None if self.is_open and self.player not in holders else self.player


class AnyStream(Protocol):
    """A stream as its sender knows it, whatever it follows; see `EventStream`."""

    @property
    def player(self) -> str | None: ...
    @property
    def topic(self) -> str: ...
    @property
    def start(self) -> Cursor: ...
    @property
    def end(self) -> Cursor | None: ...
    @property
    def opening(self) -> bytes: ...
    def reader_among(self, holders: frozenset[str], /) -> str | None: ...
    @property
    def token_sha256(self) -> str | None: ...
    @property
    def slot(self) -> StreamSlot: ...
    @property
    def wait_s(self) -> int | None: ...


Frame = tuple[Cursor, bytes]


@dataclass(frozen=True)
class EventPage:
    """The next frames, in order. After them, the stream is at the cursor `reached`.

    `head` is the last cursor that the player may see, and `log_head` that of everything, when they were read.
    `holders` are the players who held a seat by then.
    """

    frames: tuple[Frame, ...]
    reached: Cursor
    head: Cursor
    log_head: Cursor
    holders: frozenset[str] = frozenset()

    def upto(self, end: Cursor | None) -> tuple[bytes, Cursor]:
        """Return the frames up to `end` as bytes, and the cursor after them."""
        if end is None or self.reached <= end:
            return b"".join(frame for _, frame in self.frames), self.reached
        return b"".join(frame for at, frame in self.frames if at <= end), end


def read_page(gate: GameGate, game: str, player: str | None, after: int) -> EventPage:
    """Return the next events above `after` as the player may see them now; no frames after the last one.

    Raise NoSuchGame if they may no longer see the game.
    """
    access = gate.access(game, player)
    if access.head is None and after > access.version:
        raise Corrupt(game, after, "it was in the log and is gone")
    entries = gate.entries(access, after, after + PAGE_EVENTS)
    lines = event_lines(entries, access.viewer, ceremonies_revealed_in(access.state))
    frames = tuple(((0, version), event_frame(version, line)) for version, line in enumerate(lines, after + 1))
    reached, head, log_head = (0, after + len(frames)), (0, access.version), (0, access.log_version)
    return EventPage(frames, reached, head, log_head, _holders(access.state))


def _holders(state: State) -> frozenset[str]:
    """Return everybody who holds or held a seat. All others see the same of an open game."""
    held = frozenset(past.player for seat in state.seats for past in seat.earlier)
    return held.union(seat.player for seat in state.seats)


def event_frame(version: int, line: bytes) -> bytes:
    """Return an event's frame; `line` is its line in an export."""
    return b"id: %d\ndata: %b\n\n" % (version, line)
