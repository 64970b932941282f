"""The threads that send to webhooks: those of receivers that answer quickly, and those of all others.

A receiver may hang, or have a name whose server hangs. So a webhook begins among the others, and moves up only after a
few quick answers. Somebody with slow receivers delays others that are new or slow, and no bot that answers.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import monotonic

from cachetools import LRUCache

from api.accounts.inbox.webhooks import Webhook
from api.services.inbox.guarded_post import GuardedPoster

QUICK_THREADS, OTHER_THREADS = 8, 32
QUICK_S = 0.5
"""The time within which a quick answer comes."""
QUICK_ANSWERS = 5
"""How many quick answers in a row a receiver gives before it counts as quick."""
REMEMBERED = 100_000
OpenPoster = Callable[[int], GuardedPoster]
"""Returns a poster for that many threads."""


class Lane:
    """Some threads, and a poster with as many of its own."""

    def __init__(self, name: str, threads: int, open_poster: OpenPoster) -> None:
        self.poster = open_poster(threads)
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix=name)


class WebhookLanes:
    """Gives each webhook its lane. Safe for concurrent use by several threads."""

    def __init__(self, open_poster: OpenPoster) -> None:
        self._quick = Lane("quick-webhooks", QUICK_THREADS, open_poster)
        self._others = Lane("webhooks", OTHER_THREADS, open_poster)
        self._answers: LRUCache[str, int] = LRUCache(REMEMBERED)
        self._lock = Lock()
        self._running: dict[str, tuple[Webhook, Future[None]]] = {}

    def begin(self, webhook: Webhook, send: Callable[[Webhook, GuardedPoster], None]) -> Future[None] | None:
        """Begin to send; None if that isn't possible yet.

        A player has one webhook at a time among those that aren't quick.
        """
        if webhook.id in self._running:
            return None
        quick = self.is_quick(webhook)
        if not quick and any(each.player == webhook.player for each, _ in self._running.values()):
            return None
        lane = self._quick if quick else self._others
        future = lane.pool.submit(send, webhook, lane.poster)
        self._running[webhook.id] = webhook, future
        return future

    def forget_ended(self) -> None:
        """Let webhooks begin again whose sending has ended."""
        self._running = {name: each for name, each in self._running.items() if not each[1].done()}

    def is_quick(self, webhook: Webhook) -> bool:
        """Return whether the last answers of a receiver came quickly."""
        with self._lock:
            return int(self._answers.get(webhook.id, 0)) >= QUICK_ANSWERS

    def note_answer(self, webhook: Webhook, begun: float, *, accepted: bool) -> bool:
        """Note the answer to a message that was begun at a time of `monotonic`, and return whether it was quick."""
        quick = accepted and monotonic() - begun < QUICK_S
        with self._lock:
            self._answers[webhook.id] = int(self._answers.get(webhook.id, 0)) + 1 if quick else 0
        return quick

    def close(self) -> None:
        """Let what has begun end, and let go of the threads."""
        lanes = self._quick, self._others
        for lane in lanes:
            lane.pool.shutdown(wait=False, cancel_futures=True)
        for lane in lanes:
            lane.pool.shutdown()
            lane.poster.close()
