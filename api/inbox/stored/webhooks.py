"""Webhooks: addresses to which the server sends the entries of a player's inbox.

Each has a place in the inbox, like a stream: the inbox itself is what waits to be sent. `seen` is the time of the entry
there, and `notes` the last number in the outbox: for the day on which inboxes are rebuilt, and count from 1 again.

A webhook is an item of the delivery queue, which never ends unless the webhook is switched off.
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from api.delivery.stored import queue
from api.delivery.stored.queue import WEBHOOKS, DeliveryQueue, TakenItem
from api.people.stored.tokens import SELECT_VALID
from domain.engine.timestamps import format_time
from domain.engine.wording import count_of
from domain.json_fields import Uuid, says
from domain.rejections import TooMany
from domain.store.sql.database import Database, Transaction
from projections.lists.inbox_entries import EntryKind

TABLES = (
    """CREATE TABLE IF NOT EXISTS webhooks (
        id TEXT PRIMARY KEY, player TEXT NOT NULL, url TEXT NOT NULL, kinds TEXT NOT NULL, game TEXT,
        created BIGINT NOT NULL, generation BIGINT NOT NULL, number BIGINT NOT NULL, seen TEXT NOT NULL,
        notes BIGINT NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS webhook_texts (webhook TEXT PRIMARY KEY, format TEXT NOT NULL, template TEXT)",
    """CREATE TABLE IF NOT EXISTS webhook_tests (
        webhook TEXT PRIMARY KEY, asked BIGINT NOT NULL, sent BIGINT, failure TEXT)""",
    "CREATE INDEX IF NOT EXISTS webhooks_of_player ON webhooks (player)",
)
SECOND_US = 1_000_000
COLUMNS = "w.id, w.player, w.url, w.kinds, w.game, w.created, w.generation, w.number, w.seen, w.notes"
SELECT = f"""SELECT {COLUMNS}, d.failing, d.failure, d.ended, x.format, x.template, t.asked, t.sent, t.failure
    FROM webhooks w JOIN deliveries d ON d.queue = '{WEBHOOKS}' AND d.key = w.id
    LEFT JOIN webhook_texts x ON x.webhook = w.id LEFT JOIN webhook_tests t ON t.webhook = w.id"""
IS_HERE = "u.disabled IS NULL AND u.leaving IS NULL"
SELECT_ON = f"{SELECT} JOIN users u ON u.player = w.player WHERE d.ended IS NULL AND {IS_HERE}"
SELECT_DUE = f"{SELECT_ON} AND d.due <= ? AND d.free <= ? ORDER BY d.free, w.id"
SELECT_BROWSER = """SELECT w.id FROM webhook_texts x JOIN webhooks w ON w.id = x.webhook
    WHERE w.url = ? AND x.format = ? ORDER BY w.id"""
BETWEEN_TESTS_US = 10 * SECOND_US
ASK_TEST = """INSERT INTO webhook_tests VALUES (?, ?, NULL, NULL) ON CONFLICT (webhook) DO UPDATE
    SET asked = excluded.asked, sent = NULL, failure = NULL WHERE webhook_tests.asked < ? RETURNING webhook"""


@dataclass(frozen=True)
class InboxPlace:
    """A place in a player's inbox: generation, number, and the last number in the outbox that the inboxes have."""

    generation: int
    number: int
    notes: int


TextFormat = Literal["discord", "slack", "push"]
PUSH: Literal["push"] = "push"


@dataclass(frozen=True)
class WebhookText:
    """How entries are sent to a chat service: the format of its webhooks, and a template in place of the usual one.

    Of a browser it's `push`, and in place of a template there are its keys (`PushKeys`).
    """

    format: TextFormat
    template: str | None

    @property
    def keys(self) -> "PushKeys | None":
        """The keys of a browser; None of a chat service."""
        return PushKeys(**json.loads(self.template or "{}")) if self.format == PUSH else None

    @property
    def shown_template(self) -> str | None:
        """The template, without keys."""
        return None if self.format == PUSH else self.template


@dataclass(frozen=True)
class PushKeys:
    """A browser's keys, in base64url, and the id of the session that it belongs to, with which it ends."""

    p256dh: str
    auth: str
    token: str

    @property
    def text(self) -> WebhookText:
        """The same as it's stored."""
        return WebhookText(PUSH, json.dumps(asdict(self)))


@dataclass(frozen=True)
class Webhook:
    """A webhook at a place in its player's inbox; without `kinds`, it gets all. Times are microseconds since 1970.

    `failing` is since when messages fail, and `failure` why. `ended` is when it was switched off. Without `text`, it
    gets entries as they are. `tested` is when its player asked for a message to test it, until that is sent, and
    `test_failure` says why the last one failed.
    """

    id: str
    player: str
    url: str
    kinds: tuple[EntryKind, ...]
    game: str | None
    created: int
    generation: int
    number: int
    seen: str
    notes: int
    failing: int | None = None
    failure: str | None = None
    ended: int | None = None
    text: WebhookText | None = None
    tested: int | None = None
    test_failure: str | None = None
    item: TakenItem | None = None
    """The item by which this process may send its messages."""

    @property
    def lease(self) -> TakenItem:
        """The same. Raise ValueError for a webhook that wasn't taken."""
        if self.item is None:
            raise ValueError("the webhook wasn't taken")
        return self.item

    def wants(self, kind: str) -> bool:
        """Return whether entries of this kind are sent."""
        return not self.kinds or kind in self.kinds


class Webhooks:
    """The table `webhooks`. Safe for concurrent use by several processes."""

    def __init__(self, database: Database, deliveries: DeliveryQueue) -> None:
        self._database, self._queue = database, deliveries

    def add(
        self, player: str, url: str, kinds: Sequence[EntryKind], game: str | None, place: InboxPlace, most: int,
        text: WebhookText | None = None,
    ) -> Webhook:  # fmt: skip
        """Add a webhook that begins after a place in the inbox, and return it. Raise TooMany.

        A browser has one subscription: an earlier one may be of another session, or of somebody who signed in before.
        """
        created, at = self._database.now(), (place.generation, place.number)
        webhook = Webhook("w_" + secrets.token_hex(12), player, url, tuple(kinds), game, created, *at,
                          format_time(created), place.notes, text=text)  # fmt: skip
        with self._database.transaction(writes=True) as transaction:
            transaction.run("UPDATE users SET name = name WHERE player = ?", player)  # one at a time
            if text is not None and text.format == PUSH:
                for (earlier,) in transaction.run(SELECT_BROWSER, url, PUSH):
                    _remove(transaction, earlier)
            _forget_ended(transaction, player)
            count = transaction.run("SELECT COUNT(*) FROM webhooks WHERE player = ?", player)[0][0]
            if int(count) >= most:
                raise TooMany(f"You have {count_of(most, 'webhook')}, as many as you may have. Delete one first.")
            values = webhook.id, player, url, json.dumps(kinds), game, created, *at, webhook.seen, webhook.notes
            transaction.run("INSERT INTO webhooks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)
            queue.add(transaction, WEBHOOKS, webhook.id, player, created)
            if text is not None:
                transaction.run("INSERT INTO webhook_texts VALUES (?, ?, ?)", webhook.id, text.format, text.template)
        return webhook

    def of(self, player: str) -> list[Webhook]:
        """Return a player's webhooks, the oldest first."""
        rows = self._database.run(f"{SELECT} WHERE w.player = ? ORDER BY w.created, w.id", player)
        return list(map(_webhook, rows))

    def ask_test(self, player: str, webhook: str) -> bool:
        """Have a message sent to a player's webhook to test it, and return whether there is one that isn't off.

        Another one within ten seconds sends nothing more. A webhook that fails is tried at once; no other one's turn
        moves, since a process may be sending to it.
        """
        asked = self._database.now()
        with self._database.transaction(writes=True) as transaction:
            owned = transaction.run("SELECT 1 FROM webhooks WHERE player = ? AND id = ?", player, webhook)
            found = bool(owned) and queue.waits(transaction, WEBHOOKS, webhook)
            if found and transaction.run(ASK_TEST, webhook, asked, asked - BETWEEN_TESTS_US):
                queue.try_now(transaction, WEBHOOKS, webhook)
        return found

    def end_test(self, taken: Webhook, failure: str | None) -> bool:
        """Note that the test is sent, and why it failed. Return whether to go on: not if another process took over."""
        with self._database.transaction(writes=True) as transaction:
            end = "UPDATE webhook_tests SET sent = ?, failure = ? WHERE webhook = ? AND asked = ?"
            transaction.run(end, transaction.now(), failure, taken.id, taken.tested)
            return queue.is_leased(transaction, taken.lease)

    def remove(self, player: str, webhook: str) -> bool:
        """Delete a player's webhook, and return whether there was one."""
        with self._database.transaction(writes=True) as transaction:
            found = bool(transaction.run("SELECT 1 FROM webhooks WHERE player = ? AND id = ?", player, webhook))
            if found:
                _remove(transaction, webhook)
        return found

    def now_s(self) -> int:
        """Return the time by the clock of the accounts, in seconds since 1970."""
        return self._database.now() // SECOND_US

    def due(self) -> list[Webhook]:
        """Return the webhooks to which messages may be sent now."""
        at = self._database.now()
        return list(map(_webhook, self._database.run(SELECT_DUE, at, at)))

    def waiting(self) -> list[Webhook]:
        """Return the webhooks that aren't off, also those that somebody sends to or that pause."""
        return list(map(_webhook, self._database.run(f"{SELECT_ON} ORDER BY w.seen, w.id")))

    def take(self, webhook: Webhook) -> Webhook | None:
        """Return the webhook as it is now if this process may send its messages; nobody else may for a while."""
        if _has_ended(self._database, webhook):
            self.remove(webhook.player, webhook.id)
            return None
        item = self._queue.take(WEBHOOKS, webhook.id)
        rows = [] if item is None else self._database.run(f"{SELECT} WHERE w.id = ?", webhook.id)
        return replace(_webhook(rows[0]), item=item) if rows else None

    def advance(self, taken: Webhook, at: tuple[int, int], seen: str, notes: int) -> bool:
        """Record how far the webhook is sent. Return whether to go on: not if another process has taken it over, or if
        its player was disabled or leaves meanwhile, or the session of the browser has ended.
        """
        move = f"""UPDATE webhooks SET generation = ?, number = ?, seen = ?, notes = ? WHERE id = ?
            RETURNING player IN (SELECT u.player FROM users u WHERE {IS_HERE})"""
        with self._database.transaction(writes=True) as transaction:
            if not queue.has_lease(transaction, taken.lease):
                return False
            rows = transaction.run(move, *at, seen, notes, taken.id)
            return bool(rows and rows[0][0]) and not _has_ended(transaction, taken)

    def give_back(self, taken: Webhook) -> None:
        """Let any process send the next messages."""
        self._queue.give_back(taken.lease)

    def fail(self, taken: Webhook, tries: int, why: str, *, for_good: bool = False) -> bool:
        """Record a failure after `tries` others; return whether the webhook is switched off, after a week of them."""
        return self._queue.fail(replace(taken.lease, tries=tries), why, for_good=for_good)


def _remove(transaction: Transaction, webhook: str) -> None:
    queue.forget(transaction, WEBHOOKS, webhook)  # first, like a sender that goes on
    transaction.run("DELETE FROM webhooks WHERE id = ?", webhook)
    for table in ("webhook_texts", "webhook_tests"):
        transaction.run(f"DELETE FROM {table} WHERE webhook = ?", webhook)


def _webhook(row: Sequence[Any]) -> Webhook:
    identity, player, url, kinds, *rest, text_format, template, asked, sent, test_failure = row
    text = None if text_format is None else WebhookText(text_format, template)
    tested = asked if sent is None else None
    plain = Webhook(identity, player, url, tuple(json.loads(kinds)), *rest)
    return replace(plain, text=text, tested=tested, test_failure=test_failure)


def move_subscriptions(transaction: Transaction, new_token: str, *, player: str, token: str) -> None:
    """Let the subscriptions of a browser's session go on with the token that replaces its own."""
    select = "SELECT x.webhook, x.format, x.template FROM webhook_texts x JOIN webhooks w ON w.id = x.webhook"
    for webhook, *text in transaction.run(f"{select} WHERE w.player = ?", player):
        keys = WebhookText(*text).keys
        if keys is not None and keys.token == token:
            moved = replace(keys, token=new_token).text.template
            transaction.run("UPDATE webhook_texts SET template = ? WHERE webhook = ?", moved, webhook)


def _has_ended(database: Database | Transaction, webhook: Webhook) -> bool:
    """Return whether a webhook is a subscription of a browser whose session has ended."""
    text, keys = webhook.text, None if webhook.text is None else webhook.text.keys
    if text is None or keys is None:
        return False
    select = f"{SELECT_VALID} AND t.player = ? AND substr(t.sha256, 1, ?) = ?"
    if database.run(select, database.now(), webhook.player, len(keys.token), keys.token):
        return False
    # after that query: a new token, which takes the old one's place, has the subscription by now
    select = "SELECT 1 FROM webhook_texts WHERE webhook = ? AND template = ?"
    return bool(database.run(select, webhook.id, text.template))


def _forget_ended(transaction: Transaction, player: str) -> None:
    """Remove a player's browsers whose session has ended: they take no place of others."""
    for each in map(_webhook, transaction.run(f"{SELECT} WHERE w.player = ?", player)):
        if _has_ended(transaction, each):
            _remove(transaction, each.id)


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete a player's webhooks. Their items go with all others to the player."""
    for table in ("webhook_texts", "webhook_tests"):
        transaction.run(f"DELETE FROM {table} WHERE webhook IN (SELECT id FROM webhooks WHERE player = ?)", player)
    transaction.run("DELETE FROM webhooks WHERE player = ?", player)


class StoredWebhook(TypedDict):
    """A webhook of the caller; the last two fields only for one of a chat service or a browser."""

    id: str
    url: str
    kinds: Annotated[list[EntryKind], says("Empty for all.")]
    game: Uuid | None
    format: NotRequired[TextFormat]
    template: NotRequired[str | None]


def own_data(database: Database, player: str) -> list[StoredWebhook]:
    """Return a player's webhooks, as JSON values."""
    found = list[StoredWebhook]()
    for each in Webhooks(database, DeliveryQueue(database)).of(player):
        shown: StoredWebhook = {"id": each.id, "url": each.url, "kinds": list(each.kinds), "game": each.game}
        if each.text is not None:
            shown["format"], shown["template"] = each.text.format, each.text.shown_template
        found.append(shown)
    return found
