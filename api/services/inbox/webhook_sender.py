"""Sends the entries of inboxes to webhooks, in order, one at a time to each."""

import logging
import threading
from concurrent.futures import Future
from time import monotonic

from api.accounts.conduct.conduct_steps import ConductSteps
from api.accounts.inbox.webhooks import Webhook, Webhooks
from api.services.inbox.entries import entries_json
from api.services.inbox.game_labels import GameLabels
from api.services.inbox.guarded_post import GuardedPoster, NotSent
from api.services.inbox.webhook_lanes import OpenPoster, WebhookLanes
from api.services.inbox.webhook_messages import message_body, message_headers, secret_bytes
from api.services.inbox.webhook_urls import BadUrl, parse_url
from api.services.logs import log_event
from domain.store import StoreUnavailable
from projections.lists.inbox import OUTBOX
from projections.lists.inbox_pages import InboxPage, inbox_heads, inbox_page, number_before
from projections.storage.database import DATABASE_ERRORS
from projections.storage.rows import RowStore, RowsUnavailable
from projections.storage.tables import Row

LOG = logging.getLogger("trickbook.webhooks")
MESSAGES_AT_ONCE = 20
PAGE_S = 5.0
"""How many messages a process sends to a webhook, and for how long, before it lets others have a turn."""
GONE = 410
"""The status with which a receiver says that it wants no more messages."""


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
    ) -> None:
        """`pages` is the server's address, for links in the messages of chat services."""
        self._webhooks, self._steps, self._rows, self._secret = webhooks, steps, rows, secret
        self._labels, self._pages = labels, pages
        self.lanes = WebhookLanes(open_poster)
        self._closing = threading.Event()

    def close(self) -> None:
        """Let each message that has begun end, and let go of the threads."""
        self._closing.set()
        self.lanes.close()

    def turn(self) -> list[Future[None]]:
        """Begin to send to every webhook that has new entries, and return what has begun."""
        self.lanes.forget_ended()
        begun = [self.lanes.begin(each, self._deliver) for each in self._behind(self._webhooks.due())]
        return [future for future in begun if future is not None]

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
        """Send the next entries; return False if somebody else goes on, or after a failure."""
        until, page = monotonic() + PAGE_S, self._next_page(taken)
        place = _Place(taken)
        for entry, item in zip(page.entries, entries_json(page, self._labels), strict=True):
            if not place.lacks(entry):
                place.pass_by(entry)
                continue
            quick = self._send(place, page.generation, entry, message_body(item, taken.text, self._pages), poster)
            if quick is None or not self._advance(place, page.generation, entry["n"]):
                return False
            if not quick or monotonic() >= until or self._closing.is_set():
                return True
        return self._advance(place, page.generation, page.reached)

    def _advance(self, place: "_Place", generation: int, number: int) -> bool:
        return self._webhooks.advance(place.taken, (generation, number), place.seen, place.notes)

    def _next_page(self, webhook: Webhook) -> InboxPage:
        with self._rows.snapshot("inbox") as reading:
            after = webhook.number
            if webhook.generation != reading.generation:
                after = number_before(reading, webhook.player, webhook.seen, webhook.notes)
            return inbox_page(reading, webhook.player, after, MESSAGES_AT_ONCE, webhook.game)

    def _send(self, place: "_Place", generation: int, entry: Row, body: bytes, poster: GuardedPoster) -> bool | None:
        """Send an entry. Return whether the answer came quickly, or None after a failure."""
        webhook, begun = place.taken, monotonic()
        at = generation, entry["n"]
        headers = message_headers(secret_bytes(self._secret, webhook.id), webhook, at, body, self._webhooks.now_s())
        why = None
        try:
            status = poster.post(parse_url(webhook.url), body, headers)
        except (NotSent, BadUrl) as error:
            status, why = 0, str(error)
        accepted = 200 <= status < 300
        quick = self.lanes.note_answer(webhook, begun, accepted=accepted)
        if not accepted:
            self._fail(place, why or f"the answer was {status}", for_good=status == GONE)
            return None
        place.pass_by(entry)
        place.tries = 0
        return quick

    def _fail(self, place: "_Place", why: str, *, for_good: bool) -> None:
        webhook = place.taken
        if self._webhooks.fail(webhook, place.tries, why, for_good=for_good):
            log_event(LOG, "webhook-off", webhook=webhook.id, player=webhook.player, reason=why)


class _Place:
    """How far a webhook has got: the time and the note there, and how often its next message has failed."""

    def __init__(self, taken: Webhook) -> None:
        self.taken, self.seen, self.notes, self.tries = taken, taken.seen, taken.notes, taken.tries

    def lacks(self, entry: Row) -> bool:
        """Return whether an entry is to be sent: inboxes that are rebuilt get old notes once more."""
        return self.taken.wants(entry["kind"]) and not (entry["game"] == OUTBOX and entry["version"] <= self.notes)

    def pass_by(self, entry: Row) -> None:
        """Note that an entry is sent, or isn't wanted."""
        self.seen = max(self.seen, entry["at"])
        if entry["game"] == OUTBOX:
            self.notes = max(self.notes, entry["version"])
