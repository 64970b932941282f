"""The outbox of mails about boards: a projection of the log with the key (player, game, version, kind).

Each pair of player and game has a place: `mailed` is the version up to which the player has been told by mail, and
`acknowledged` the version of their own last act, up to which they know the board. A mail tells everything since, so all
rows of a pair up to its version go with it. Rows at or below `mailed` are never written again, whatever is read twice.
Those of an `INVITATION` have no version, and each is news.

A pair with rows is an item of the delivery queue.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypedDict

from api.delivery.stored import queue
from api.delivery.stored.queue import BOARD_MAILS, TakenItem
from domain.json_fields import Uuid, says
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS board_mails (
        player TEXT NOT NULL, game TEXT NOT NULL, version BIGINT NOT NULL, kind TEXT NOT NULL, due BIGINT NOT NULL,
        PRIMARY KEY (player, game, version, kind))""",
    """CREATE TABLE IF NOT EXISTS board_mail_places (
        player TEXT NOT NULL, game TEXT NOT NULL, mailed BIGINT NOT NULL, acknowledged BIGINT NOT NULL,
        PRIMARY KEY (player, game))""",
)
INVITATION = "invitation"
"""The kind of a question to sit at a table, or of an offer of a seat, with version 0."""
NEW_PLACE = """INSERT INTO board_mail_places SELECT player, ?, -1, 0 FROM users WHERE player = ?
    ON CONFLICT DO NOTHING"""
NEW_ROW = f"""INSERT INTO board_mails SELECT ?, ?, ?, ?, ? FROM board_mail_places
    WHERE player = ? AND game = ? AND (mailed < ? OR ? = '{INVITATION}') ON CONFLICT DO NOTHING"""
ACKNOWLEDGE = """UPDATE board_mail_places SET acknowledged = ? WHERE player = ? AND game = ? AND acknowledged < ?"""
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
    """A pair that this process may send to: its item, and its rows as (version, kind)."""

    item: TakenItem
    game: str
    rows: Sequence[tuple[int, str]]
    mailed: int
    acknowledged: int

    @property
    def player(self) -> str:
        return self.item.player

    @property
    def last(self) -> int:
        """The version of the newest row."""
        return self.rows[-1][0] if self.rows else self.mailed


class BoardMails:
    """The tables of the outbox. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @staticmethod
    def add(transaction: Transaction, rows: Iterable[BoardMailKey], acts: Iterable[tuple[str, str, int]]) -> None:
        """Write rows, and acknowledge the versions of acts as (player, game, version)."""
        for each in rows:
            pair = each.player, each.game
            transaction.run(NEW_PLACE, each.game, each.player)
            row = *pair, each.version, each.kind, each.due
            if transaction.count_changes(NEW_ROW, *row, *pair, each.version, each.kind):
                queue.add(transaction, BOARD_MAILS, " ".join(pair), each.player, each.due)
        for player, game, version in acts:
            transaction.run(NEW_PLACE, game, player)
            transaction.run(ACKNOWLEDGE, version, player, game, version)

    def read(self, item: TakenItem) -> TakenMail:
        """Return what an item stands for.

        A row that came while its news were told by a mail of another process is no news any more.
        """
        pair = item.player, item.key.partition(" ")[2]
        with self._database.transaction(writes=False) as transaction:
            rows = transaction.run(f"SELECT version, kind FROM board_mails WHERE {OF_PAIR} ORDER BY 1, 2", *pair)
            places = transaction.run(f"SELECT mailed, acknowledged FROM board_mail_places WHERE {OF_PAIR}", *pair)
        mailed, acknowledged = places[0] if places else (-1, 0)
        listed = [(int(version), str(kind)) for version, kind in rows if version > mailed or kind == INVITATION]
        return TakenMail(item, pair[1], listed, mailed, acknowledged)

    def finish(self, taken: TakenMail, version: int, *, told: bool, failure: str | None = None) -> None:
        """Delete the rows up to a version, which the reader knows or which need no mail, and let go of the pair.

        Unless the mail has `told` them, what they tell belongs to the next mail.
        """
        pair = taken.player, taken.game
        with self._database.transaction(writes=True) as transaction:
            if not queue.has_lease(transaction, taken.item):  # news that come now wait for the end of this transaction
                return
            left = transaction.run(f"SELECT MIN(due) FROM board_mails WHERE {OF_PAIR} AND version > ?", *pair, version)
            queue.end(transaction, taken.item, next_due=left[0][0], failure=failure)
            if told:
                mailed = max(version, taken.mailed)
                transaction.run(f"UPDATE board_mail_places SET mailed = ? WHERE {OF_PAIR}", mailed, *pair)
            transaction.run(f"DELETE FROM board_mails WHERE {OF_PAIR} AND version <= ?", *pair, version)


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
