"""Views of running games, kept beside the games and folded on by what is new."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Protocol

from domain.protocols.merkle_log import EMPTY, Frontier
from domain.store.aggregate import Entry
from projections.views.audience import Viewer
from projections.views.seat import View, ViewFold, view_at, view_json


class EntrySource(Protocol):
    """What views need of the store."""

    def entries(self, game: str, /, after: int = 0, upto: int | None = None) -> list[Entry]:
        """The game's entries above version `after`, up to and with `upto`; LookupError for a game that is not there."""


class _CachedGame:
    """One game as all who have looked at it see it, folded as far as anybody has looked."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.frontier: Frontier = EMPTY
        self.viewers: dict[Viewer, ViewFold] = {}

    def add(self, entries: Iterable[Entry]) -> None:
        """Fold in what is new of `entries`; a gap before the first new one leaves the table as it is."""
        for entry in entries:
            if entry.event.version == self.frontier.size + 1:
                self.frontier = self.frontier.append(entry.leaf)
                for seen in self.viewers.values():
                    seen.add(entry.event)


class ViewCache:
    """Views of running games, kept beside the games and folded on by what is new. Any number of threads may ask."""

    def __init__(self, log: EntrySource, size: int = 1000) -> None:
        self._log = log
        self._size = size
        self._lock = Lock()
        self._tables: OrderedDict[str, _CachedGame] = OrderedDict()

    def view(self, game: str, viewer: Viewer, at: int | None = None) -> View:
        """The view of `viewer` now or, refolded from event 1, at version `at`; ValueError beyond the last event."""
        table = self._table(game)
        with table.lock, self._sound(game):
            if at is None or at > table.frontier.size:
                table.add(self._log.entries(game, table.frontier.size))
            if at is None or at == table.frontier.size:
                return view_json(self._seen(game, table, viewer), table.frontier.root().hex())
        return view_at(self._log.entries(game, 0, at), viewer, at)

    def feed(self, game: str, entries: Iterable[Entry]) -> None:
        """Fold in entries just committed, where the game is kept here: the next view need not read them."""
        with self._lock:
            table = self._tables.get(game)
        if table is not None:
            with table.lock, self._sound(game):
                table.add(entries)

    def cached_games(self) -> list[str]:
        """The games kept here, the longest unasked first."""
        with self._lock:
            return list(self._tables)

    def _table(self, game: str) -> _CachedGame:
        with self._lock:
            table = self._tables.setdefault(game, _CachedGame())
            self._tables.move_to_end(game)
            while len(self._tables) > self._size:
                self._tables.popitem(last=False)
            return table

    def _seen(self, game: str, table: _CachedGame, viewer: Viewer) -> ViewFold:
        if viewer not in table.viewers:
            seen = ViewFold(viewer)
            for entry in self._log.entries(game, 0, table.frontier.size):
                seen.add(entry.event)
            table.viewers[viewer] = seen
        return table.viewers[viewer]

    @contextmanager
    def _sound(self, game: str) -> Iterator[None]:
        """Forgets a table whose folding broke off: half of it is worth nothing."""
        try:
            yield
        except BaseException:
            with self._lock:
                self._tables.pop(game, None)
            raise
