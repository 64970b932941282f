"""Followers of the log: they fold every commit into the rows, once, whatever happens to them on the way."""

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
"""Every projection there is."""
PAGE = 500
"""Events folded in one transaction, at most."""
PAUSE_S = 1.0
"""How long a follower leaves a database alone that did not answer."""
LINGER_S = 0.05
"""How long a follower gathers commits before it folds them, unless somebody waits for one."""
LOOK_S = 0.02
"""How often who waits looks at what other processes have folded."""

LOG = logging.getLogger(__name__)


class RowsTooNew(Exception):
    """The rows were made by a newer version of a projection than this program has; it leaves them alone."""


class LogFollower:
    """The followers of one process. Any number of processes may follow: each page is folded by one of them."""

    def __init__(self, games: Games, rows: RowStore, page: int = PAGE) -> None:
        self._games, self._rows, self._page = games, rows, page
        self._moved, self._awaited = Condition(), Event()
        self.trouble: str | None = None
        """Why the rows stand still, as long as they do."""

    def catch_up(self) -> int:
        """Fold in what is new, until nothing is; the position reached. Rows of an older version are made anew first."""
        for name, projection in self._rows.projections.items():
            live = self._rows.live_generation(name)
            if live.version > projection.version:
                raise RowsTooNew(f"{name} was made by version {live.version}, this is version {projection.version}")
            if live.version < projection.version or live.position > self._games.last_position():
                self.rebuild(name)
        while self._step():
            with self._moved:
                self._moved.notify_all()
        return min(self._positions().values())

    def _step(self) -> bool:
        """Fold one page into every projection that lacks it; whether there was any."""
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
        """Follow the log until `stop` is set; what stands in the way is logged and tried again."""
        while not stop.is_set():
            try:
                self._follow(stop)
            except (StoreUnavailable, RowsUnavailable, Corrupt, RowsTooNew) as error:
                LOG.warning("projections wait: %s", error)
                self.trouble = str(error)
            except Exception as error:  # events that do not fold: the lists wait until they do
                LOG.exception("projections wait")
                self.trouble = type(error).__name__
            stop.wait(PAUSE_S if self.trouble else 0)

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
                        self._awaited.wait(LINGER_S)
                        self._awaited.clear()
                        done = self.catch_up()
            finally:
                over.set()
                watcher.join()

    def rebuild(self, name: str, progress: Callable[[int, int], None] | None = None) -> None:
        """Make a projection's rows anew from the first event beside those that are read, then read the new ones.

        `progress` is told the position reached and the last one there is. One that was broken off goes on.
        """
        made: Generation | None = self._rows.begin_rebuild(name)
        while made is not None:
            notices = self._games.notifications(made.position, self._page)
            if progress is not None:
                progress(notices[-1].position if notices else made.position, self._games.last_position())
            if not notices:
                self._rows.make_live(name, made)
                return
            made = self._further(name, made, notices)

    def _further(self, name: str, made: Generation, notices: list[Notice]) -> Generation | None:
        """The generation a page on, by us or by another process; None when another is done with it."""
        if self._rows.fold(name, made, notices):
            return replace(made, position=notices[-1].position)
        building = self._rows.building_generation(name)
        return building if building is not None and building.number == made.number else None

    def lag(self) -> dict[str, int]:
        """How many positions each projection is behind the log."""
        positions, last = self._positions(), self._games.last_position()
        return {name: max(0, last - position) for name, position in positions.items()}

    def reached(self, position: int, seconds: float) -> bool:
        """Wait until every projection has folded `position`, at most so long; whether they have."""
        until = monotonic() + seconds
        while min(self._positions().values()) < position:
            self._awaited.set()
            left = until - monotonic()
            if left <= 0:
                return False
            with self._moved:
                self._moved.wait(min(left, LOOK_S))
        return True

    def _positions(self) -> dict[str, int]:
        return {name: self._rows.live_generation(name).position for name in self._rows.projections}
