"""The followers of the log: they fold every commit into the rows exactly once, even after a crash."""

from collections.abc import Callable, Iterable
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic

from domain.store import Games
from domain.store.log import LogPosition, Numbers, Positions, includes, numbers_of
from domain.store.wakeups import Wakeups
from projections.followers.follower_group import FollowerGroup
from projections.followers.log_pages import PATIENCE_S, LogPages
from projections.followers.projection_follower import ProjectionFollower
from projections.lists.arbiter_queue import ARBITER_QUEUE
from projections.lists.deadlines import DEADLINES
from projections.lists.inbox import INBOX
from projections.lists.lobby import LOBBY
from projections.lists.scoreboard import SCOREBOARD
from projections.lists.standings import STANDINGS
from projections.ratings.ratings import RATINGS
from projections.storage.quarantine import Fault
from projections.storage.rows import RowStore
from projections.storage.tables import Generation

PROJECTIONS = (LOBBY, SCOREBOARD, DEADLINES, ARBITER_QUEUE, INBOX, STANDINGS, RATINGS)
"""Every projection."""
PAGE = 4000
"""The most events folded in one transaction."""
POLL_S = 0.02
"""How often a waiting caller checks what other processes have folded."""
LOOK_S, IDLE_LOOK_S = 0.5, 5.0
"""How often the positions are read again: another process may have rebuilt the rows, or removed their file.

The second figure is for times without a commit. The first commit after them is folded by positions that are read again.
"""
STOP_TIMEOUT_S = 10.0


class LogFollower:
    """Folds the log into the rows of every projection.

    Safe for concurrent use by several processes: only one of them folds each page.
    """

    def __init__(self, games: Games, rows: RowStore, page: int = PAGE, wakeups: Wakeups | None = None) -> None:
        self._games, self._rows = games, rows
        self._wakeups = wakeups or Wakeups()
        self._pages = LogPages(games, page, self._wakeups)
        self._checked: dict[str, Positions] = {}
        self.each = {
            name: ProjectionFollower(games, rows, name, self._pages, self._wakeups) for name in rows.projections
        }
        """The follower of each projection, by name."""

    def run(self, stop: Event) -> None:
        """Follow the log until `stop` is set. All projections fold a page in one transaction, in this thread.

        A projection that has to be rebuilt, or fails, waits for no other and keeps none waiting: a thread of its own
        does that, or meets and reports the error again, until the projection has caught up.
        """
        threads, back = list[Thread](), SimpleQueue[tuple[ProjectionFollower, Generation]]()

        def recover(each: ProjectionFollower, error: Exception | None) -> None:
            generation = each.recover(stop, error)
            if generation is not None:
                back.put((each, generation))

        def go_alone(each: ProjectionFollower, error: Exception | None) -> None:
            thread = Thread(target=recover, args=(each, error), name=f"recovers {each.name}", daemon=True)
            threads[:] = [*(other for other in threads if other.is_alive()), thread]
            thread.start()

        group = FollowerGroup(self._games, self._rows, self._pages, go_alone)
        for each in self.each.values():
            group.join(each, partial(_begin, each))
        looked_at = monotonic()
        while not stop.is_set():
            while not back.empty():
                each, generation = back.get()
                group.join(each, partial(_found, generation))
            if monotonic() >= looked_at + LOOK_S:
                group.find_again()
                looked_at = monotonic()
            group.fold_page(self._pages.last)
            is_busy = self._wakeups.quiet_s() < IDLE_LOOK_S or any(each.is_alive() for each in threads)
            look_s = LOOK_S if is_busy else IDLE_LOOK_S
            try:
                self._pages.await_commit(group.reached(), looked_at + look_s - monotonic(), stop)
            except Exception:  # noqa: BLE001 - the members meet the error again, and report it
                stop.wait(PATIENCE_S)
                group.find_again()
        until = monotonic() + STOP_TIMEOUT_S
        for thread in threads:
            thread.join(max(0.0, until - monotonic()))

    def catch_up(self) -> Numbers:
        """Fold in all new commits and return the number that every projection reached in each shard.

        All projections fold a page before the next one is read. If one fails, bring the others up to date before
        raising its error.
        """
        failures, behind = list[Exception](), list[ProjectionFollower]()

        def leave(each: ProjectionFollower, error: Exception | None) -> None:
            if error is None:
                behind.append(each)
            else:
                failures.append(error)

        group = FollowerGroup(self._games, self._rows, self._pages, leave)
        for each in self.each.values():
            group.join(each, each.checked_generation)
        while group.fold_page():
            pass
        for each in behind:
            each.catch_up()
        if failures:
            raise failures[0]
        return self._reached(*self.each)

    def rebuild(self, name: str, progress: Callable[[int, int], None] | None = None) -> None:
        """Rebuild a projection's rows, as `ProjectionFollower.rebuild` does."""
        self.each[name].rebuild(progress)

    def retry(self, game: str) -> list[Fault]:
        """Fold a game again from its first event in every list, and return the faults that keep it in quarantine."""
        faults = [each.retry(game) for each in self.each.values()]
        return [fault for fault in faults if fault is not None]

    def lag(self) -> dict[str, int]:
        """Return how many positions each projection is behind the log, in all shards together."""
        reached = {name: sum(self._numbers(name)) for name in self.each}
        last = sum(self._games.log.last_numbers())
        return {name: max(0, last - position) for name, position in reached.items()}

    def wait_for(self, positions: Iterable[LogPosition], seconds: float, *names: str) -> bool:
        """Wait until the named projections have folded these positions; return False after `seconds`.

        Without names, wait for all of them.
        """
        until, wanted, waited_for = monotonic() + seconds, tuple(positions), names or tuple(self.each)
        rings = self._wakeups.rings
        while not all(includes(self._numbers(name), wanted) for name in waited_for):
            left = until - monotonic()
            if left <= 0:
                return False
            rings = self._wakeups.wait(rings, min(left, POLL_S))
        return True

    def _reached(self, *names: str) -> Numbers:
        """Return the number in each shard that all of these projections have reached."""
        return tuple(map(min, zip(*map(self._numbers, names), strict=True)))

    def _numbers(self, name: str) -> Numbers:
        """Return the number that a projection has folded in each shard; 0 if its rows are of another history."""
        at = self._rows.live_generation(name).at
        if self._checked.get(name) != at:
            if not at or not self._games.log.has_positions(at):
                return (0,) * self._games.log.shards
            self._checked[name] = at
        return numbers_of(at)


def _found(generation: Generation) -> Generation:
    return generation


def _begin(follower: ProjectionFollower) -> Generation | None:
    """Fold again what an older program couldn't read, and return the live generation unless it has to be rebuilt."""
    follower.retry_too_new()
    return follower.current_generation()
