"""A player's inbox as clients see it: entries with their ids and the labels of their games, and streams of them."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple, cast

import msgspec
from cachetools import LRUCache

from api.inbox.stored.webhooks import InboxPlace
from api.play.services.event_stream import PAGE_EVENTS, Cursor, EventPage, Frame, StreamSlot
from api.tables.stored.table_lists import TableLists
from domain.events import GameOpened
from domain.store import Games, NoSuchGame
from domain.store.aggregate import Corrupt
from projections.lists.inbox_entries import InboxEntry
from projections.lists.inbox_pages import InboxPage, inbox_page, last_about, place_of
from projections.storage.rows import RowStore
from projections.storage.tables import Row

MOST_KEPT = 10_000
"""How many games a process remembers."""


class GameLabel(NamedTuple):
    """A person's name for a game. None if it can't be read."""

    board: int | None
    variant: str | None


NO_LABEL = GameLabel(None, None)
"""Also of an entry that is about no game."""


class GameLabels:
    """Reads labels. Safe for concurrent use by several threads."""

    def __init__(self, rows: RowStore, games: Games, tables: TableLists) -> None:
        self._rows, self._games, self._tables = rows, games, tables
        self._known, self._lock = LRUCache[str, GameLabel](MOST_KEPT), Lock()

    def of(self, ids: Collection[str]) -> Mapping[str, GameLabel]:
        """Return the label of each of these games and tables."""
        with self._lock:
            known = {each: label for each in ids if (label := self._known.get(each)) is not None}
        missing = sorted({*ids} - known.keys())
        found = self._listed(missing) if missing else {}
        found |= {each: self._read(each) for each in missing if each not in found}
        with self._lock:
            self._known.update({each: label for each, label in found.items() if label != NO_LABEL})
        return known | found

    def _listed(self, ids: Collection[str]) -> dict[str, GameLabel]:
        """Return the labels of those that are in the lobby, with one question."""
        with self._rows.snapshot("lobby") as reading:
            rows = reading.find("games", f"WHERE id IN ({', '.join('?' * len(ids))})", *ids)
        return {row["id"]: GameLabel(row["board"], row["variant"]) for row in rows}

    def _read(self, game: str) -> GameLabel:
        """Return the label of one that the lobby doesn't have yet, or before the deal never has."""
        try:
            opened = self._games.first_entry(game).event.data
        except (NoSuchGame, Corrupt):
            return GameLabel(*(self._tables.board_and_variant(game) or NO_LABEL))
        return GameLabel(opened.board, opened.variant) if isinstance(opened, GameOpened) else NO_LABEL


FORMAT = "trickbook-inbox/1"
HALF_BITS, ROUNDS = 24, range(8)
ID = re.compile(r"(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,14})")
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class EntryIds:
    """Writes and reads the ids of entries: generation and number.

    With a key, for a token that is for one game, the number is another one, so that no id tells how much happens to
    the player elsewhere. It's the same for each entry, but not in the order of entries.
    """

    key: bytes | None = field(default=None, repr=False)

    @classmethod
    def of(cls, secret: bytes, player: str, game: str | None) -> "EntryIds":
        """Return those for tokens of a player that are for all games (None), or for one."""
        told = None if game is None else f"{FORMAT} {player} {game}".encode()
        return cls(None if told is None else blake2b(told, key=secret, digest_size=32).digest())

    def write(self, at: Cursor) -> str:
        """Return the id of an entry."""
        return f"{at[0]}.{at[1] if self.key is None else self._mixed(at[1], ROUNDS)}"

    def read(self, text: str) -> Cursor | None:
        """Return the generation and number in the id of an entry, or None if it's none."""
        found = ID.fullmatch(text)
        if found is None:
            return None
        number = int(found[2])
        if self.key is None:
            return int(found[1]), number
        return int(found[1]), _swapped(self._mixed(_swapped(number % (1 << 2 * HALF_BITS)), reversed(ROUNDS)))

    def _mixed(self, number: int, rounds: Iterable[int]) -> int:
        """Return a number of 48 bits for another one, by a Feistel network.

        An id has at most 15 digits, and the ciphers of the library (as for `positions.py`) make longer texts.
        """
        left, right = divmod(number, 1 << HALF_BITS)
        for each in rounds:
            half = blake2b(b"%d %d" % (each, right), key=self.key or b"", digest_size=HALF_BITS // 8).digest()
            left, right = right, left ^ int.from_bytes(half)
        return left << HALF_BITS | right


def _swapped(number: int) -> int:
    left, right = divmod(number, 1 << HALF_BITS)
    return right << HALF_BITS | left


@dataclass(frozen=True)
class InboxStream:
    """The entries of a player's inbox above `start`, up to `end` (None: without end).

    With `game`, only those about this game, for a token that is for one game. `wait_s` is as in `EventStream`. If it
    `names_start`, the id at which it begins is sent first, so that the client can resume before there is any entry.
    """

    player: str
    game: str | None
    start: Cursor
    end: Cursor | None
    token_sha256: str | None
    slot: StreamSlot
    ids: EntryIds
    wait_s: int | None = None
    names_start: bool = False

    @property
    def topic(self) -> str:
        """The signal that wakes the stream: the player's inbox."""
        return self.player

    @property
    def opening(self) -> bytes:
        """The bytes before the first frame."""
        return b"id: %b\n\n" % self.ids.write(self.start).encode() if self.names_start else b""

    def reader_among(self, _holders: frozenset[str]) -> str | None:
        """Return the game: streams of all games share their pages, and so do those of one."""
        return self.game


def entries_json(page: InboxPage, labels: GameLabels, ids: EntryIds) -> list[InboxEntry]:
    """Return the entries of a page as JSON values."""
    known = labels.of({entry["about"] for entry in page.entries} - {None})
    return [
        entry_json(ids.write((page.generation, entry["n"])), entry, known.get(entry["about"], NO_LABEL))
        for entry in page.entries
    ]


def entry_json(shown: str, entry: Row, label: GameLabel) -> InboxEntry:
    """Return an entry, shown under an id, as JSON values."""
    about = {"game": entry["about"], "board": label.board, "variant": label.variant}
    item = {"id": shown, "kind": entry["kind"], "at": entry["at"], **about, **entry["data"]}
    return cast("InboxEntry", item)  # the list and the outbox have stored the details of this kind


def read_inbox(rows: RowStore, player: str, after: Cursor, limit: int, game: str | None = None) -> InboxPage:
    """Return the next entries above `after`: all that are kept if it isn't in this inbox's generation, or beyond it.

    Raise RowsUnavailable if the database of the lists doesn't answer.
    """
    with rows.snapshot("inbox") as reading:
        number = after[1] if after[0] == reading.generation else 0
        page = inbox_page(reading, player, number, limit, game)
        return inbox_page(reading, player, 0, limit, game) if number > page.head else page


def inbox_end(rows: RowStore, player: str, game: str | None) -> Cursor:
    """Return the cursor of the last entry of a player's inbox, or of the last about a game. Raise RowsUnavailable."""
    with rows.snapshot("inbox") as reading:
        last = place_of(reading, player)[0] if game is None else last_about(reading, player, game)
        return reading.generation, last


def inbox_place(rows: RowStore, player: str) -> InboxPlace:
    """Return the end of a player's inbox. Raise RowsUnavailable."""
    with rows.snapshot("inbox") as reading:
        return InboxPlace(reading.generation, *place_of(reading, player))


def read_frames(
    rows: RowStore, labels: GameLabels, ids: EntryIds, player: str, game: str | None, after: Cursor
) -> EventPage:
    """Return the next entries above `after` as frames of a stream."""
    page = read_inbox(rows, player, after, PAGE_EVENTS, game)
    items = entries_json(page, labels, ids)
    frames = tuple(_frame((page.generation, entry["n"]), item) for entry, item in zip(page.entries, items, strict=True))
    head = page.generation, page.head
    return EventPage(frames, (page.generation, page.reached), head, head)


def _frame(at: Cursor, item: InboxEntry) -> Frame:
    text = b"id: %b\nevent: %b\ndata: %b\n\n" % (item["id"].encode(), item["kind"].encode(), _encode(item))
    return at, text
