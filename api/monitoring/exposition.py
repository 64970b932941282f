"""The answer to a scrape: the metrics of all processes, and what only a look at the stores can tell."""

import os
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from api.container import Services
from api.delivery.stored.queue import QUEUES, WEBHOOKS, QueueState
from api.inbox.services.webhook_sender import behind
from api.inbox.stored.webhooks import Webhook
from api.monitoring.metrics import FOLDER_VARIABLE, REGISTRY
from domain.engine.timestamps import format_time, parse_time
from domain.store import StoreUnavailable
from domain.store.sql.database import DATABASE_ERRORS
from projections.lists.deadlines import DEADLINES, due_games
from projections.lists.inbox_pages import inbox_page
from projections.lists.lobby_pages import idle_games
from projections.storage.rows import RowsUnavailable

MOST_READ = 20
"""Of how many webhooks the first entry that waits is read."""


def queue_states(services: Services) -> dict[str, QueueState]:
    states = {name: services.accounts.deliveries.state_of(name) for name in QUEUES}
    # a webhook is always an item: what waits are entries of its player's inbox
    lacking = behind(services.accounts.webhooks.waiting(), services.rows, services.accounts.steps)
    states[WEBHOOKS] = states[WEBHOOKS]._replace(waiting=len(lacking), oldest=_oldest(services, lacking[:MOST_READ]))
    return states


def _oldest(services: Services, lacking: list[Webhook]) -> int | None:
    """Return the time of the first entry that these webhooks lack."""
    found = list[int]()
    with services.rows.snapshot("inbox") as reading:
        for each in lacking:
            after = each.number if each.generation == reading.generation else 0
            page = inbox_page(reading, each.player, after, 1, each.game)
            found += [parse_time(entry["at"]) for entry in page.entries]
    return min(found, default=None)


MAX_COUNTED = 1000
"""How many waiting games are counted at most: a scrape must stay cheap."""
LATE_US = 5_000_000
"""How long a game may wait for the worker before it counts as waiting."""
UNAVAILABLE = (StoreUnavailable, RowsUnavailable, *DATABASE_ERRORS)


def exposition(services: Services) -> bytes:
    """Return all metrics in Prometheus's text format. A store that doesn't answer leaves out its own."""
    stores = CollectorRegistry()
    stores.register(StoreGauges(services))
    return generate_latest(_counts()) + generate_latest(stores)


def _counts() -> CollectorRegistry:
    if FOLDER_VARIABLE not in os.environ:
        return REGISTRY
    together = CollectorRegistry()
    register: Callable[[CollectorRegistry], object] = MultiProcessCollector
    register(together)
    return together


class StoreGauges(Collector):
    """The figures of the stores and of this process at the moment of a scrape."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterable[Metric]:
        """Yield each gauge that can be read now."""
        info = GaugeMetricFamily("trickbook_info", "The version of the server.", labels=("version",))
        info.add_metric((version("trickbook"),), 1)
        yield info
        streams = self._services.stream_slots.open_streams
        yield GaugeMetricFamily("trickbook_event_streams", "Open event streams.", streams)
        yield self._stores()
        for read in (self._lags, self._quarantine, self._waiting, self._queues, self._clock):
            try:
                yield from read()
            except UNAVAILABLE:
                continue

    def _stores(self) -> Metric:
        found = GaugeMetricFamily("trickbook_store_up", "Whether a store answers.", labels=("store",))
        for name, check in self._services.checks.items():
            found.add_metric((name,), _answers(check))
        return found

    def _lags(self) -> Iterator[Metric]:
        lags = GaugeMetricFamily("trickbook_list_lag_events", "Events a list is behind the log.", labels=("list",))
        for name, events in self._services.followers.lag().items():
            lags.add_metric((name,), events)
        yield lags
        states = GaugeMetricFamily("trickbook_list_up", "Whether a list is updated.", labels=("list",))
        troubles = self._services.rows.troubles()
        for name in self._services.rows.projections:
            states.add_metric((name,), name not in troubles)
        yield states

    def _quarantine(self) -> Iterator[Metric]:
        count = self._services.rows.count_quarantined()
        yield GaugeMetricFamily("trickbook_quarantined_games", "Games that lists leave out.", count)

    def _waiting(self) -> Iterator[Metric]:
        since = format_time(parse_time(self._services.clock.now()) - LATE_US)
        with self._services.rows.snapshot("lobby") as reading:
            idle = len(idle_games(reading, since, MAX_COUNTED))
        with self._services.rows.snapshot(DEADLINES.name) as reading:
            due = len(due_games(reading, since, MAX_COUNTED))
        yield GaugeMetricFamily("trickbook_autoplay_waiting_games", "Games that wait for a bot's move.", idle)
        yield GaugeMetricFamily("trickbook_overdue_games", "Games with a deadline that nobody has applied.", due)

    def _queues(self) -> Iterator[Metric]:
        items = GaugeMetricFamily(
            "trickbook_queue_items", "Items of a queue that wait, fail, or were given up within 30 days.",
            labels=("queue", "state"),
        )  # fmt: skip
        oldest = GaugeMetricFamily(
            "trickbook_queue_oldest_seconds", "How long the oldest item of a queue has waited.", labels=("queue",)
        )
        for name, state in queue_states(self._services).items():
            for key, count in (("waiting", state.waiting), ("failing", state.failing), ("given-up", state.given_up)):
                items.add_metric((name, key), count)
            waited_us = 0 if state.oldest is None else self._services.clock.now_us() - state.oldest
            oldest.add_metric((name,), max(0, waited_us) / 1_000_000)
        yield from (items, oldest)

    def _clock(self) -> Iterator[Metric]:
        held = self._services.clock.is_held()
        yield GaugeMetricFamily("trickbook_clock_held", "Whether no time-out is applied.", held)


def _answers(check: Callable[[], None]) -> bool:
    try:
        check()
    except UNAVAILABLE:
        return False
    return True
