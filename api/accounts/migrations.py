"""Numbered changes of the accounts' tables since version 0.1; `schema_version` holds the number of the last one."""

from collections.abc import Callable

from api.config import ConfigError
from api.people.stored.tokens import DAY_US, USUAL_DAYS
from api.people.stored.users import skeleton
from domain.store.sql.database import Database, Transaction

SCHEMA_VERSION = "schema_version"
TABLES = (f"CREATE TABLE IF NOT EXISTS {SCHEMA_VERSION} (number BIGINT PRIMARY KEY)",)
SELECT_VERSION = f"SELECT COALESCE(MAX(number), 0) FROM {SCHEMA_VERSION}"


class NewerSchema(ConfigError):
    """A newer version of the program changed the tables."""


def migrate(database: Database) -> None:
    """Apply the missing migrations, one process at a time. Raise NewerSchema for newer tables."""
    if _version(database.run(SELECT_VERSION)) == len(MIGRATIONS):
        return
    with database.transaction(writes=True) as transaction:
        transaction.lock_schema()
        version = _version(transaction.run(SELECT_VERSION))
        for number, change in enumerate(MIGRATIONS[version:], start=version + 1):
            change(transaction)
            transaction.run(f"INSERT INTO {SCHEMA_VERSION} VALUES (?)", number)


def _version(rows: list[tuple[int]]) -> int:
    version = rows[0][0]
    if version > len(MIGRATIONS):
        raise NewerSchema(
            f"The accounts have version {version} and this program knows version {len(MIGRATIONS)}."
            " Use the program that wrote them, or a newer one."
        )
    return version


def _add_lookalikes_and_disabled(transaction: Transaction) -> None:
    transaction.run("ALTER TABLE users ADD COLUMN lookalike TEXT")
    transaction.run("ALTER TABLE users ADD COLUMN disabled BIGINT")


def _add_scopes_guests_and_authors(transaction: Transaction) -> None:
    """Let the tokens that exist end in 90 days. They may do what every token could: play."""
    for column in ("label TEXT", "scope TEXT NOT NULL DEFAULT 'play'", "expires BIGINT", "used BIGINT"):
        transaction.run(f"ALTER TABLE tokens ADD COLUMN {column}")
    transaction.run("UPDATE tokens SET expires = ?", transaction.now() + USUAL_DAYS * DAY_US)
    for column in ("guest BIGINT NOT NULL DEFAULT 0", "leaving BIGINT"):
        transaction.run(f"ALTER TABLE users ADD COLUMN {column}")
    transaction.run("ALTER TABLE texts ADD COLUMN author TEXT")
    transaction.run("CREATE INDEX users_leaving ON users (leaving)")
    transaction.run("CREATE INDEX users_by_guest ON users (guest, created)")
    transaction.run("CREATE INDEX texts_by_author ON texts (author)")


def _add_details_of_disputes(transaction: Transaction) -> None:
    """Let the text that opens a dispute have details beside it."""
    transaction.run("ALTER TABLE texts ADD COLUMN details TEXT")


def _compare_by_skeletons(transaction: Transaction) -> None:
    """Give each user the skeleton that no new user may share. Users who share one already keep their names."""
    transaction.run("DROP INDEX IF EXISTS users_by_lookalike")
    users = transaction.run("SELECT player, name FROM users")
    transaction.run_many(
        "UPDATE users SET lookalike = ? WHERE player = ?", [(skeleton(name), player) for player, name in users]
    )
    transaction.run("CREATE INDEX users_by_lookalike ON users (lookalike)")


def _deliver_by_one_queue(transaction: Transaction) -> None:
    """Move what waits, and how far readers of the log have come, into the tables that all of them share."""
    columns = "queue, key, player, since, due, free, tries, failing, failure, message, version, ended"
    add = f"INSERT INTO deliveries ({columns}) SELECT"
    if transaction.columns("mail_answers"):
        ended = "CASE WHEN message IS NULL THEN written END"
        values = f"id, player, written, written, due, tries, NULL, NULL, message, NULL, {ended}"
        transaction.run(f"{add} 'mail-answers', {values} FROM mail_answers")
        transaction.run("DROP TABLE mail_answers")
    if "due" in transaction.columns("mails"):
        values = "CAST(number AS TEXT), player, due, due, due, tries, NULL, NULL, NULL, NULL, NULL"
        transaction.run(f"{add} 'account-mails', {values} FROM mails")
        transaction.run("INSERT INTO counters SELECT 'mails', COALESCE(MAX(number), 0) FROM mails")
        _drop(transaction, "mails", "due", "tries")
    if "due" in transaction.columns("board_mail_places"):
        values = "p.player || ' ' || p.game, p.player, m.due, m.due, p.due, p.tries, NULL, NULL, p.pending"
        rows = "SELECT player, game, MIN(due) AS due FROM board_mails GROUP BY player, game"
        places = f"board_mail_places p JOIN ({rows}) m ON m.player = p.player AND m.game = p.game"
        transaction.run(f"{add} 'board-mails', {values}, p.pending_version, NULL FROM {places}")
        _drop(transaction, "board_mail_places", "due", "tries", "pending", "pending_version")
    if "due" in transaction.columns("webhooks"):
        values = "id, player, created, created, due, tries, failing, failure, NULL, NULL, ended"
        transaction.run(f"{add} 'webhooks', {values} FROM webhooks")
        transaction.run("DROP INDEX webhooks_due")
        _drop(transaction, "webhooks", "due", "tries", "failing", "failure", "ended")
    for reader, table in (("receipts", "receipt_progress"), ("board mails", "board_mail_progress")):
        if transaction.columns(table):
            transaction.run(f"INSERT INTO reader_places SELECT '{reader}', shard, position, leaf FROM {table}")
            transaction.run(f"DROP TABLE {table}")
            notes = f"SELECT '{reader}', -1, 0, '' FROM reader_places WHERE reader = '{reader}' AND shard = 0"
            transaction.run(f"INSERT INTO reader_places {notes} ON CONFLICT DO NOTHING")


def _drop(transaction: Transaction, table: str, *columns: str) -> None:
    for column in columns:
        transaction.run(f"ALTER TABLE {table} DROP COLUMN {column}")


MIGRATIONS: tuple[Callable[[Transaction], None], ...] = (
    _add_lookalikes_and_disabled,
    _add_scopes_guests_and_authors,
    _add_details_of_disputes,
    _compare_by_skeletons,
    _deliver_by_one_queue,
)
