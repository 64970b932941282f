"""Board number and variant of a game or of a table before the deal, for entries of inboxes. Neither ever changes."""

from collections.abc import Collection, Mapping
from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache

from api.accounts.tables.table_lists import TableLists
from domain.events import GameOpened
from domain.store import Games, NoSuchGame
from domain.store.aggregate import Corrupt
from projections.storage.rows import RowStore

MOST_KEPT = 10_000
"""How many games a process remembers."""


class GameLabel(NamedTuple):
    """What a person calls a game. None if it can't be read."""

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
