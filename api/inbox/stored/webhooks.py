"""Webhooks: addresses to which the server sends the entries of a player's inbox.

Each has a place in the inbox, like a stream: the inbox itself is what waits to be sent. `seen` is the time of the entry
there, and `notes` the last number in the outbox: for the day on which inboxes are rebuilt, and count from 1 again.

`due` is when somebody may send the next message. A process that takes a webhook moves it on, and only as long as it's
still that, the process changes the row: so one that was too slow leaves the webhook to the next.
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from api.clock.records import put_off
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
        notes BIGINT NOT NULL, due BIGINT NOT NULL, tries BIGINT NOT NULL, failing BIGINT, failure TEXT,
        ended BIGINT)""",
    "CREATE TABLE IF NOT EXISTS webhook_texts (webhook TEXT PRIMARY KEY, format TEXT NOT NULL, template TEXT)",
    """CREATE TABLE IF NOT EXISTS webhook_tests (
        webhook TEXT PRIMARY KEY, asked BIGINT NOT NULL, sent BIGINT, failure TEXT)""",
    "CREATE INDEX IF NOT EXISTS webhooks_of_player ON webhooks (player)",
    "CREATE INDEX IF NOT EXISTS webhooks_due ON webhooks (due) WHERE ended IS NULL",
)
SECOND = 1_000_000
LEASE_US = 30 * SECOND
"""How long a process has for the messages that it takes before another one tries, as after a crash."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 5, 6 * 3600
GIVE_UP_US = 7 * 24 * 3600 * SECOND
"""A webhook that has failed for this long is switched off."""
PUT_OFF = put_off("webhooks", "failing", since="failing", due=f"(failing + {GIVE_UP_US})", where="ended IS NULL")
COLUMNS = (
    "id", "player", "url", "kinds", "game", "created", "generation", "number", "seen", "notes", "due", "tries",
    "failing", "failure", "ended",
)  # fmt: skip
FIELDS = ", ".join(COLUMNS)
IS_HERE = "u.disabled IS NULL AND u.leaving IS NULL"
SELECT_DUE = f"""SELECT {", ".join(f"w.{column}" for column in COLUMNS)}, t.asked
    FROM webhooks w JOIN users u ON u.player = w.player LEFT JOIN webhook_tests t ON t.webhook = w.id AND t.sent IS NULL
    WHERE w.ended IS NULL AND w.due <= ? AND {IS_HERE} ORDER BY w.due, w.id"""

BETWEEN_TESTS_US = 10 * SECOND
ASK_TEST = """INSERT INTO webhook_tests VALUES (?, ?, NULL, NULL) ON CONFLICT (webhook) DO UPDATE
    SET asked = excluded.asked, sent = NULL, failure = NULL WHERE webhook_tests.asked < ? RETURNING webhook"""


@dataclass(frozen=True)
class InboxPlace:
    """A place in a player's inbox: generation, number, and the last number in the outbox that the inboxes have."""

    generation: int
    number: int
    notes: int


TextFormat = Literal["discord", "slack"]


@dataclass(frozen=True)
class WebhookText:
    """How entries are sent to a chat service: the format of its webhooks, and a template in place of the usual one."""

    format: TextFormat
    template: str | None


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
    due: int
    tries: int
    failing: int | None
    failure: str | None
    ended: int | None
    text: WebhookText | None = None
    tested: int | None = None
    test_failure: str | None = None

    def wants(self, kind: str) -> bool:
        """Return whether entries of this kind are sent."""
        return not self.kinds or kind in self.kinds


class Webhooks:
    """The table `webhooks`. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, player: str, url: str, kinds: Sequence[EntryKind], game: str | None, place: InboxPlace, most: int,
        text: WebhookText | None = None,
    ) -> Webhook:  # fmt: skip
        """Add a webhook that begins after a place in the inbox, and return it. Raise TooMany."""
        created, at = self._database.now(), (place.generation, place.number)
        webhook = Webhook("w_" + secrets.token_hex(12), player, url, tuple(kinds), game, created, *at,
                          format_time(created), place.notes, created, 0, None, None, None, text)  # fmt: skip
        with self._database.transaction(writes=True) as transaction:
            transaction.run("UPDATE users SET name = name WHERE player = ?", player)  # one at a time
            count = transaction.run("SELECT COUNT(*) FROM webhooks WHERE player = ?", player)[0][0]
            if int(count) >= most:
                raise TooMany(f"You have {count_of(most, 'webhook')}, as many as you may have. Delete one first.")
            transaction.run(
                f"INSERT INTO webhooks ({FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL, NULL)",
                webhook.id, player, url, json.dumps(kinds), game, created, *at, webhook.seen, webhook.notes, created,
            )  # fmt: skip
            if text is not None:
                transaction.run("INSERT INTO webhook_texts VALUES (?, ?, ?)", webhook.id, text.format, text.template)
        return webhook

    def of(self, player: str) -> list[Webhook]:
        """Return a player's webhooks, the oldest first."""
        rows = self._database.run(f"SELECT {FIELDS} FROM webhooks WHERE player = ? ORDER BY created, id", player)
        return [self._whole(_webhook(row)) for row in rows]

    def _whole(self, webhook: Webhook) -> Webhook:
        """Return a webhook with its text and its test."""
        texts = self._database.run("SELECT format, template FROM webhook_texts WHERE webhook = ?", webhook.id)
        tests = self._database.run("SELECT asked, sent, failure FROM webhook_tests WHERE webhook = ?", webhook.id)
        text = WebhookText(*texts[0]) if texts else None
        asked, sent, failure = tests[0] if tests else (None, None, None)
        return replace(webhook, text=text, tested=asked if sent is None else None, test_failure=failure)

    def ask_test(self, player: str, webhook: str) -> bool:
        """Have a message sent to a player's webhook to test it, and return whether there is one that isn't off.

        Another one within ten seconds sends nothing more. A webhook that fails is tried at once; no other one's turn
        moves, since a process may be sending to it.
        """
        asked = self._database.now()
        with self._database.transaction(writes=True) as transaction:
            find = "SELECT failing FROM webhooks WHERE player = ? AND id = ? AND ended IS NULL"
            found = transaction.run(find, player, webhook)
            if found and transaction.run(ASK_TEST, webhook, asked, asked - BETWEEN_TESTS_US):
                wake = "UPDATE webhooks SET due = ? WHERE id = ? AND failing IS NOT NULL"
                transaction.run(wake, asked, webhook)
        return bool(found)

    def end_test(self, taken: Webhook, failure: str | None) -> bool:
        """Note that the test is sent, and why it failed. Return whether to go on: not if another process took over."""
        with self._database.transaction(writes=True) as transaction:
            end = "UPDATE webhook_tests SET sent = ?, failure = ? WHERE webhook = ? AND asked = ?"
            transaction.run(end, transaction.now(), failure, taken.id, taken.tested)
            return bool(transaction.run("SELECT 1 FROM webhooks WHERE id = ? AND due = ?", taken.id, taken.due))

    def remove(self, player: str, webhook: str) -> bool:
        """Delete a player's webhook, and return whether there was one."""
        with self._database.transaction(writes=True) as transaction:
            delete = "DELETE FROM webhooks WHERE player = ? AND id = ? RETURNING id"
            found = bool(transaction.run(delete, player, webhook))
            if found:
                for table in ("webhook_texts", "webhook_tests"):
                    transaction.run(f"DELETE FROM {table} WHERE webhook = ?", webhook)
        return found

    def now_s(self) -> int:
        """Return the time by the clock of the accounts, in seconds since 1970."""
        return self._database.now() // SECOND

    def due(self) -> list[Webhook]:
        """Return the webhooks to which messages may be sent now."""
        rows = self._database.run(SELECT_DUE, self._database.now())
        return [replace(_webhook(row), tested=asked) for *row, asked in rows]

    def take(self, webhook: Webhook) -> Webhook | None:
        """Return the webhook as it is now if this process may send its messages; nobody else may until its `due`."""
        take = f"UPDATE webhooks SET due = ? WHERE id = ? AND due <= ? AND ended IS NULL RETURNING {FIELDS}"
        at = self._database.now()
        rows = self._database.run(take, at + LEASE_US, webhook.id, at)
        return self._whole(_webhook(rows[0])) if rows else None

    def advance(self, taken: Webhook, at: tuple[int, int], seen: str, notes: int) -> bool:
        """Record how far the webhook is sent. Return whether to go on: not if another process has taken it over, or if
        its player was disabled or leaves meanwhile.
        """
        move = f"""UPDATE webhooks SET generation = ?, number = ?, seen = ?, notes = ?, tries = 0, failing = NULL,
            failure = NULL WHERE id = ? AND due = ?
            RETURNING player IN (SELECT u.player FROM users u WHERE {IS_HERE})"""
        rows = self._database.run(move, *at, seen, notes, taken.id, taken.due)
        return bool(rows and rows[0][0])

    def give_back(self, taken: Webhook) -> None:
        """Let any process send the next messages."""
        give_back = "UPDATE webhooks SET due = ? WHERE id = ? AND due = ?"
        self._database.run(give_back, self._database.now(), taken.id, taken.due)

    def fail(self, taken: Webhook, tries: int, why: str, *, for_good: bool = False) -> bool:
        """Record a failure after `tries` others; return whether the webhook is switched off, after a week of them."""
        at, pause_s = self._database.now(), min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 4 ** min(tries, 10))
        since = at if tries == 0 or taken.failing is None else taken.failing
        ended = at if for_good or at - since >= GIVE_UP_US else None
        fail = """UPDATE webhooks SET tries = ?, failing = ?, failure = ?, ended = ?, due = ?
            WHERE id = ? AND due = ? RETURNING id"""
        values = tries + 1, since, why, ended, at + pause_s * SECOND, taken.id, taken.due
        return bool(self._database.run(fail, *values)) and ended is not None


def _webhook(row: Sequence[Any]) -> Webhook:
    identity, player, url, kinds, *rest = row
    return Webhook(identity, player, url, tuple(json.loads(kinds)), *rest)


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete a player's webhooks."""
    for table in ("webhook_texts", "webhook_tests"):
        transaction.run(f"DELETE FROM {table} WHERE webhook IN (SELECT id FROM webhooks WHERE player = ?)", player)
    transaction.run("DELETE FROM webhooks WHERE player = ?", player)


class StoredWebhook(TypedDict):
    """A webhook of the caller; the last two fields only for one of a chat service."""

    id: str
    url: str
    kinds: Annotated[list[EntryKind], says("Empty for all.")]
    game: Uuid | None
    format: NotRequired[TextFormat]
    template: NotRequired[str | None]


def own_data(database: Database, player: str) -> list[StoredWebhook]:
    """Return a player's webhooks, as JSON values."""
    found = list[StoredWebhook]()
    for each in Webhooks(database).of(player):
        shown: StoredWebhook = {"id": each.id, "url": each.url, "kinds": list(each.kinds), "game": each.game}
        if each.text is not None:
            shown["format"], shown["template"] = each.text.format, each.text.template
        found.append(shown)
    return found
