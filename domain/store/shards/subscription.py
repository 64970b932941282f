"""Live subscriptions to the log, by the eventsourcing library's own classes.

A reader sleeps until the log goes on. A commit of this process wakes it at once. Commits of other processes are found
by a look at the last ids of all shards, which one of the waiting threads takes for all of them: a commit notifies
nobody, since then the database would make one commit after another (decision 0041).
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from eventsourcing.persistence import (
    ApplicationRecorder,
    InterfaceError,
    Notification,
    OperationalError,
    Subscription,
)

from domain.store.wakeups import CommitWatch

LOG = logging.getLogger("trickbook.subscriptions")
PAGE = 500
"""The most rows of a shard that are read at once."""
RETRY_S = 0.5
"""The pause before another attempt while the database is away."""


class LiveRecorder(ApplicationRecorder):
    """A recorder whose subscriptions are live, whatever process commits."""

    shard = 0
    """The number of its shard in the watch."""

    @cached_property
    def watch(self) -> CommitWatch:
        """The watch that all shards of the log share; a recorder that was opened alone has its own."""
        return CommitWatch(lambda: [self.max_notification_id() or 0])

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> "LogSubscription":
        """Return the rows of this shard with an id above gt, live, with `topics` only those of these topics."""
        return LogSubscription(self, gt, topics)


def live_rows(
    recorders: Sequence[LiveRecorder], gt: Sequence[int | None], topics: Sequence[str], is_stopped: Callable[[], bool]
) -> Iterator[tuple[int, Notification]]:
    """Yield each row above these ids of some shards of one log, with the place of its recorder, until `is_stopped`.

    The rows of a shard come in order, none is left out, and none comes twice. If the database can't be reached at
    first, raise the library's error; if it's away later, wait until it's back. Closing the log ends the iteration.
    """
    watch, places = recorders[0].watch, {recorder.shard: place for place, recorder in enumerate(recorders)}
    after = {recorder.shard: start or 0 for recorder, start in zip(recorders, gt, strict=True)}
    has_read = is_away = False

    def is_over() -> bool:
        return watch.is_closed or is_stopped()

    while not is_over():
        try:
            ends = watch.await_commit(after, is_over)
            pages = {shard: _read_page(recorders[places[shard]], after[shard], topics) for shard in ends}
        except (InterfaceError, OperationalError) as error:
            if is_over():
                return
            if not has_read:
                raise
            if not is_away:
                LOG.warning("a subscription waits until the log can be read again: %s", error)
            is_away = True
            watch.pause(RETRY_S, is_over)
            continue
        has_read, is_away = True, False
        for shard, page in pages.items():
            for row in page:
                if is_over():
                    return
                yield places[shard], row
            last = page[-1].id if page else 0
            after[shard] = last if len(page) == PAGE else max(last, ends[shard])


def _read_page(recorder: LiveRecorder, after: int, topics: Sequence[str]) -> Sequence[Notification]:
    return recorder.select_notifications(after, PAGE, topics=topics, inclusive_of_start=False)


class LogSubscription(Subscription[LiveRecorder]):
    """The library's subscription to one shard. `stop`, in any thread, ends the iteration."""

    def __init__(self, recorder: LiveRecorder, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        super().__init__(recorder, gt, topics)
        self._rows = live_rows([recorder], [gt], topics, lambda: self._has_been_stopped)

    def stop(self) -> None:
        super().stop()
        self._recorder.watch.wake()

    def __next__(self) -> Notification:
        return next(self._rows)[1]
