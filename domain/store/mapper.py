"""Map entries of a game's log to stored rows and back, for the eventsourcing application that stores them.

A row has the game's UUID, the version, the topic ("CardPlayed/1"), and the state: 32 bytes `prev` and the canonical
bytes, compressed and then encrypted if the settings say so. Hashes are of the plaintext, so a new key changes no link.
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
"""The application that holds every game."""


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

    name = SHARD
    recorder: LogRecorder
    mapper: FactMapper

    def construct_mapper(self) -> FactMapper:
        return FactMapper(self.construct_transcoder(), self.factory.compressor(), self.factory.cipher())
