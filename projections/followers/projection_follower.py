"""The follower of one projection: a loop of its own, which no other projection's trouble stops."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Event
from time import monotonic

from domain.store import Games, StoreUnavailable
from domain.store.log import LogPage, Numbers, Positions, numbers_of
from domain.store.wakeups import Wakeups
from projections.followers.log_pages import LogPages
from projections.followers.troubles import TroubleLog
from projections.storage.quarantine import Fault
from projections.storage.rows import RowStore, RowsUnavailable
from projections.storage.tables import Generation

LOG = logging.getLogger("trickbook.followers")


class RowsTooNew(Exception):
    """A newer version of the program made the rows; this one must not change them."""


class ProjectionFollower:
    """Folds the log into the rows of the projection `name`, and rings each time."""

    def __init__(self, games: Games, rows: RowStore, name: str, pages: LogPages, wakeups: Wakeups) -> None:
        self._games, self._rows, self.name, self._pages, self._wakeups = games, rows, name, pages, wakeups
        self._version = rows.projections[name].version
        self._troubles = TroubleLog(LOG, f"list {name}")
        self._retried = False

    @property
    def trouble(self) -> str | None:
        """The reason why the rows aren't updated, or None."""
        return self._troubles.reason

    def catch_up(self) -> Generation:
        """Fold in all new commits and return the generation reached.

        Rows of an older version are rebuilt first, and rows of another history, as after a return to a backup.
        """
        generation = self.checked_generation()
        while (following := self.fold_page(generation)) is not None:
            generation = following
        return generation

    def checked_generation(self) -> Generation:
        """Return the live generation, rebuilt if it's of an older version or of another history."""
        while (live := self.current_generation()) is None:
            self._pages.forget()
            self.rebuild()
        return live

    def current_generation(self) -> Generation | None:
        """Return the live generation, or None if it has to be rebuilt first."""
        return self.usable(self._rows.live_generation(self.name), self._games.log.has_positions)

    def usable(self, live: Generation, has_positions: Callable[[Positions], bool]) -> Generation | None:
        """Return the live generation, or None if it has to be rebuilt first."""
        if live.version > self._version:
            raise RowsTooNew(
                f"version {live.version} of {self.name} made the rows, and this program has version {self._version};"
                " trickbook store rebuild makes new ones"
            )
        return live if live.version == self._version and has_positions(live.at) else None

    def fold_page(self, live: Generation, upto: Numbers | None = None) -> Generation | None:
        """Fold the next page, and return the generation after it; None if there was no page.

        If another process has folded it, return the live generation. `upto` is where the log is known to go on to.
        """
        page = self._pages.read(live.at, upto)
        if not page.rows:
            return None
        return self.after_page(live, page, self._fold(live, page)) or self.checked_generation()

    def _fold(self, generation: Generation, page: LogPage) -> Sequence[Fault] | None:
        begun = monotonic()
        faults = self._rows.fold(self.name, generation, page, self._games.history)
        self._pages.note_time(len(page.rows), monotonic() - begun)
        return faults

    def after_page(self, before: Generation, page: LogPage, faults: Sequence[Fault] | None) -> Generation | None:
        """Return the generation after a page that is folded, and report its faults.

        If `faults` is None, another process has folded it: return the current generation.
        """
        for fault in faults or ():
            LOG.error(
                "list %s: game %s is in quarantine: event %s: %s", self.name, fault.game, fault.version, fault.reason
            )
        self._wakeups.ring()
        return self.current_generation() if faults is None else replace(before, at=page.end)

    def recover(self, stop: Event, error: Exception | None) -> Generation | None:
        """Catch up after an error, or to rebuild the rows; log errors and try again until that works.

        Return the generation reached, or None if `stop` is set first.
        """
        while not stop.is_set():
            if error is not None:
                self._note(error)
                self._troubles.wait(stop)
            try:
                if not self._retried:
                    self.retry_too_new()
                generation = self.catch_up()
            except Exception as failure:  # noqa: BLE001 - noted above, whether it's a fault of ours or of a database
                error = failure
            else:
                if self._troubles.succeeded():
                    self._tell(None)
                return generation
        return None

    def _note(self, error: Exception) -> None:
        if isinstance(error, StoreUnavailable | RowsUnavailable | RowsTooNew):
            self._failed(str(error))
        elif self._failed(type(error).__name__):
            LOG.error("list %s", self.name, exc_info=error)

    def _failed(self, reason: str) -> bool:
        """Note a failure and return whether its reason is new."""
        changed = self._troubles.failed(reason)
        if changed:
            self._tell(reason)
        return changed

    def _tell(self, reason: str | None) -> None:
        """Tell other processes why the rows aren't updated, if the database of the rows answers."""
        with suppress(RowsUnavailable):
            self._rows.set_trouble(self.name, reason)

    def retry_too_new(self) -> None:
        """Fold the games again that an older program couldn't read."""
        for entry in self._rows.quarantined():
            if entry.projection == self.name and entry.fault.too_new and not entry.dropped:
                self.retry(entry.fault.game)
        self._retried = True

    def retry(self, game: str) -> Fault | None:
        """Fold a game again from its first event. Return the fault if it stays in quarantine."""
        fault = self._rows.refold(self.name, game, self._games.history)
        if fault is None:
            LOG.warning("list %s: game %s is out of quarantine", self.name, game)
        return fault

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Rebuild the rows from the first event next to the live rows, then make the new rows live.

        `progress` is called with the sum of the numbers reached and of the last numbers, over all shards.
        An interrupted rebuild continues. Change no rows if the log can't be read, as after a change of its shards.
        """
        self._games.log.last_numbers()
        unfinished = self._rows.building_generation(self.name)
        is_wrong = unfinished is not None and not self._games.log.has_positions(unfinished.at)
        abandon = unfinished.number if unfinished is not None and is_wrong else None
        generation: Generation | None = self._rows.begin_rebuild(self.name, abandon)
        while generation is not None:
            page = self._pages.read(generation.at)
            if progress is not None:
                progress(sum(numbers_of(page.end)), sum(self._games.log.last_numbers()))
            if not page.rows:
                self._rows.make_live(self.name, generation)
                return
            generation = self._next_generation(generation, page)

    def _next_generation(self, generation: Generation, page: LogPage) -> Generation | None:
        """Fold a page into a generation and return the generation after it.

        Another process may have folded the page. Return None if another process finished the rebuild.
        """
        faults = self._fold(generation, page)
        if faults is not None:
            return self.after_page(generation, page, faults)
        building = self._rows.building_generation(self.name)
        return building if building is not None and building.number == generation.number else None
