"""Map entries of a game's log to stored rows and back, for the eventsourcing application that stores them.

A row has the game's UUID, the version, the topic ("CardPlayed/1"), and the state: 32 bytes `prev` and the canonical
bytes, compressed and then encrypted if the settings say so. Hashes are of the plaintext, so a new key changes no link.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import InfrastructureFactory, Mapper, StoredEvent
from eventsourcing.utils import Environment, EnvType

from domain.events.codec import topic
from domain.protocols import merkle_log
from domain.store.aggregate import PREV_SIZE, Corrupt, Entry, read_event, read_row
from domain.store.positions import short_leaf
from domain.store.recorder import LogRecorder, RawEvent, RawLogRow
from domain.store.results import LogRow, Notice, UnreadableRow

SHARD = "games00"
"""The application that holds every game of a log with one shard."""
MAX_SHOWN_ID = 100
"""The most characters shown of a stored id that is no game's."""
_game_id: Callable[[UUID], str] = lru_cache(4096)(str)


@dataclass(frozen=True)
class StoredEntry:
    """An entry with the attributes that the library expects of an event: the game's UUID and the version."""

    originator_id: UUID
    originator_version: int
    entry: Entry


class FactMapper(Mapper[UUID]):
    """Decodes by a closed list of fact names. Unlike the library's mapper, it never imports what a topic names."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        if not isinstance(domain_event, StoredEntry):
            raise TypeError("only entries of a game's log can be stored")
        entry = domain_event.entry
        state = self._encrypt(entry.stored)
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, topic(entry.event), state)

    def to_domain_event(self, stored_event: StoredEvent) -> StoredEntry:
        """Decode a row on its own, without checking its link. Raise Corrupt if it can't be decoded."""
        game = UUID(str(stored_event.originator_id))
        version, topic_name = stored_event.originator_version, stored_event.topic
        stored = self._decrypt(str(game), version, stored_event.state)
        return StoredEntry(game, version, read_row(str(game), version, topic_name, stored))

    def read_log_row(self, row: RawLogRow, shard: int = 0) -> LogRow:
        """Decode a row of a shard with its place, as `to_domain_event` does, but return the reason if that fails."""
        position, stored_game, version, topic_name, state = row
        game, number = stored_game if isinstance(stored_game, str) else _game_id(stored_game), version or 0
        if isinstance(stored_game, str):
            reason = "its row names no game"
            return UnreadableRow(position, game[:MAX_SHOWN_ID], number, reason, leaf=self.row_leaf(row), shard=shard)
        if version is None or topic_name is None or state is None:
            reason = "its row holds values of another kind"
            return UnreadableRow(position, game, number, reason, leaf=self.row_leaf(row), shard=shard)
        try:
            raw = self._decrypt(game, version, state)[PREV_SIZE:]
            return Notice(position, game, read_event(game, version, topic_name, raw), raw, shard)
        except Corrupt as error:
            return UnreadableRow(position, game, number, error.what, error.too_new, self.row_leaf(row), shard)

    def row_leaf(self, row: RawLogRow) -> str:
        """Return the start of a row's leaf. A row that can't be decrypted has one, too: that of its stored bytes."""
        _, game, version, _, state = row
        stored = state or b""
        with suppress(Corrupt):
            stored = self._decrypt(str(game), version or 0, stored)
        return short_leaf(merkle_log.leaf(stored[PREV_SIZE:]))

    def decrypt_rows(self, game: str, rows: Iterable[RawEvent]) -> Iterator[RawEvent]:
        """Decrypt and decompress the states of a game's rows. Raise Corrupt at the first that fails."""
        if self.cipher is None and self.compressor is None:
            return iter(rows)
        return ((version, name, self._decrypt(game, version, state)) for version, name, state in rows)

    def _encrypt(self, state: bytes) -> bytes:
        if self.compressor is not None:
            state = self.compressor.compress(state)
        return state if self.cipher is None else self.cipher.encrypt(state)

    def _decrypt(self, game: str, version: int, state: bytes) -> bytes:
        try:
            if self.cipher is not None:
                state = self.cipher.decrypt(state)
            return state if self.compressor is None else self.compressor.decompress(state)
        except Exception as error:
            raise Corrupt(game, version, "its state cannot be decrypted or decompressed") from error


class Shard(Application[UUID]):
    """The library's application for the log: recorder, event store and notification log, with our mapper."""

    name: str
    recorder: LogRecorder
    mapper: FactMapper

    def __init__(self, name: str, env: EnvType, factory: InfrastructureFactory[Any], recorder: LogRecorder) -> None:
        self.name = name
        self._parts = factory, recorder
        super().__init__(env)

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:  # noqa: ARG002 - the library's
        """Return the factory that all shards share."""
        return self._parts[0]

    def construct_recorder(self) -> LogRecorder:
        """Return the recorder of this shard."""
        return self._parts[1]

    def construct_mapper(self) -> FactMapper:
        return FactMapper(self.construct_transcoder(), self.factory.compressor(), self.factory.cipher())
