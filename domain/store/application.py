"""The eventsourcing application of a shard: its mapper, event store and repository, and the games in memory.

A row has the game's UUID, the version, the topic ("CardPlayed/1"), and the state: 32 bytes `prev` and the canonical
bytes, compressed (`compression`), and then encrypted if the settings say so. Hashes are of the plaintext, so a new key
changes no link. The repository checks every link.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import chain
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID
from weakref import WeakValueDictionary

from eventsourcing.application import AggregateNotFoundError, Application, LRUCache, Repository
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import (
    EventStore,
    InfrastructureFactory,
    JSONTranscoder,
    Mapper,
    PersistenceError,
    Recording,
    StoredEvent,
)
from eventsourcing.utils import Environment, EnvType

from domain.events.codec import topic
from domain.protocols.merkle_log import Frontier, GrowingLog
from domain.state import State
from domain.store.aggregate import Corrupt, Entry, Game, read_row, require_next
from domain.store.compression import FactCompressor
from domain.store.group_commit import NO_OBSERVER, RoundLock, with_pauses
from domain.store.recorder import LogRecorder, NoLog, RawEvent
from domain.store.sql.sqlite_errors import FileDamaged

UNREADABLE_STATE = "its state cannot be decrypted or decompressed"
game_id: Callable[[UUID], str] = lru_cache(4096)(str)


class FactMapper(Mapper[UUID]):
    """Decodes by a closed list of fact names. Unlike the library's mapper, it never imports what a topic names."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        if not isinstance(domain_event, Entry):
            raise TypeError("only entries of a game's log can be stored")
        event = domain_event.event
        state = self._encrypt(domain_event.stored)
        return StoredEvent(domain_event.originator_id, event.version, topic(event), state)

    def to_domain_event(self, stored_event: StoredEvent) -> Entry:
        """Decode a row on its own, without checking its link. Raise Corrupt if it can't be decoded."""
        uuid, version = stored_event.originator_id, stored_event.originator_version
        game = game_id(uuid if isinstance(uuid, UUID) else UUID(uuid))
        return read_row(game, version, stored_event.topic, self.decrypt(game, version, stored_event.state))

    def decrypt_rows(self, game: str, rows: Iterable[RawEvent]) -> Iterator[RawEvent]:
        """Decrypt and decompress the states of a game's rows. Raise Corrupt at the first that fails."""
        if self.cipher is None and self.compressor is None:
            return iter(rows)
        return ((version, name, self.decrypt(game, version, state)) for version, name, state in rows)

    def _encrypt(self, state: bytes) -> bytes:
        if self.compressor is not None:
            state = self.compressor.compress(state)
        return state if self.cipher is None else self.cipher.encrypt(state)

    def decrypt(self, game: str, version: int, state: bytes) -> bytes:
        """Decrypt and decompress a row's state. Raise Corrupt if that fails."""
        try:
            if self.cipher is not None:
                state = self.cipher.decrypt(state)
            return state if self.compressor is None else self.compressor.decompress(state)
        except Exception as error:
            raise Corrupt(game, version, UNREADABLE_STATE) from error


def unencrypted_mapper() -> FactMapper:
    """Return a mapper for the rows of any log that isn't encrypted, compressed or not."""
    return FactMapper(JSONTranscoder(), FactCompressor())


ROWS_AT_ONCE = 256
"""How many rows are read at a time: the database keeps other calls of a round waiting."""


class NoSuchGame(AggregateNotFoundError, LookupError):
    """No game has this id."""


class StoreUnavailable(Exception):
    """The database failed. Acknowledged commits are safe; look up the command id to learn if this one was stored."""


class LogDamaged(StoreUnavailable):
    """The log isn't the one that was written, or its file is damaged; str(error) says so, and what to do."""


class GameEvents(EventStore[UUID]):
    """The library's event store, which reads long games in pages, and lets other calls have their turns in between."""

    mapper: FactMapper
    recorder: LogRecorder

    def get(
        self,
        originator_id: UUID,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Iterator[Entry]:
        """Yield the entries of a game. Raise Corrupt at the first that can't be read."""
        while limit is None or limit > 0:
            most = ROWS_AT_ONCE if limit is None else min(limit, ROWS_AT_ONCE)
            with translate_errors():
                page = self.recorder.select_events(originator_id, gt=gt, lte=lte, desc=desc, limit=most)
            yield from with_pauses(map(self.mapper.to_domain_event, page))
            if len(page) < ROWS_AT_ONCE:
                return
            limit = None if limit is None else limit - most
            last = page[-1].originator_version
            gt, lte = (gt, last - 1) if desc else (last, lte)


def fold(game: Game | None, entries: Iterable[Entry]) -> Game | None:
    """Fold entries that follow those of a game; None is a game without any. It's the repository's projector."""
    following = iter(entries)
    if game is None:
        first = next(following, None)
        if first is None:
            return None
        game, following = Game(first.event.game), chain((first,), following)
    for _ in game.follow(following):
        pass
    return game


class GameCache(LRUCache[UUID, Game]):
    """The games that were used last, and the lock of each. Hold it while you load or change a game.

    A game is out of the cache while it's being changed, so that after a failure it's read again from the store.
    """

    def __init__(self, maxsize: int) -> None:
        super().__init__(maxsize)
        self.observer = NO_OBSERVER
        self._lock, self._locks = Lock(), WeakValueDictionary[UUID, RoundLock]()
        self._newest_locks = deque[RoundLock](maxlen=maxsize)
        """Keeps locks for the next commands of their games: making one takes longer than looking it up."""

    def lock_of(self, game: UUID) -> RoundLock:
        """Return the lock of a game, the same as long as anybody holds it or waits for it."""
        with self._lock:
            lock = self._locks.get(game)
            if lock is None:
                lock = self._locks[game] = RoundLock()
                self._newest_locks.append(lock)
            return lock

    def find(self, game: UUID) -> Game | None:
        """Return the game as this process last saw it, or None. Doesn't read the store."""
        found = None
        with suppress(KeyError):
            found = self.get(game)
        (self.observer.missed if found is None else self.observer.found)()
        return found

    def evict(self, game: UUID) -> None:
        """Remove a game, if it's there."""
        with suppress(KeyError):
            self.get(game, evict=True)


class GameRepository(Repository[UUID]):
    """The repository of one shard's games. Every method raises StoreUnavailable, Corrupt or NoSuchGame."""

    event_store: GameEvents
    cache: GameCache  # type: ignore[assignment]  # the library takes any cache of aggregates

    def __init__(self, event_store: GameEvents, cache: GameCache) -> None:
        super().__init__(event_store, deepcopy_from_cache=False)
        self.cache = cache

    def get(self, aggregate_id: UUID, *, version: int | None = None) -> Game:  # type: ignore[override]  # games alone
        """Return a game with every event in the store, or as it was at a version, which isn't cached.

        A version that isn't there yet is the last one. Hold the game's lock, except for a version.
        """
        if not isinstance(aggregate_id, UUID):
            raise TypeError(f"the id of a game is a UUID here, and not of the type {type(aggregate_id).__name__}")
        with translate_errors():
            last = self.event_store.recorder.last_version(aggregate_id) or 0
        if version is not None:
            return self._require_complete(self._read(aggregate_id, version), aggregate_id, min(version, last))
        game = self.cache.find(aggregate_id)
        if game is not None and game.pending_events:  # somebody acted, and didn't save
            self.cache.evict(aggregate_id)
            game = None
        if game is not None and last < game.version:
            raise Corrupt(game.game, last + 1, "it was in the log and is gone")
        if not last:
            raise NoSuchGame("there is no such game")
        if game is None or last > game.version:
            game = self._read(aggregate_id, None)
        return self._require_complete(game, aggregate_id, last)

    def _read(self, aggregate_id: UUID, version: int | None) -> Game | None:
        found: Game | None = None
        with suppress(AggregateNotFoundError):
            found = super().get(aggregate_id, version=version, projector_func=fold)
        return found

    def _require_complete(self, game: Game | None, aggregate_id: UUID, version: int) -> Game:
        """Return the game. Raise Corrupt if it lacks events that the store has or that somebody has seen."""
        if version < 1:
            raise NoSuchGame("there is no such game")
        if game is None or game.version < version:
            first = 1 if game is None else game.version + 1
            raise Corrupt(str(aggregate_id), first, "it is missing, or its row holds values of another kind")
        return game

    def entries(self, game: Game, after: int, upto: int | None) -> list[Entry]:
        """Return the entries above version `after`, up to and including `upto`, from memory or from the store."""
        last = game.version if upto is None else min(upto, game.version)
        if after >= last:
            return []
        if after + 1 >= game.recent[0].event.version:
            return [entry for entry in game.recent if after < entry.event.version <= last]
        start = next(each for each in reversed(game.checkpoints) if each.size <= max(after, 0))
        return self._read_entries(game.id, start, last)[max(after, 0) - start.size :]

    def _read_entries(self, game: UUID, frontier: Frontier, last: int) -> list[Entry]:
        """Read the entries again that follow a frontier, and check the link of each."""
        entries, log = list[Entry](), GrowingLog(frontier)
        for entry in self.event_store.get(game, gt=frontier.size, lte=last):
            entries.append(require_next(str(game), log, entry))
            log.append(entry.leaf)
        if log.size != last:
            raise Corrupt(str(game), log.size + 1, "it is missing")
        return entries

    def root(self, game: Game, size: int) -> str:
        """Return the root of the game's log when it had `size` events, in hex."""
        following = self.entries(game, size, size + 1)
        return following[0].prev.hex() if following else game.root

    def read_at_version(self, game: UUID, version: int) -> tuple[State, list[Entry]]:
        """Read a game's state and entries up to `version`, and check each link. Raise NoSuchGame at version 0."""
        read = Game(str(game))
        entries = [*read.follow(self.event_store.get(game, lte=version))]
        return self._require_complete(read, game, version).state, entries

    def iter_entries(self, game: UUID, version: int) -> Iterator[Entry]:
        """Yield a game's entries up to `version`, and check each link. Raise NoSuchGame at version 0."""
        if not version:
            raise NoSuchGame("there is no such game")
        yield from Game(str(game)).follow(self.event_store.get(game, lte=version))


@lru_cache(4096)
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
    """Return the exception for `error`. It names the kind of error or a file, but no address or statement."""
    if isinstance(error, FileDamaged):
        return LogDamaged(str(error))
    if isinstance(error, NoLog):
        return StoreUnavailable(str(error))
    return StoreUnavailable(f"the store failed: {type(error).__name__}")


CACHED = 1000
"""How many games stay in memory."""


class SharedParts(NamedTuple):
    """The parts of an application that all shards of a log have in common, and the recorder of this one."""

    factory: InfrastructureFactory[Any]
    cache: GameCache
    recorder: LogRecorder


class GameApplication(Application[UUID]):
    """The library's application, with our mapper, repository and recorder.

        games = log.application_of(game_id)
        game = games.repository.get(game_id)
        game.act(command, request, secrets.token_bytes)
        games.save(game)

    A save that fails leaves its games as they were before their commands, and so does a lost race, which raises
    IntegrityError.
    """

    recorder: LogRecorder
    mapper: FactMapper
    events: GameEvents
    repository: GameRepository

    def __init__(self, env: EnvType, name: str, parts: SharedParts) -> None:
        self.name, self._parts = name, parts
        super().__init__(env)

    def save(self, *objs: Any, **kwargs: Any) -> list[Recording[UUID]]:
        """Store the pending events of games, and return once they are on disk. Raise the library's errors."""
        games = [each for each in objs if isinstance(each, Game)]
        try:
            recordings = super().save(*objs, **kwargs)
        except BaseException:
            for game in games:
                game.discard()
            raise
        for game in games:
            game.keep()
        return recordings

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:  # noqa: ARG002 - the library's
        """Return the factory that all shards share."""
        return self._parts.factory

    def construct_recorder(self) -> LogRecorder:
        """Return the recorder of this shard."""
        return self._parts.recorder

    def construct_mapper(self) -> FactMapper:
        """Return the mapper of facts, with the compressor and the cipher of the settings."""
        return FactMapper(self.construct_transcoder(), self.factory.compressor(), self.factory.cipher())

    def construct_event_store(self) -> GameEvents:
        """Return the store that reads games in pages."""
        return GameEvents(self.mapper, self.recorder)

    def construct_repository(self) -> GameRepository:
        """Return the repository, whose cache all shards share."""
        return GameRepository(self.events, self._parts.cache)
