"""Sends the entries of inboxes to webhooks, in order, one at a time to each.

Receivers that answer slowly have threads of their own.

A receiver may hang, or have a name whose server hangs. So a webhook begins among the others, and moves up only after a
few quick answers. Somebody with slow receivers delays others that are new or slow, and no bot that answers.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import monotonic

from cachetools import LRUCache

from api.conduct.stored.conduct_steps import ConductSteps
from api.inbox.services.entries import EntryIds, GameLabels, entries_json
from api.inbox.services.guarded_post import BadUrl, GuardedPoster, NotSent, parse_url
from api.inbox.services.webhook_messages import (
    are_valid,
    is_worth_telling,
    message_body,
    message_headers,
    push_request,
    secret_bytes,
    test_body,
)
from api.inbox.stored.webhooks import PushKeys, Webhook, Webhooks
from api.monitoring.logs import log_event
from domain.engine.timestamps import format_time
from domain.store import StoreUnavailable
from domain.store.sql.database import DATABASE_ERRORS
from projections.lists.inbox import OUTBOX
from projections.lists.inbox_pages import InboxPage, inbox_heads, inbox_page, number_before
from projections.storage.rows import RowStore, RowsUnavailable
from projections.storage.tables import Row

QUICK_THREADS, OTHER_THREADS = 8, 32
QUICK_S = 0.5
"""The time within which a quick answer comes."""
QUICK_ANSWERS = 5
"""How many quick answers in a row a receiver gives before it counts as quick."""
REMEMBERED = 100_000
OpenPoster = Callable[[int], GuardedPoster]
"""Returns a poster for that many threads."""


class PosterThreads:
    """Some threads, and a poster with as many of its own."""

    def __init__(self, name: str, threads: int, open_poster: OpenPoster) -> None:
        self.poster = open_poster(threads)
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix=name)


class WebhookThreads:
    """Gives each webhook its threads. Safe for concurrent use by several threads."""

    def __init__(self, open_poster: OpenPoster) -> None:
        self._quick = PosterThreads("quick-webhooks", QUICK_THREADS, open_poster)
        self._others = PosterThreads("webhooks", OTHER_THREADS, open_poster)
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
        threads = self._quick if quick else self._others
        future = threads.pool.submit(send, webhook, threads.poster)
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
        both = self._quick, self._others
        for each in both:
            each.pool.shutdown(wait=False, cancel_futures=True)
        for each in both:
            each.pool.shutdown()
            each.poster.close()


LOG = logging.getLogger("trickbook.webhooks")
IDS = EntryIds()
"""A webhook's messages have the ids of the player's whole inbox: a token for one game makes no webhooks."""
MESSAGES_AT_ONCE = 20
PAGE_S = 5.0
"""How many messages a process sends to a webhook, and for how long, before it lets others have a turn."""
GONE, NOT_FOUND = 410, 404
"""The statuses with which a receiver says that it wants no more messages; the second one is that of push services."""


class WebhookSender:
    """Several processes may run one: only one of them sends to a webhook at a time."""

    def __init__(
        self,
        webhooks: Webhooks,
        steps: ConductSteps,
        rows: RowStore,
        labels: GameLabels,
        secret: bytes,
        open_poster: OpenPoster = GuardedPoster,
        pages: str | None = None,
        *,
        allows_local: bool = False,
    ) -> None:
        """`pages` is the server's address, for links in the messages of chat services."""
        self._allows_local = allows_local
        self._webhooks, self._steps, self._rows, self._secret = webhooks, steps, rows, secret
        self._labels, self._pages = labels, pages
        self.threads = WebhookThreads(open_poster)
        self._closing = threading.Event()

    def close(self) -> None:
        """Let each message that has begun end, and let go of the threads."""
        self._closing.set()
        self.threads.close()

    def run_once(self) -> list[Future[None]]:
        """Begin to send to every webhook that has new entries, and return what has begun."""
        self.threads.forget_ended()
        due = behind(self._webhooks.due(), self._rows, self._steps)
        begun = [self.threads.begin(each, self._deliver) for each in due]
        return [future for future in begun if future is not None]

    def _deliver(self, webhook: Webhook, poster: GuardedPoster) -> None:
        try:
            taken = self._webhooks.take(webhook)
            if taken is not None and self._send_page(taken, poster):
                self._webhooks.give_back(taken)
        except (RowsUnavailable, StoreUnavailable, *DATABASE_ERRORS) as error:
            LOG.warning("webhook %s waits: %s", webhook.id, type(error).__name__)
        except Exception:
            LOG.exception("webhook %s", webhook.id)

    def _send_page(self, taken: Webhook, poster: GuardedPoster) -> bool:
        """Send the next entries; return False if somebody else goes on, if nobody may, or after a failure."""
        until, page = monotonic() + PAGE_S, self._next_page(taken)
        place = _Place(taken)
        if taken.tested is not None and not self._send_test(taken, taken.tested, poster):
            return False
        for entry, item in zip(page.entries, entries_json(page, self._labels, IDS), strict=True):
            if not place.lacks(entry) or (_keys(taken) is not None and not is_worth_telling(item)):
                place.pass_by(entry)
                continue
            quick = self._send(place, page.generation, entry, message_body(item, taken.text, self._pages), poster)
            # the place moves after the answer: after a crash in between, the same id goes again
            if quick is None or not self._advance(place, page.generation, entry["n"]):
                return False
            if not quick or monotonic() >= until or self._closing.is_set():
                return True
        return self._advance(place, page.generation, page.reached)

    def _advance(self, place: "_Place", generation: int, number: int) -> bool:
        goes_on = self._webhooks.advance(place.taken, (generation, number), place.seen, place.notes)
        return goes_on and not self._steps.status(place.taken.player).banned

    def _next_page(self, webhook: Webhook) -> InboxPage:
        with self._rows.snapshot("inbox") as reading:
            after = webhook.number
            if webhook.generation != reading.generation:
                after = number_before(reading, webhook.player, webhook.seen, webhook.notes)
            return inbox_page(reading, webhook.player, after, MESSAGES_AT_ONCE, webhook.game)

    def _send_test(self, webhook: Webhook, asked: int, poster: GuardedPoster) -> bool:
        """Send the message that the player has asked for once, and return whether to go on with entries.

        Its failure is shown, and delays no entry: a receiver may refuse a type that it doesn't know.
        """
        status, why = self._answer(webhook, f"test-{asked}", test_body(format_time(asked), webhook.text), poster)
        return self._webhooks.end_test(webhook, None if 200 <= status < 300 else why)

    def _send(self, place: "_Place", generation: int, entry: Row, body: bytes, poster: GuardedPoster) -> bool | None:
        """Send an entry. Return whether the answer came quickly, or None after a failure."""
        quick = self._post(place, IDS.write((generation, entry["n"])), body, poster)
        if quick is not None:
            place.pass_by(entry)
        return quick

    def _post(self, place: "_Place", name: str, body: bytes, poster: GuardedPoster) -> bool | None:
        """Send a message. Return whether the answer came quickly, or None after a failure."""
        webhook, begun = place.taken, monotonic()
        status, why = self._answer(webhook, name, body, poster)
        accepted = 200 <= status < 300
        quick = self.threads.note_answer(webhook, begun, accepted=accepted)
        if not accepted:
            self._fail(place, why, for_good=status == GONE or (status == NOT_FOUND and _keys(webhook) is not None))
            return None
        place.tries = 0
        return quick

    def _answer(self, webhook: Webhook, name: str, body: bytes, poster: GuardedPoster) -> tuple[int, str]:
        """Send a message, and return the status of the answer, 0 without one, with the reason if it isn't accepted."""
        identity, now, keys = f"{webhook.id}.{name}", self._webhooks.now_s(), _keys(webhook)
        if keys is None:
            headers = message_headers(secret_bytes(self._secret, webhook.id), identity, body, now)
        elif not are_valid(keys):  # stored by 0.3.0, which took points in another form
            return GONE, "no message can be encrypted for its keys"
        else:
            body, headers = push_request(self._secret, webhook.url, keys, body, now, self._pages)
        try:
            status = poster.post(parse_url(webhook.url, local=self._allows_local), body, headers)
        except (NotSent, BadUrl) as error:
            return 0, str(error)
        return status, f"the answer was {status}"

    def _fail(self, place: "_Place", why: str, *, for_good: bool) -> None:
        webhook = place.taken
        if for_good and _keys(webhook) is not None:  # the browser has no such subscription any more
            self._webhooks.remove(webhook.player, webhook.id)
            return
        if self._webhooks.fail(webhook, place.tries, why, for_good=for_good):
            log_event(LOG, "webhook-off", webhook=webhook.id, player=webhook.player, reason=why)


def _keys(webhook: Webhook) -> PushKeys | None:
    return None if webhook.text is None else webhook.text.keys


def behind(webhooks: list[Webhook], rows: RowStore, steps: ConductSteps) -> list[Webhook]:
    """Return those of the webhooks whose players have entries that they haven't got, and may still use the server."""
    if not webhooks:
        return []
    with rows.snapshot("inbox") as reading:
        heads, generation = inbox_heads(reading, {each.player for each in webhooks}), reading.generation
    return [
        each
        for each in webhooks
        if (each.tested is not None or (each.generation, each.number) != (generation, heads.get(each.player, 0)))
        and not steps.status(each.player).banned
    ]


class _Place:
    """How far a webhook has got: the time and the note there, and how often its next message has failed."""

    def __init__(self, taken: Webhook) -> None:
        self.taken, self.seen, self.notes, self.tries = taken, taken.seen, taken.notes, taken.lease.tries

    def lacks(self, entry: Row) -> bool:
        """Return whether an entry is to be sent: inboxes that are rebuilt get old notes once more."""
        return self.taken.wants(entry["kind"]) and not (entry["game"] == OUTBOX and entry["version"] <= self.notes)

    def pass_by(self, entry: Row) -> None:
        """Note that an entry is sent, or isn't wanted."""
        self.seen = max(self.seen, entry["at"])
        if entry["game"] == OUTBOX:
            self.notes = max(self.notes, entry["version"])
