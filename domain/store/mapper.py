"""Map entries of a game's log to stored rows and back, for the eventsourcing application that stores them.

A row has the game's UUID, the version, the topic ("CardPlayed/1"), and the state: 32 bytes `prev` and the canonical
bytes, compressed (`compression`), and then encrypted if the settings say so. Hashes are of the plaintext, so a new key
changes no link.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from uuid import UUID

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import JSONTranscoder, Mapper, StoredEvent

from domain.events.codec import topic
from domain.protocols import merkle_log
from domain.store.aggregate import PREV_SIZE, Corrupt, Entry, read_event, read_row
from domain.store.compression import FactCompressor
from domain.store.positions import short_leaf
from domain.store.recorder import RawEvent, RawLogRow
from domain.store.results import LogRow, Notice, UnreadableRow

MAX_SHOWN_ID = 100
"""The most characters shown of a stored id that is no game's."""
UNREADABLE_STATE = "its state cannot be decrypted or decompressed"
_game_id: Callable[[UUID], str] = lru_cache(4096)(str)


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
        game = _game_id(uuid if isinstance(uuid, UUID) else UUID(uuid))
        return read_row(game, version, stored_event.topic, self._decrypt(game, version, stored_event.state))

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
            raise Corrupt(game, version, UNREADABLE_STATE) from error


def unencrypted_mapper() -> FactMapper:
    """Return a mapper for the rows of any log that isn't encrypted, compressed or not."""
    return FactMapper(JSONTranscoder(), FactCompressor())
