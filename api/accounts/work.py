"""The work that waits in the accounts, by one statement: so a worker that has nothing to do asks one question."""

from typing import NamedTuple

from api.delivery.stored.queue import IS_DUE, WEBHOOKS
from domain.store.sql.database import Database

SELECT = f"""SELECT
    COALESCE((SELECT last FROM counters WHERE name = 'outbox'), 0),
    EXISTS (SELECT 1 FROM deliveries WHERE queue = '{WEBHOOKS}' AND {IS_DUE}),
    EXISTS (SELECT 1 FROM held_moves WHERE kind = 'queued' AND dropped IS NULL),
    EXISTS (SELECT 1 FROM forming_tables WHERE status = 'closing' OR status = 'forming' AND expires <= ?),
    EXISTS (SELECT 1 FROM broadcasts WHERE told IS NOT NULL)"""


class PendingWork(NamedTuple):
    """The number of the last note in the outbox, and whether there is work of each kind."""

    last_note: int = 0
    webhooks: bool = True
    queued_moves: bool = True
    tables: bool = True
    broadcasts: bool = True


def read_pending_work(database: Database) -> PendingWork:
    """Return what waits now."""
    now = database.now()
    last_note, *kinds = database.run(SELECT, now, now, now)[0]
    return PendingWork(last_note, *map(bool, kinds))
