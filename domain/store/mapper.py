"""How an entry of a game's log becomes a row of the store and back, and the eventsourcing application that keeps them.

A row: the game's UUID, the version, the topic ("CardPlayed/1"), and the state: 32 bytes `prev` and the canonical bytes,
compressed, then encrypted, where the settings say so. Hashes are over plaintext: a new key or cipher changes no link.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, StoredEvent

from domain.events.codec import topic
from domain.store.aggregate import Corrupt, Entry, read_row
from domain.store.recorder import LogRecorder, RawEvent

SHARD = "games00"
"""The application that holds every game today; more of them would share out the games by id."""


@dataclass(frozen=True)
class StoredEntry:
    """An entry as the library wants events: with the game's UUID and the version as attributes."""

    originator_id: UUID
    originator_version: int
    entry: Entry


class FactMapper(Mapper[UUID]):
    """Typed, by a closed list of names: unlike the library's mapper it imports no topic and no class."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        if not isinstance(domain_event, StoredEntry):
            raise TypeError("only entries of a game's log are stored here")
        entry = domain_event.entry
        state = self._sealed(entry.stored)
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, topic(entry.event), state)

    def to_domain_event(self, stored_event: StoredEvent) -> StoredEntry:
        """The row read alone, its link unchecked; raises Corrupt, which names the event."""
        game = UUID(str(stored_event.originator_id))
        version, named = stored_event.originator_version, stored_event.topic
        stored = self._decrypt(str(game), version, stored_event.state)
        return StoredEntry(game, version, read_row(str(game), version, named, stored))

    def decrypt_rows(self, game: str, rows: Iterable[RawEvent]) -> Iterator[RawEvent]:
        """The game's rows with their states decrypted and decompressed; raises Corrupt at one that cannot be."""
        if self.cipher is None and self.compressor is None:
            return iter(rows)
        return ((version, named, self._decrypt(game, version, state)) for version, named, state in rows)

    def _sealed(self, state: bytes) -> bytes:
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
    """The library's application around the log: recorder, event store, notification log, under our mapper."""

    name = SHARD
    recorder: LogRecorder
    mapper: FactMapper

    def construct_mapper(self) -> FactMapper:
        return FactMapper(self.construct_transcoder(), self.factory.compressor(), self.factory.cipher())
