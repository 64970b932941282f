"""The follower of the log: it folds every commit into the rows exactly once, even after a crash."""

import logging
from collections.abc import Callable
from dataclasses import replace
from threading import Condition, Event, Thread
from time import monotonic

from domain.store import Games, Notice, StoreUnavailable
from domain.store.aggregate import Corrupt
from projections.lists.arbiter_queue import ARBITER_QUEUE
from projections.lists.deadlines import DEADLINES
from projections.lists.lobby import LOBBY
from projections.lists.scoreboard import SCOREBOARD
from projections.storage.rows import Generation, RowStore, RowsUnavailable

PROJECTIONS = (LOBBY, SCOREBOARD, DEADLINES, ARBITER_QUEUE)
"""Every projection."""
PAGE = 500
"""The most events folded in one transaction."""
RETRY_S = 1.0
"""How long to wait before trying a database again that didn't answer."""
GATHER_S = 0.05
"""How long to gather commits before folding them, unless a caller waits for one."""
POLL_S = 0.02
"""How often a waiting caller checks what other processes have folded."""

LOG = logging.getLogger(__name__)


class RowsTooNew(Exception):
    """A newer version of the program made the rows; this one must not change them."""


class LogFollower:
    """Folds the log into the rows of every projection.

    Safe for concurrent use by several processes: only one of them folds each page.
    """

    def __init__(self, games: Games, rows: RowStore, page: int = PAGE) -> None:
        self._games, self._rows, self._page = games, rows, page
        self._moved, self._awaited = Condition(), Event()
        self.trouble: str | None = None
        """The reason why the rows aren't updated, or None."""

    def catch_up(self) -> int:
        """Fold in all new commits and return the position reached. Rows of an older version are rebuilt first."""
        for name, projection in self._rows.projections.items():
            live = self._rows.live_generation(name)
            if live.version > projection.version:
                raise RowsTooNew(
                    f"version {live.version} of {name} made the rows, and this program has version {projection.version}"
                )
            if live.version < projection.version or live.position > self._games.last_position():
                self.rebuild(name)
        while self._step():
            with self._moved:
                self._moved.notify_all()
        return min(self._positions().values())

    def _step(self) -> bool:
        """Fold one page into every projection that doesn't have it yet; return whether there was one."""
        live = {name: self._rows.live_generation(name) for name in self._rows.projections}
        notices = self._games.notifications(min(each.position for each in live.values()), self._page)
        for name, generation in live.items():
            self._fold(name, generation, notices)
        return bool(notices)

    def _fold(self, name: str, generation: Generation, notices: list[Notice]) -> None:
        new = [notice for notice in notices if notice.position > generation.position]
        if new:
            self._rows.fold(name, generation, new)

    def run(self, stop: Event) -> None:
        """Follow the log until `stop` is set. Log errors and try again."""
        while not stop.is_set():
            try:
                self._follow(stop)
            except (StoreUnavailable, RowsUnavailable, Corrupt, RowsTooNew) as error:
                LOG.warning("projections wait: %s", error)
                self.trouble = str(error)
            except Exception as error:  # an event that can't be folded: the lists wait until it can
                LOG.exception("projections wait")
                self.trouble = type(error).__name__
            stop.wait(RETRY_S if self.trouble else 0)

    def _follow(self, stop: Event) -> None:
        done, over = self.catch_up(), Event()
        self.trouble = None
        with self._games.subscribe(done) as notices:

            def watch() -> None:
                while not (stop.wait(0.1) or over.is_set()):
                    pass
                notices.stop()

            watcher = Thread(target=watch, name="projections-stop", daemon=True)
            watcher.start()
            try:
                for notice in notices:
                    if notice.position > done:
                        self._awaited.wait(GATHER_S)
                        self._awaited.clear()
                        done = self.catch_up()
            finally:
                over.set()
                watcher.join()

    def rebuild(self, name: str, progress: Callable[[int, int], None] | None = None) -> None:
        """Rebuild a projection's rows from the first event next to the live rows, then make the new rows live.

        `progress` is called with the position reached and the last position. An interrupted rebuild continues.
        """
        generation: Generation | None = self._rows.begin_rebuild(name)
        while generation is not None:
            notices = self._games.notifications(generation.position, self._page)
            if progress is not None:
                progress(notices[-1].position if notices else generation.position, self._games.last_position())
            if not notices:
                self._rows.make_live(name, generation)
                return
            generation = self._next_generation(name, generation, notices)

    def _next_generation(self, name: str, generation: Generation, notices: list[Notice]) -> Generation | None:
        """Fold a page into a generation and return the generation after it.

        Another process may have folded the page. Return None if another process finished the rebuild.
        """
        if self._rows.fold(name, generation, notices):
            return replace(generation, position=notices[-1].position)
        building = self._rows.building_generation(name)
        return building if building is not None and building.number == generation.number else None

    def lag(self) -> dict[str, int]:
        """Return how many positions each projection is behind the log."""
        positions, last = self._positions(), self._games.last_position()
        return {name: max(0, last - position) for name, position in positions.items()}

    def wait_for(self, position: int, seconds: float) -> bool:
        """Wait until every projection has folded `position`; return False if that takes longer than `seconds`."""
        until = monotonic() + seconds
        while min(self._positions().values()) < position:
            self._awaited.set()
            left = until - monotonic()
            if left <= 0:
                return False
            with self._moved:
                self._moved.wait(min(left, POLL_S))
        return True

    def _positions(self) -> dict[str, int]:
        return {name: self._rows.live_generation(name).position for name in self._rows.projections}
