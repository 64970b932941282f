"""A cache of views: the folds of running games, brought up to date by new entries."""

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Protocol

from domain.protocols.merkle_log import EMPTY, Frontier
from domain.store.aggregate import Entry
from domain.store.group_commit import RoundLock, with_pauses
from projections.views.audience import Viewer, seat_shown
from projections.views.seat import View, ViewFold, view_at, view_json


class EntrySource(Protocol):
    """The part of the store that views need."""

    def entries(self, game: str, /, after: int = 0, upto: int | None = None) -> list[Entry]:
        """Return the entries above version `after` up to `upto`; raise LookupError if there is no such game."""


class _CachedGame:
    """One game: a fold for each viewer who has asked, all up to the same version."""

    def __init__(self) -> None:
        self.lock = RoundLock()
        self.frontier: Frontier = EMPTY
        self.viewers: dict[int | None, ViewFold] = {}

    def add(self, entries: Iterable[Entry]) -> None:
        """Fold in the new ones of `entries`; do nothing if there is a gap before the first new entry."""
        for entry in with_pauses(entries):
            if entry.event.version == self.frontier.size + 1:
                self.frontier = self.frontier.append(entry.leaf)
                for fold in self.viewers.values():
                    fold.add(entry.event)


class ViewCache:
    """The views of up to `size` games, the most recently used. Safe for concurrent use by several threads."""

    def __init__(self, log: EntrySource, size: int = 1000) -> None:
        self._log = log
        self._size = size
        self._lock = Lock()
        self._games: OrderedDict[str, _CachedGame] = OrderedDict()

    def view(self, game: str, viewer: Viewer, at: int | None = None, root: str | None = None) -> View:
        """Return the view of `viewer` now or at version `at`, which may be folded again from event 1.

        `root` is the log's root in hex at version `at`, if it's known. Raise ValueError beyond the last event.
        """
        cached = self._cached(game)
        with cached.lock:
            try:
                if at is None or at > cached.frontier.size:
                    cached.add(self._log.entries(game, cached.frontier.size))
                if at is None or at == cached.frontier.size:
                    return view_json(self._fold(game, cached, viewer), root or cached.frontier.root().hex())
            except BaseException:
                self._evict(game)
                raise
        return view_at(self._log.entries(game, 0, at), viewer, at, with_pauses)

    def fold(self, game: str, viewer: Viewer) -> ViewFold:
        """Return a copy of the fold behind the viewer's view now."""
        cached = self._cached(game)
        with cached.lock:
            try:
                cached.add(self._log.entries(game, cached.frontier.size))
                return self._fold(game, cached, viewer).copy()
            except BaseException:
                self._evict(game)
                raise

    def feed(self, game: str, entries: Iterable[Entry]) -> None:
        """Fold in entries just committed if the game is in the cache, so that the next view needn't read them."""
        with self._lock:
            cached = self._games.get(game)
        if cached is not None:
            with cached.lock:
                try:
                    cached.add(entries)
                except BaseException:
                    self._evict(game)
                    raise

    def cached_games(self) -> list[str]:
        """Return the games in the cache, the least recently used first."""
        with self._lock:
            return list(self._games)

    def _cached(self, game: str) -> _CachedGame:
        with self._lock:
            cached = self._games.get(game)
            if cached is not None:
                self._games.move_to_end(game)
                return cached
            cached = self._games[game] = _CachedGame()
            while len(self._games) > self._size:
                self._games.popitem(last=False)
            return cached

    def _fold(self, game: str, cached: _CachedGame, viewer: Viewer) -> ViewFold:
        seat = seat_shown(viewer)
        if seat not in cached.viewers:
            fold = ViewFold(seat)
            for entry in with_pauses(self._log.entries(game, 0, cached.frontier.size)):
                fold.add(entry.event)
            cached.viewers[seat] = fold
        return cached.viewers[seat]

    def _evict(self, game: str) -> None:
        """Evict a game after an error: its folds may have stopped halfway."""
        with self._lock:
            self._games.pop(game, None)
