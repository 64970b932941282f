"""The games a process keeps folded, and how they are brought up to what the store has before anybody sees them."""

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from uuid import UUID

from eventsourcing.persistence import PersistenceError

from domain.state import State
from domain.store.aggregate import Corrupt, Entry, Game
from domain.store.mapper import FactMapper
from domain.store.recorder import LogRecorder

STRIPES = 64
RECENT = 64
"""Entries kept with a game, so that who follows it needs no reading."""


class NoSuchGame(LookupError):
    """No game has this id."""


class StoreUnavailable(Exception):
    """The database did not do as asked. What was acknowledged is kept; whether this was stored, its id will tell."""


@dataclass
class Kept:
    """A folded game, its last entries, and its command ids by their first halves."""

    uuid: UUID
    game: Game
    recent: deque[Entry] = field(default_factory=lambda: deque(maxlen=RECENT))
    asked: dict[str, str] = field(default_factory=dict)

    def add(self, entries: Iterable[Entry]) -> None:
        """Remember entries that were folded."""
        for entry in entries:
            self.recent.append(entry)
            command_id = entry.event.command
            self.asked[command_id.partition("-")[0]] = command_id


class Shelf:
    """The `size` games used last. Whoever asks for one or changes it holds `locked(game)` meanwhile.

    A game is off the shelf while it is being changed, so that what fails half way is read anew.
    """

    def __init__(self, recorder: LogRecorder, mapper: FactMapper, size: int) -> None:
        self._recorder, self._mapper, self._size = recorder, mapper, size
        self._games: OrderedDict[str, Kept] = OrderedDict()
        self._lock, self._stripes = Lock(), [Lock() for _ in range(STRIPES)]

    def locked(self, game: str) -> Lock:
        """The lock of a game, which it shares with some others."""
        return self._stripes[hash(game) % STRIPES]

    def fresh(self, game: str, *, new: bool = False) -> Kept:
        """The game with everything the store has; NoSuchGame where it has nothing, unless it may be `new`."""
        with self._lock:
            kept = self._games.get(game)
        kept = kept or Kept(known_uuid(game), Game(game))
        with reached():
            last = self._recorder.last_version(kept.uuid) or 0
            rows = self._recorder.raw_events(kept.uuid, kept.game.version) if last > kept.game.version else []
        if last < kept.game.version:
            raise Corrupt(game, last + 1, "it was in the log and is gone")
        if not last and not new:
            raise NoSuchGame("there is no such game")
        if rows:
            self.drop(kept)
            kept.add(kept.game.reading(self._mapper.plain(game, rows)))
        if last > kept.game.version:
            raise Corrupt(game, kept.game.version + 1, "it is missing, or its row holds values of another kind")
        if last:
            self.put(kept)
        return kept

    def at_hand(self, game: str) -> Kept | None:
        """The game as it was last seen here, if it is kept; the store is not asked."""
        with self._lock:
            return self._games.get(game)

    def put(self, kept: Kept) -> None:
        """Onto the shelf, as the one used last."""
        with self._lock:
            self._games[kept.game.id] = kept
            self._games.move_to_end(kept.game.id)
            while len(self._games) > self._size:
                self._games.popitem(last=False)

    def drop(self, kept: Kept) -> None:
        """Off the shelf."""
        with self._lock:
            self._games.pop(kept.game.id, None)

    def between(self, kept: Kept, after: int, upto: int | None) -> list[Entry]:
        """The entries above `after`, up to `upto`, from memory or from the store."""
        last = kept.game.version if upto is None else min(upto, kept.game.version)
        if after >= last:
            return []
        if after + 1 >= kept.recent[0].event.version:
            return [entry for entry in kept.recent if after < entry.event.version <= last]
        return self.read(kept, last)[1][max(after, 0) :]

    def root(self, kept: Kept, size: int) -> str:
        """The root of the game's log at a size it has had, in hex."""
        following = self.between(kept, size, size + 1)
        return following[0].prev.hex() if following else kept.game.root

    def read(self, kept: Kept, upto: int) -> tuple[Game, list[Entry]]:
        """The game from its first event up to a version, checked link by link, beside the one that is kept."""
        return self._read(kept.uuid, kept.game.id, upto)

    def as_of(self, game: str, version: int) -> tuple[State, list[Entry]]:
        """A game's state and entries up to a version, read like this; NoSuchGame at version 0."""
        if not version:
            raise NoSuchGame("there is no such game")
        read, entries = self._read(known_uuid(game), game, version)
        return read.state, entries

    def _read(self, uuid: UUID, name: str, upto: int) -> tuple[Game, list[Entry]]:
        with reached():
            rows = self._recorder.raw_events(uuid, 0, upto)
        game = Game(name)
        entries = game.read(self._mapper.plain(name, rows))
        if game.version != upto:
            raise Corrupt(name, game.version + 1, "it is missing")
        return game, entries


def read_uuid(game: str) -> UUID | None:
    """The id as a UUID, None unless it is spelt as ids are: lower case, with hyphens."""
    try:
        uuid = UUID(game)
    except ValueError:
        return None
    return uuid if str(uuid) == game else None


def known_uuid(game: str) -> UUID:
    """The same, NoSuchGame where it is spelt otherwise."""
    uuid = read_uuid(game)
    if uuid is None:
        raise NoSuchGame("there is no such game")
    return uuid


@contextmanager
def reached() -> Iterator[None]:
    """What the library says of a database that fails becomes StoreUnavailable."""
    try:
        yield
    except PersistenceError as error:
        raise unavailable(error) from error


def unavailable(error: PersistenceError) -> StoreUnavailable:
    """What to say of it: the kind of error, and nothing of addresses and statements."""
    return StoreUnavailable(f"the store did not answer as it should: {type(error).__name__}")
