"""The queue of all that leaves the server: mails, messages to webhooks, and heads of logs for witnesses.

An item names its queue and has a key there. Nobody takes it before `due`, when its news may go, or before `free`: until
then a process sends it, or a failure is too fresh. A process that takes an item moves `free` on, and changes the item
only as long as `free` is still that: so one that was too slow leaves the item to the next.

`message` is stored before it's handed over. If nobody knows whether it arrived, the same bytes go again under the same
id. An item that was sent or given up has `ended`, and no message; new news begin it again. It's deleted 30 days later.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, TypedDict

from api.clock import put_off
from domain.engine.timestamps import iso_time
from domain.json_fields import Time, says
from domain.store.sql.database import Database, Transaction

SECOND_US = 1_000_000
KEPT_US = 30 * 24 * 3600 * SECOND_US
TABLES = (
    """CREATE TABLE IF NOT EXISTS deliveries (
        queue TEXT NOT NULL, key TEXT NOT NULL, player TEXT NOT NULL, since BIGINT NOT NULL, due BIGINT NOT NULL,
        free BIGINT NOT NULL, tries BIGINT NOT NULL, failing BIGINT, failure TEXT, message TEXT, version BIGINT,
        ended BIGINT, PRIMARY KEY (queue, key))""",
    "CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (queue, due) WHERE ended IS NULL",
    "CREATE INDEX IF NOT EXISTS deliveries_of_player ON deliveries (player)",
    "CREATE INDEX IF NOT EXISTS deliveries_given_up ON deliveries (queue, ended) WHERE failure IS NOT NULL",
)


@dataclass(frozen=True)
class Retries:
    """How long a process has for an item, how long it pauses after failures, and when it gives up.

    The pause begins with `pause_s` and grows by `factor` up to `longest_s`. An item is given up after `most_tries`, or
    once it has failed for `give_up_s`.
    """

    lease_s: int
    pause_s: int
    factor: int
    longest_s: int
    most_tries: int | None = None
    give_up_s: int | None = None

    def pause_us(self, tries: int) -> int:
        """Return the pause after `tries` failures before this one, in microseconds."""
        return SECOND_US * min(self.longest_s, self.pause_s * int(self.factor ** min(tries, 10)))


MAIL_RETRIES = Retries(lease_s=60, pause_s=60, factor=2, longest_s=8 * 3600, most_tries=12)
WEBHOOK_RETRIES = Retries(lease_s=30, pause_s=5, factor=4, longest_s=6 * 3600, give_up_s=7 * 24 * 3600)
WITNESS_RETRIES = Retries(lease_s=60, pause_s=60, factor=4, longest_s=6 * 3600, give_up_s=7 * 24 * 3600)
ACCOUNT_MAILS, MAIL_ANSWERS, BOARD_MAILS = "account-mails", "mail-answers", "board-mails"
WEBHOOKS, WITNESSES = "webhooks", "witnesses"
QUEUES = {
    ACCOUNT_MAILS: MAIL_RETRIES,
    MAIL_ANSWERS: MAIL_RETRIES,
    BOARD_MAILS: MAIL_RETRIES,
    WEBHOOKS: WEBHOOK_RETRIES,
    WITNESSES: WITNESS_RETRIES,
}
"""The queues in the order in which they are shown."""
GIVE_UP_US = (WEBHOOK_RETRIES.give_up_s or 0) * SECOND_US
PUT_OFF = put_off(
    "deliveries", "failing", since="failing", due=f"(failing + {GIVE_UP_US})",
    where=f"queue IN ('{WEBHOOKS}', '{WITNESSES}') AND ended IS NULL AND failing IS NOT NULL",
)  # fmt: skip
ADD = """INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, 0, 0, NULL, NULL, NULL, NULL, NULL)
    ON CONFLICT (queue, key) DO UPDATE SET
        since = CASE WHEN deliveries.ended IS NULL THEN deliveries.since ELSE excluded.since END,
        due = CASE WHEN deliveries.ended IS NULL AND deliveries.due < excluded.due THEN deliveries.due
            ELSE excluded.due END,
        tries = CASE WHEN deliveries.ended IS NULL THEN deliveries.tries ELSE 0 END,
        failing = CASE WHEN deliveries.ended IS NULL THEN deliveries.failing END,
        failure = CASE WHEN deliveries.ended IS NULL THEN deliveries.failure END,
        ended = NULL"""
ADD_MESSAGE = "INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, 0, 0, NULL, NULL, ?, NULL, NULL) ON CONFLICT DO NOTHING"
IS_DUE = "due <= ? AND free <= ? AND ended IS NULL"
"""The condition that an item may be taken at a time, given twice."""
SELECT_DUE = f"SELECT key FROM deliveries WHERE queue = ? AND {IS_DUE} ORDER BY due, key LIMIT ?"
SELECT_ANY_DUE = f"SELECT 1 FROM deliveries WHERE {IS_DUE}"
TAKE = f"""UPDATE deliveries SET free = ? WHERE queue = ? AND key = ? AND {IS_DUE}
    RETURNING player, tries, failing, message, version"""
OF_ITEM = "queue = ? AND key = ? AND free = ?"
SENT = "UPDATE deliveries SET tries = 0, failing = NULL, failure = NULL"
GIVE_UP = "UPDATE deliveries SET failing = COALESCE(failing, ?), failure = ?"
END = "free = ?, due = ?, ended = ?, message = NULL, version = NULL"
SELECT_OWN = f"""SELECT queue, since, tries, failure, ended, CASE WHEN queue <> '{ACCOUNT_MAILS}' THEN message END
    FROM deliveries WHERE player = ?
    ORDER BY since, queue, key"""
COUNT = """SELECT COUNT(*), COUNT(failing), MIN(CASE WHEN due <= ? THEN due END) FROM deliveries
    WHERE queue = ? AND ended IS NULL"""
COUNT_GIVEN_UP = "SELECT COUNT(*) FROM deliveries WHERE queue = ? AND ended >= ? AND failure IS NOT NULL"
SELECT_WHY = """SELECT failure FROM deliveries WHERE queue = ? AND failure IS NOT NULL AND (ended IS NULL OR ended >= ?)
    ORDER BY COALESCE(ended, failing, 0) DESC LIMIT 1"""


@dataclass(frozen=True)
class TakenItem:
    """An item that this process may deliver until `lease`, in UTC microseconds since 1970.

    `message` is one of which nobody knows whether it arrived, and `version` belongs to it.
    """

    queue: str
    key: str
    player: str
    lease: int
    tries: int = 0
    failing: int | None = None
    message: str | None = field(default=None, repr=False)
    version: int | None = None


class QueueState(NamedTuple):
    """How many items of a queue wait, fail, and were given up within 30 days; when the oldest was due, if one is.

    `why` is the newest reason of a failure among these.
    """

    waiting: int
    failing: int
    oldest: int | None
    given_up: int
    why: str | None = None


class DeliveryQueue:
    """The table `deliveries`. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def due(self, queue: str, limit: int) -> list[str]:
        """Return the keys of items that may be taken now, those that were due first in front."""
        at = self.database.now()
        return [key for (key,) in self.database.run(SELECT_DUE, queue, at, at, limit)]

    def any_due(self, *queues: str) -> bool:
        """Return whether an item of one of these queues may be taken now."""
        at, marks = self.database.now(), ", ".join("?" * len(queues))
        return bool(self.database.run(f"{SELECT_ANY_DUE} AND queue IN ({marks}) LIMIT 1", at, at, *queues))

    def add_message(self, queue: str, key: str, player: str, message: str) -> None:
        """Have a message delivered now, unless there is or was one with this key."""
        at = self.database.now()
        self.database.run(ADD_MESSAGE, queue, key, player, at, at, message)

    def take(self, queue: str, key: str) -> TakenItem | None:
        """Return an item if this process may deliver it; nobody else may until its lease ends."""
        at = self.database.now()
        lease = at + QUEUES[queue].lease_s * SECOND_US
        rows = self.database.run(TAKE, lease, queue, key, at, at)
        if not rows:
            return None
        player, tries, failing, message, version = rows[0]
        return TakenItem(queue, key, player, lease, int(tries), failing, message, version)

    def take_due(self, queue: str, limit: int) -> Iterator[TakenItem]:
        """Yield items to deliver now, each taken when its turn comes: a slow receiver outlives no lease of others."""
        for key in self.due(queue, limit):
            item = self.take(queue, key)
            if item is not None:
                yield item

    def keep(self, item: TakenItem, message: str, version: int | None = None) -> bool:
        """Store a message before it's sent; return False if another process has taken the item over."""
        return self._change(item, "message = ?, version = ?", message, version)

    def end(self, item: TakenItem, failure: str | None = None) -> bool:
        """Delete the message of an item that was sent, or that is given up because of a failure."""
        with self.database.transaction(writes=True) as transaction:
            return end(transaction, item, failure=failure)

    def give_back(self, item: TakenItem, pause_s: float = 0) -> None:
        """Let any process go on with an item that has more to deliver, or that has to wait for others."""
        self._change(item, "free = ?", self.database.now() + round(pause_s * SECOND_US))

    def is_last_try(self, item: TakenItem) -> bool:
        """Return whether an item is given up if it fails now."""
        retries, failing = QUEUES[item.queue], item.failing
        if retries.give_up_s is None or failing is None or not item.tries:
            return retries.most_tries is not None and item.tries + 1 >= retries.most_tries
        return self.database.now() - failing >= retries.give_up_s * SECOND_US

    def fail(self, item: TakenItem, why: str, *, for_good: bool = False, keeps: bool = True) -> bool:
        """Note a failure; return whether the item is given up: a failure `for_good` isn't tried again.

        Unless the item `keeps` its message, the next try writes another one.
        """
        if for_good or self.is_last_try(item):
            return self.end(item, why)
        at = self.database.now()
        since = at if item.failing is None or not item.tries else item.failing
        forget = "" if keeps else ", message = NULL, version = NULL"
        changes = f"free = ?, tries = ?, failing = ?, failure = ?{forget}"
        self._change(item, changes, at + QUEUES[item.queue].pause_us(item.tries), item.tries + 1, since, why)
        return False

    def state_of(self, queue: str) -> QueueState:
        """Return what waits in a queue."""
        at = self.database.now()
        waiting, failing, oldest = self.database.run(COUNT, at, queue)[0]
        given_up = self.database.run(COUNT_GIVEN_UP, queue, at - KEPT_US)[0][0]
        why = self.database.run(SELECT_WHY, queue, at - KEPT_US)
        return QueueState(int(waiting), int(failing), oldest, int(given_up), why[0][0] if why else None)

    def has(self, queue: str, key: str) -> bool:
        """Return whether there is an item, also if it has ended."""
        return bool(self.database.run("SELECT 1 FROM deliveries WHERE queue = ? AND key = ?", queue, key))

    def delete_old(self) -> None:
        """Delete the items that ended more than `KEPT_US` ago, except those of webhooks: they are shown as long."""
        delete = "DELETE FROM deliveries WHERE ended < ? AND queue <> ?"
        self.database.run(delete, self.database.now() - KEPT_US, WEBHOOKS)

    def _change(self, item: TakenItem, changes: str, *values: object) -> bool:
        statement = f"UPDATE deliveries SET {changes} WHERE {OF_ITEM}"
        with self.database.transaction(writes=True) as transaction:
            return bool(transaction.count_changes(statement, *values, item.queue, item.key, item.lease))


def add(transaction: Transaction, queue: str, key: str, player: str, due: int) -> None:
    """Have an item delivered when it's due, or sooner if it waits already."""
    transaction.run(ADD, queue, key, player, transaction.now(), due)


def has_lease(transaction: Transaction, item: TakenItem) -> bool:
    """Return whether an item still belongs to this process, and note that its failures are over."""
    return bool(transaction.count_changes(f"{SENT} WHERE {OF_ITEM}", item.queue, item.key, item.lease))


def is_leased(transaction: Transaction, item: TakenItem) -> bool:
    """Return whether an item still belongs to this process."""
    return bool(transaction.run(f"SELECT 1 FROM deliveries WHERE {OF_ITEM}", item.queue, item.key, item.lease))


def waits(transaction: Transaction, queue: str, key: str) -> bool:
    """Return whether there is an item that hasn't ended."""
    select = "SELECT 1 FROM deliveries WHERE queue = ? AND key = ? AND ended IS NULL"
    return bool(transaction.run(select, queue, key))


def try_now(transaction: Transaction, queue: str, key: str) -> None:
    """Have an item that failed tried at once. No other one's turn moves: a process may be delivering it."""
    retry = "UPDATE deliveries SET free = ? WHERE queue = ? AND key = ? AND failing IS NOT NULL"
    transaction.run(retry, transaction.now(), queue, key)


def end(transaction: Transaction, item: TakenItem, *, next_due: int | None = None, failure: str | None = None) -> bool:
    """End an item that was sent, or that is given up because of a failure; if it has more news, it waits for these.

    Return whether the item still belonged to this process.
    """
    at = transaction.now()
    statement, why = (SENT, ()) if failure is None else (GIVE_UP, (at, failure))
    values = at, *((at, at) if next_due is None else (next_due, None)), item.queue, item.key, item.lease
    return bool(transaction.count_changes(f"{statement}, {END} WHERE {OF_ITEM}", *why, *values))


def forget(transaction: Transaction, queue: str, key: str) -> None:
    """Delete an item, also while a process delivers it."""
    transaction.run("DELETE FROM deliveries WHERE queue = ? AND key = ?", queue, key)


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete all that goes to a player."""
    transaction.run("DELETE FROM deliveries WHERE player = ?", player)


class StoredDelivery(TypedDict):
    """An item of the queue to the caller."""

    queue: str
    since: Annotated[Time, says("When it began to wait.")]
    tries: Annotated[int, says("How many tries have failed.")]
    failure: Annotated[str | None, says("Why the last one failed.")]
    ended: Annotated[Time | None, says("When it was sent or given up; `null` while it waits.")]
    message: Annotated[str | None, says("The text that is sent, if it's ready and has no code.")]


def own_data(database: Database, player: str) -> list[StoredDelivery]:
    """Return what goes to a player, as JSON values."""
    rows = database.run(SELECT_OWN, player)
    return [
        {
            "queue": queue,
            "since": iso_time(since),
            "tries": tries,
            "failure": failure,
            "ended": iso_time(ended),
            "message": message,
        }
        for queue, since, tries, failure, ended, message in rows
    ]
