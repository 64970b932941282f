"""Folded games in memory, brought up to date with the store each time one is loaded."""

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Protocol
from uuid import UUID
from weakref import WeakValueDictionary

from eventsourcing.persistence import PersistenceError

from domain.events import Event
from domain.protocols.merkle_log import EMPTY, Frontier
from domain.state import State
from domain.store.aggregate import Corrupt, Entry, Game, read_next_row
from domain.store.mapper import FactMapper
from domain.store.observer import NoObserver, StoreObserver
from domain.store.recorder import RawEvent
from domain.store.rounds import RoundLock, with_pauses
from domain.store.sqlite.errors import FileDamaged

RECENT_ENTRIES = 64
"""How many of its last entries a cached game holds, so that following it needs no database read."""
CHECKPOINT_ENTRIES = 64
"""How many entries at least are between two checkpoints, from which older entries are read again."""
ROWS_AT_ONCE = 256
"""How many rows are read at a time: the database keeps other calls of a round waiting."""


class NoSuchGame(LookupError):
    """No game has this id."""


class StoreUnavailable(Exception):
    """The database failed. Acknowledged commits are safe; look up the command id to learn if this one was stored."""


class LogDamaged(StoreUnavailable):
    """The log isn't the one that was written, or its file is damaged; str(error) says so, and what to do."""


@dataclass
class CachedGame:
    """A folded game, its last entries, its frontier at some versions, and its command ids by their first halves."""

    uuid: UUID
    game: Game
    recent: deque[Entry] = field(default_factory=lambda: deque(maxlen=RECENT_ENTRIES))
    checkpoints: list[Frontier] = field(default_factory=lambda: [EMPTY])
    command_ids: dict[str, str] = field(default_factory=dict)

    def add(self, entries: Iterable[Entry]) -> None:
        """Remember entries that the game has folded."""
        game, recent, last = self.game, self.recent, ""
        next_checkpoint = self.checkpoints[-1].size + CHECKPOINT_ENTRIES
        for entry in entries:
            recent.append(entry)
            command_id = entry.event.command
            if command_id != last:
                self.command_ids[command_id.partition("-")[0]] = last = command_id
            if game.frontier.size >= next_checkpoint:
                self.checkpoints.append(game.frontier)
                next_checkpoint = game.frontier.size + CHECKPOINT_ENTRIES


class GameRows(Protocol):
    """The stored rows of games, as a LogRecorder has them."""

    def last_version(self, originator_id: UUID) -> int | None:
        """Return the version of the game's last event, or None."""

    def raw_events(self, originator_id: UUID, gt: int = 0, lte: int | None = None) -> list[RawEvent]:
        """Return the game's stored rows above version gt, up to and including lte, in order of version."""


class AggregateCache:
    """The `size` games that were used last. Hold `lock(game)` while you load or change a game.

    A game is out of the cache while it's being changed, so that after a failure it's read again from the store.
    """

    def __init__(self, recorder: GameRows, mapper: FactMapper, size: int) -> None:
        self._recorder, self._mapper, self._size = recorder, mapper, size
        self.observer: StoreObserver = NoObserver()
        self._games: OrderedDict[str, CachedGame] = OrderedDict()
        self._lock, self._locks = Lock(), WeakValueDictionary[str, RoundLock]()
        self._newest_locks = deque[RoundLock](maxlen=size)
        """Keeps locks for the next commands of their games: making one takes longer than looking it up."""

    def lock(self, game: str) -> RoundLock:
        """Return the lock of a game, the same as long as anybody holds it or waits for it."""
        with self._lock:
            lock = self._locks.get(game)
            if lock is None:
                lock = self._locks[game] = RoundLock()
                self._newest_locks.append(lock)
            return lock

    def load(self, game: str, *, new: bool = False) -> CachedGame:
        """Return the game with every event in the store. Raise NoSuchGame if it has none and isn't `new`."""
        cached = self.cached(game) or CachedGame(require_uuid(game), Game(game))
        with translate_errors():
            last = self._recorder.last_version(cached.uuid) or 0
        if last < cached.game.version:
            raise Corrupt(game, last + 1, "it was in the log and is gone")
        if not last and not new:
            raise NoSuchGame("there is no such game")
        if last > cached.game.version:
            self.evict(cached)
            cached.add(cached.game.iter_read(self._rows(cached.uuid, game, cached.game.version, last)))
        if last > cached.game.version:
            raise Corrupt(game, cached.game.version + 1, "it is missing, or its row holds values of another kind")
        if last:
            self.put(cached)
        return cached

    def cached(self, game: str) -> CachedGame | None:
        """Return the game as this process last saw it, or None. Doesn't read the store."""
        with self._lock:
            found = self._games.get(game)
        self.observer.note_lookup(found=found is not None)
        return found

    def put(self, cached: CachedGame) -> None:
        """Put the game in the cache as the one used last."""
        with self._lock:
            self._games[cached.game.id] = cached
            self._games.move_to_end(cached.game.id)
            while len(self._games) > self._size:
                self._games.popitem(last=False)

    def evict(self, cached: CachedGame) -> None:
        """Remove the game from the cache, if it's there."""
        with self._lock:
            self._games.pop(cached.game.id, None)

    def entries(self, cached: CachedGame, after: int, upto: int | None) -> list[Entry]:
        """Return the entries above version `after`, up to and including `upto`, from memory or from the store."""
        last = cached.game.version if upto is None else min(upto, cached.game.version)
        if after >= last:
            return []
        if after + 1 >= cached.recent[0].event.version:
            return [entry for entry in cached.recent if after < entry.event.version <= last]
        return self._read_entries(cached, max(after, 0), last)

    def _read_entries(self, cached: CachedGame, after: int, last: int) -> list[Entry]:
        """Read entries again from the checkpoint before them, and check the link of each."""
        frontier = next(each for each in reversed(cached.checkpoints) if each.size <= after)
        skipped, entries, game = after - frontier.size, list[Entry](), cached.game.id
        for row in self._rows(cached.uuid, game, frontier.size, last):
            entries.append(read_next_row(game, frontier, row))
            frontier = frontier.append(entries[-1].leaf)
        if frontier.size != last:
            raise Corrupt(game, frontier.size + 1, "it is missing")
        return entries[skipped:]

    def root(self, cached: CachedGame, size: int) -> str:
        """Return the root of the game's log when it had `size` events, in hex."""
        following = self.entries(cached, size, size + 1)
        return following[0].prev.hex() if following else cached.game.root

    def read(self, cached: CachedGame, upto: int) -> tuple[Game, list[Entry]]:
        """Read the game again from its first event up to version `upto`, and check each link."""
        return self._read(cached.uuid, cached.game.id, upto)

    def read_at_version(self, game: str, version: int) -> tuple[State, list[Entry]]:
        """Read a game's state and entries up to `version`, as `read` does. Raise NoSuchGame at version 0."""
        if not version:
            raise NoSuchGame("there is no such game")
        read, entries = self._read(require_uuid(game), game, version)
        return read.state, entries

    def iter_events(self, game: str, version: int) -> Iterator[Event[Any]]:
        """Yield a game's events up to `version`, and check each link. Raise NoSuchGame at version 0."""
        if not version:
            raise NoSuchGame("there is no such game")
        for entry in Game(game).iter_read(self._rows(require_uuid(game), game, 0, version)):
            yield entry.event

    def _read(self, uuid: UUID, name: str, upto: int) -> tuple[Game, list[Entry]]:
        game = Game(name)
        entries = game.read(self._rows(uuid, name, 0, upto))
        if game.version != upto:
            raise Corrupt(name, game.version + 1, "it is missing")
        return game, entries

    def _rows(self, uuid: UUID, name: str, after: int, upto: int) -> Iterator[RawEvent]:
        """Yield the game's decrypted rows above version `after` up to `upto`, in pages, with pauses for other calls."""
        while after < upto:
            last = min(upto, after + ROWS_AT_ONCE)
            with translate_errors():
                page = self._recorder.raw_events(uuid, after, last)
            if not page:
                return  # a damaged row may have a version without end
            yield from with_pauses(self._mapper.decrypt_rows(name, page))
            after = last


def parse_uuid(game: str) -> UUID | None:
    """Return the game id as a UUID, or None unless it's spelled in lower case with hyphens."""
    try:
        uuid = UUID(game)
    except ValueError:
        return None
    return uuid if str(uuid) == game else None


def require_uuid(game: str) -> UUID:
    """Return the game id as a UUID. Raise NoSuchGame if `parse_uuid` returns None."""
    uuid = parse_uuid(game)
    if uuid is None:
        raise NoSuchGame("there is no such game")
    return uuid


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise StoreUnavailable for every PersistenceError of the library."""
    try:
        yield
    except PersistenceError as error:
        raise store_unavailable(error) from error


def store_unavailable(error: PersistenceError) -> StoreUnavailable:
    """Return the exception for `error`. It names the kind of error or a damaged file, but no address or statement."""
    if isinstance(error, FileDamaged):
        return LogDamaged(str(error))
    return StoreUnavailable(f"the store failed: {type(error).__name__}")
