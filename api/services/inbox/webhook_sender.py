"""Sends the entries of inboxes to webhooks, in order, one at a time to each."""

import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from time import time

from api.accounts.conduct.conduct_steps import ConductSteps
from api.accounts.inbox.webhooks import Webhook, Webhooks
from api.services.inbox.guarded_post import GuardedPoster, NotSent
from api.services.inbox.webhook_messages import message_body, message_headers, secret_bytes
from api.services.inbox.webhook_urls import BadUrl, parse_url
from api.services.logs import log_event
from projections.followers.troubles import TroubleLog
from projections.lists.inbox_pages import InboxPage, inbox_heads, inbox_page, number_at
from projections.storage.database import DATABASE_ERRORS, describe_error
from projections.storage.rows import RowStore, RowsUnavailable
from projections.storage.tables import Row

LOG = logging.getLogger("trickbook.webhooks")
POLL_S = 0.25
THREADS = 8
MESSAGES_AT_ONCE = 20
"""How many messages a process sends to a webhook before it lets others have a turn."""
JOIN_TIMEOUT_S = 10.0
GONE = 410
"""The status with which a receiver says that it wants no more messages."""


class WebhookSender:
    """Several processes may run one: only one of them sends to a webhook at a time."""

    def __init__(
        self,
        webhooks: Webhooks,
        steps: ConductSteps,
        rows: RowStore,
        secret: bytes,
        poster: GuardedPoster | None = None,
    ) -> None:
        self._webhooks, self._steps, self._rows, self._secret = webhooks, steps, rows, secret
        self._poster = poster or GuardedPoster()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="webhooks")
        self._running: dict[str, Future[None]] = {}

    def run(self, stop: threading.Event) -> None:
        """Send until `stop` is set, despite errors."""
        trouble = TroubleLog(LOG, "sending to webhooks")
        while not stop.wait(POLL_S):
            try:
                self.turn()
            except RowsUnavailable as error:
                trouble.failed(str(error))
            except DATABASE_ERRORS as error:
                trouble.failed(describe_error(error))
            else:
                trouble.succeeded()
        self._poster.close()
        self._pool.shutdown(cancel_futures=True)

    def turn(self) -> list[Future[None]]:
        """Begin to send to every webhook that has new entries, and return what has begun."""
        self._running = {webhook: each for webhook, each in self._running.items() if not each.done()}
        waiting = [each for each in self._webhooks.due() if each.id not in self._running]
        begun = [(each, self._pool.submit(self._deliver, each)) for each in self._behind(waiting)]
        self._running |= {webhook.id: future for webhook, future in begun}
        return [future for _, future in begun]

    def _behind(self, webhooks: list[Webhook]) -> list[Webhook]:
        """Return the webhooks whose players have entries that they haven't got, and may still use the server."""
        if not webhooks:
            return []
        with self._rows.snapshot("inbox") as reading:
            heads, generation = inbox_heads(reading, {each.player for each in webhooks}), reading.generation
        return [
            each
            for each in webhooks
            if (each.generation, each.number) != (generation, heads.get(each.player, 0))
            and not self._steps.standing(each.player).banned
        ]

    def _deliver(self, webhook: Webhook) -> None:
        try:
            if self._webhooks.take(webhook) and self._send_page(webhook):
                self._webhooks.give_back(webhook)
        except (RowsUnavailable, *DATABASE_ERRORS) as error:
            LOG.warning("webhook %s waits: %s", webhook.id, type(error).__name__)
        except Exception:
            LOG.exception("webhook %s", webhook.id)

    def _send_page(self, webhook: Webhook) -> bool:
        """Send the next entries; return False after a failure."""
        page, seen, tries = self._next_page(webhook), webhook.seen, webhook.tries
        for entry in page.entries:
            at = page.generation, entry["n"]
            if webhook.wants(entry["kind"]):
                if not self._send(webhook, page.generation, entry, tries):
                    return False
                self._webhooks.advance(webhook, at, entry["at"])
                tries = 0
            seen = max(seen, entry["at"])
        self._webhooks.advance(webhook, (page.generation, page.reached), seen)
        return True

    def _next_page(self, webhook: Webhook) -> InboxPage:
        with self._rows.snapshot("inbox") as reading:
            same = webhook.generation == reading.generation
            after = webhook.number if same else number_at(reading, webhook.player, webhook.seen)
            return inbox_page(reading, webhook.player, after, MESSAGES_AT_ONCE, webhook.game)

    def _send(self, webhook: Webhook, generation: int, entry: Row, tries: int) -> bool:
        body, at = message_body(generation, entry), (generation, entry["n"])
        headers = message_headers(secret_bytes(self._secret, webhook.id), webhook, at, body, int(time()))
        try:
            status = self._poster.post(parse_url(webhook.url), body, headers)
        except (NotSent, BadUrl) as error:
            return self._fail(webhook, tries, str(error))
        if 200 <= status < 300:
            return True
        return self._fail(webhook, tries, f"the answer was {status}", for_good=status == GONE)

    def _fail(self, webhook: Webhook, tries: int, why: str, *, for_good: bool = False) -> bool:
        """Record a failure and return False."""
        if self._webhooks.fail(webhook, tries, why, for_good=for_good):
            log_event(LOG, "webhook-off", webhook=webhook.id, player=webhook.player, reason=why)
        return False
