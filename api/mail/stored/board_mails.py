"""The outbox of mails about boards: a projection of the log with the key (player, game, version, kind).

Each pair of player and game has a place: `mailed` is the version up to which the player has been told by mail, and
`acknowledged` the version of their own last act, up to which they know the board. A mail tells everything since, so all
rows of a pair up to its version go with it. Rows at or below `mailed` are never written again, whatever is read twice.

While somebody sends, `due` is the end of their time, and `pending` the whole message: after a crash, the same bytes
with the same Message-ID go again, since nobody knows whether the first ones arrived.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypedDict

from domain.json_fields import Uuid, says
from domain.store.positions import LogPosition, Positions
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS board_mails (
        player TEXT NOT NULL, game TEXT NOT NULL, version BIGINT NOT NULL, kind TEXT NOT NULL, due BIGINT NOT NULL,
        PRIMARY KEY (player, game, version, kind))""",
    "CREATE INDEX IF NOT EXISTS board_mails_due ON board_mails (due)",
    """CREATE TABLE IF NOT EXISTS board_mail_places (
        player TEXT NOT NULL, game TEXT NOT NULL, mailed BIGINT NOT NULL, acknowledged BIGINT NOT NULL,
        due BIGINT NOT NULL, tries BIGINT NOT NULL, pending TEXT, pending_version BIGINT,
        PRIMARY KEY (player, game))""",
    """CREATE TABLE IF NOT EXISTS board_mail_progress (
        shard BIGINT PRIMARY KEY, position BIGINT NOT NULL, leaf TEXT NOT NULL)""",
)
NOTES = -1
"""Stands for the accounts' notes in the progress, where shards have their numbers."""
SECOND = 1_000_000
LEASE_US = 60 * SECOND
"""How long a process has to send a mail before another one tries."""
MOST_TRIES = 12
PAIRS_AT_ONCE = 50
NEW_PLACE = "INSERT INTO board_mail_places VALUES (?, ?, -1, 0, 0, 0, NULL, NULL) ON CONFLICT DO NOTHING"
NEW_ROW = """INSERT INTO board_mails SELECT ?, ?, ?, ?, ? FROM board_mail_places
    WHERE player = ? AND game = ? AND mailed < ? ON CONFLICT DO NOTHING"""
ACKNOWLEDGE = """UPDATE board_mail_places SET acknowledged = ? WHERE player = ? AND game = ? AND acknowledged < ?"""
SELECT_DUE = """SELECT DISTINCT m.player, m.game FROM board_mails m
    JOIN board_mail_places p ON p.player = m.player AND p.game = m.game
    WHERE m.due <= ? AND p.due <= ? ORDER BY 1, 2 LIMIT ?"""
TAKE = """UPDATE board_mail_places SET due = ? WHERE player = ? AND game = ? AND due <= ?
    RETURNING mailed, acknowledged, tries, pending, pending_version"""
LOCK_PROGRESS = "UPDATE board_mail_progress SET position = position WHERE shard = ?"
"""Lets one process at a time go on: the others find the row deleted."""
OF_PAIR = "player = ? AND game = ?"


@dataclass(frozen=True)
class BoardMailKey:
    """The key of a row, and when it's due, in UTC microseconds since 1970."""

    player: str
    game: str
    version: int
    kind: str
    due: int


@dataclass(frozen=True)
class TakenMail:
    """A pair that this process may send to until `lease`: its rows as (version, kind), and a message sent in part."""

    player: str
    game: str
    rows: Sequence[tuple[int, str]]
    mailed: int
    acknowledged: int
    tries: int
    pending: str | None
    pending_version: int | None
    lease: int


class BoardMails:
    """The tables of the outbox. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def progress(self) -> tuple[Positions, int] | None:
        """Return up to where the log and the accounts' notes are read; None before the first time."""
        rows = self._database.run("SELECT shard, position, leaf FROM board_mail_progress ORDER BY shard")
        if not rows:
            return None
        notes = next((number for shard, number, _ in rows if shard == NOTES), 0)
        return tuple(LogPosition(*row) for row in rows if row[0] != NOTES), notes

    def add(
        self,
        rows: Iterable[BoardMailKey],
        acts: Iterable[tuple[str, str, int]],
        before: tuple[Positions, int] | None,
        reached: tuple[Positions, int],
    ) -> bool:
        """Write rows, acknowledge the versions of acts, and go on from `reached`.

        Return False, and write nothing, if another process has gone on from `before`.
        """
        with self._database.transaction(writes=True) as transaction:
            if before is None:
                transaction.lock_schema()  # there is no row to lock yet
            elif not transaction.count_changes(LOCK_PROGRESS, NOTES):
                return False
            if self.progress_in(transaction) != _progress_rows(before):
                return False
            for each in rows:
                pair = each.player, each.game
                transaction.run(NEW_PLACE, *pair)
                transaction.run(NEW_ROW, *pair, each.version, each.kind, each.due, *pair, each.version)
            for player, game, version in acts:
                transaction.run(NEW_PLACE, player, game)
                transaction.run(ACKNOWLEDGE, version, player, game, version)
            transaction.run("DELETE FROM board_mail_progress")
            transaction.run_many("INSERT INTO board_mail_progress VALUES (?, ?, ?)", _progress_rows(reached))
        return True

    @staticmethod
    def progress_in(transaction: Transaction) -> list[tuple[int, int, str]]:
        """Return the rows of the progress."""
        rows = transaction.run("SELECT shard, position, leaf FROM board_mail_progress ORDER BY shard")
        return [(int(shard), int(position), str(leaf)) for shard, position, leaf in rows]

    def due(self) -> list[tuple[str, str]]:
        """Return the pairs of player and game with a mail to send now."""
        at = self._database.now()
        return [(player, game) for player, game in self._database.run(SELECT_DUE, at, at, PAIRS_AT_ONCE)]

    def take(self, player: str, game: str) -> TakenMail | None:
        """Return a pair if this process may send to it; nobody else may for a minute."""
        at = self._database.now()
        lease = at + LEASE_US
        with self._database.transaction(writes=True) as transaction:
            found = transaction.run(TAKE, lease, player, game, at)
            if not found:
                return None
            rows = transaction.run(
                f"SELECT version, kind FROM board_mails WHERE {OF_PAIR} ORDER BY version, kind", player, game
            )
        mailed, acknowledged, tries, pending, pending_version = found[0]
        listed = [(int(version), str(kind)) for version, kind in rows]
        return TakenMail(player, game, listed, mailed, acknowledged, tries, pending, pending_version, lease)

    def keep(self, taken: TakenMail, message: str, version: int) -> bool:
        """Store the message before it's sent; return False if another process has taken the pair over."""
        statement = f"UPDATE board_mail_places SET pending = ?, pending_version = ? WHERE {OF_PAIR} AND due = ?"
        return bool(self._changes(statement, message, version, taken.player, taken.game, taken.lease))

    def finish(self, taken: TakenMail, version: int) -> None:
        """Delete the rows up to a version, which the reader knows or which need no mail, and let go of the pair."""
        pair = taken.player, taken.game
        with self._database.transaction(writes=True) as transaction:
            done = f"""UPDATE board_mail_places SET mailed = ?, pending = NULL, pending_version = NULL, tries = 0,
                due = ? WHERE {OF_PAIR} AND due = ?"""
            if transaction.count_changes(done, max(version, taken.mailed), transaction.now(), *pair, taken.lease):
                transaction.run(f"DELETE FROM board_mails WHERE {OF_PAIR} AND version <= ?", *pair, version)

    def drop(self, taken: TakenMail, version: int) -> None:
        """Delete the rows up to a version that need no mail, and a message that tells them.

        What they tell belongs to the next mail.
        """
        pair = taken.player, taken.game
        with self._database.transaction(writes=True) as transaction:
            free = f"""UPDATE board_mail_places SET pending = NULL, pending_version = NULL, due = ?, tries = 0
                WHERE {OF_PAIR} AND due = ?"""
            if transaction.count_changes(free, transaction.now(), *pair, taken.lease):
                transaction.run(f"DELETE FROM board_mails WHERE {OF_PAIR} AND version <= ?", *pair, version)

    def fail(self, taken: TakenMail, *, may_have_arrived: bool) -> None:
        """Try again after 1, 2, 4... minutes: the same message if it may have arrived, else a new one."""
        pause = 60 * SECOND * 2 ** min(taken.tries, 9)
        forget = "" if may_have_arrived else ", pending = NULL, pending_version = NULL"
        statement = f"UPDATE board_mail_places SET due = ?, tries = tries + 1{forget} WHERE {OF_PAIR} AND due = ?"
        self._changes(statement, self._database.now() + pause, taken.player, taken.game, taken.lease)

    def waiting(self) -> int:
        """Return how many rows wait."""
        return int(self._database.run("SELECT COUNT(*) FROM board_mails")[0][0])

    def oldest_due(self) -> int | None:
        """Return when the first row that waits was due, or will be; None if no row waits."""
        found = self._database.run("SELECT MIN(due) FROM board_mails")[0][0]
        return None if found is None else int(found)

    def _changes(self, statement: str, *values: object) -> int:
        with self._database.transaction(writes=True) as transaction:
            return transaction.count_changes(statement, *values)


def _progress_rows(progress: tuple[Positions, int] | None) -> list[tuple[int, int, str]]:
    if progress is None:
        return []
    positions, notes = progress
    return [(NOTES, notes, ""), *((each.shard, each.number, each.leaf) for each in positions)]


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete the mails that wait for a player."""
    for table in ("board_mails", "board_mail_places"):
        transaction.run(f"DELETE FROM {table} WHERE player = ?", player)


class WaitingBoardMail(TypedDict):
    """A mail about a board that waits to be sent."""

    game: Uuid
    version: int
    kind: str


class BoardMailPlace(TypedDict):
    """How far the caller knows a game."""

    game: Uuid
    version: Annotated[int, says("The version up to which mails have told it, or -1.")]
    acknowledged: Annotated[int, says("The version of the caller's last own move.")]


class StoredBoardMails(TypedDict):
    """Which mails about boards wait, and how far the caller has been told by mail."""

    waiting: list[WaitingBoardMail]
    told: list[BoardMailPlace]


def own_data(database: Database, player: str) -> StoredBoardMails:
    """Return how far the player has been told by mail, and which mails wait, as JSON values."""
    waiting = database.run("SELECT game, version, kind FROM board_mails WHERE player = ? ORDER BY 1, 2, 3", player)
    places = database.run(
        "SELECT game, mailed, acknowledged FROM board_mail_places WHERE player = ? ORDER BY game", player
    )
    return {
        "waiting": [{"game": game, "version": version, "kind": kind} for game, version, kind in waiting],
        "told": [{"game": game, "version": told, "acknowledged": known} for game, told, known in places],
    }
