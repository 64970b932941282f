"""The head of a delayed game: the last commit that everybody may see."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from threading import Lock

from cachetools import LRUCache

from domain.state import State
from domain.store import Games
from domain.store.aggregate import Entry

WINDOW = 32
"""How many entries are read at a time to find where a commit ends."""
CACHED_HEADS = 4096
ReadEntries = Callable[[int, int], Sequence[Entry]]
"""Takes `after` and `upto`."""


def is_delayed(state: State) -> bool:
    """Return whether players who aren't seated see the game late: until it ends, if its opening says so."""
    return state.opened is not None and state.opened.watch.delay > 0 and state.result is None


def delayed_head(read: ReadEntries, version: int, delay: int) -> int:
    """Return the version at which the last commit ends that is at least `delay` (1 or more) facts old; 0 without one.

    A commit ends where the time or the command changes.
    """
    last = version - delay
    while last > 0:
        after = max(0, last - WINDOW)
        for entry, following in reversed(list(pairwise(read(after, last + 1)))):
            if _commit_of(entry) != _commit_of(following):
                return entry.event.version
        last = after
    return 0


def _commit_of(entry: Entry) -> tuple[str, str]:
    return entry.event.at, entry.event.command


class DelayedLog:
    """The log of delayed games as it may be seen by players who aren't seated. Safe for use by several threads."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._heads: LRUCache[tuple[str, int], int] = LRUCache(CACHED_HEADS)
        self._lock = Lock()

    def entries(self, game: str, /, after: int = 0, upto: int | None = None) -> list[Entry]:
        """Return the entries above version `after` up to `upto` that everybody may see now."""
        last = self.head(self._games.state(game))
        return self._games.entries(game, after, last if upto is None else min(upto, last))

    def head(self, state: State) -> int:
        """Return the last version of this game that everybody may see."""
        if state.opened is None or not is_delayed(state):
            return state.version
        game, version = state.game, state.version
        with self._lock:
            known = self._heads.get((game, version))
        if known is None:
            known = delayed_head(lambda *run: self._games.entries(game, *run), version, state.opened.watch.delay)
            with self._lock:
                self._heads[game, version] = known
        return known
