"""Moves that a player keeps for later: one queued and one submitted move for each player and game.

Nobody but the player reads them. A queued move that can't be played is dropped, and its row says why until the player
has read it.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from api.inbox.stored.outbox import InboxNote, leave_notes
from domain.json_fields import Uuid
from domain.store.sql.database import Database, Transaction

Kind = Literal["queued", "submitted"]
TABLES = (
    """CREATE TABLE IF NOT EXISTS held_moves (
        player TEXT NOT NULL, game TEXT NOT NULL, kind TEXT NOT NULL, moves TEXT NOT NULL, version BIGINT NOT NULL,
        since BIGINT NOT NULL, dropped TEXT, PRIMARY KEY (player, game, kind))""",
    """CREATE INDEX IF NOT EXISTS held_moves_waiting ON held_moves (since, player, game)
        WHERE kind = 'queued' AND dropped IS NULL""",
    "CREATE INDEX IF NOT EXISTS held_moves_of_game ON held_moves (game)",
)
COLUMNS = "player, game, kind, moves, version, since, dropped"
UPSERT = f"""INSERT INTO held_moves ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, NULL)
    ON CONFLICT (player, game, kind) DO UPDATE SET
    moves = excluded.moves, version = excluded.version, since = excluded.since, dropped = NULL"""
SELECT_QUEUED = f"""SELECT {COLUMNS} FROM held_moves WHERE kind = 'queued' AND dropped IS NULL
    AND (since, player, game) > (?, ?, ?) ORDER BY since, player, game LIMIT ?"""
Place = tuple[int, str, str]
"""The place of a move in the order in which moves were kept."""
BEGINNING: Place = (0, "", "")
OF_DROPPED = "WHERE player = ? AND kind = 'queued' AND dropped IS NOT NULL"
TAKE_DROPPED = f"DELETE FROM held_moves {OF_DROPPED} RETURNING {COLUMNS}"


@dataclass(frozen=True)
class HeldMove:
    """The lines of a move as their player wrote them, and the version of the game at which they were kept.

    `dropped` says why a queued move won't be played, or holds the Idempotency-Key with which a submitted one was made;
    None for one that still waits.
    """

    player: str
    game: str
    kind: Kind
    moves: tuple[str, ...]
    version: int
    since: int
    dropped: str | None = None

    @property
    def place(self) -> Place:
        """Its place among all moves."""
        return self.since, self.player, self.game


class HeldMoves:
    """The table of moves for later. Safe for concurrent use by several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, player: str, game: str, kind: Kind, moves: Sequence[str], version: int) -> None:
        """Keep a move in place of the one of this kind that was kept before."""
        self._database.run(UPSERT, player, game, kind, json.dumps(list(moves)), version, self._database.now())

    def find(self, player: str, game: str, kind: Kind) -> HeldMove | None:
        """Return the player's move of this kind in the game."""
        rows = self._database.run(
            f"SELECT {COLUMNS} FROM held_moves WHERE player = ? AND game = ? AND kind = ?", player, game, kind
        )
        return _read(rows[0]) if rows else None

    def find_queued(self, limit: int, after: Place = BEGINNING) -> list[HeldMove]:
        """Return the next queued moves that wait for their turn, the oldest first."""
        return [_read(row) for row in self._database.run(SELECT_QUEUED, *after, limit)]

    def queued_in(self, games: Collection[str]) -> list[HeldMove]:
        """Return the queued moves that wait for their turn in these games."""
        with self._database.transaction(writes=False) as transaction:
            found = transaction.read_among(f"SELECT {COLUMNS} FROM held_moves", "game", games)
        return [held for held in map(_read, found) if held.kind == "queued" and held.dropped is None]

    def drop(self, move: HeldMove, code: str, why: str) -> None:
        """Say to its player alone why a queued move isn't played, unless they have queued another meanwhile.

        Their inbox gets a note with the code, which holds no card.
        """
        with self._database.transaction(writes=True) as transaction:
            dropped = transaction.count_changes(
                """UPDATE held_moves SET dropped = ?
                WHERE player = ? AND game = ? AND kind = ? AND since = ? AND dropped IS NULL""",
                why, move.player, move.game, move.kind, move.since,
            )  # fmt: skip
            if dropped:
                leave_notes(transaction, [InboxNote(move.player, "queue", move.game, {"dropped": code})])

    def remove(self, player: str, game: str, kind: Kind, since: int | None = None) -> bool:
        """Forget a move, and return whether there was one; with `since` only the one that was kept then."""
        bound, kept = ("", ()) if since is None else (" AND since = ?", (since,))
        delete = f"DELETE FROM held_moves WHERE player = ? AND game = ? AND kind = ?{bound} RETURNING player"
        return bool(self._database.run(delete, player, game, kind, *kept))

    def end_submitted(self, move: HeldMove, key: str | None) -> None:
        """Forget a submitted move that was made; with an Idempotency-Key, keep it for a repeated request alone."""
        if key is None:
            self.remove(move.player, move.game, move.kind, move.since)
            return
        self._database.run(
            "UPDATE held_moves SET dropped = ? WHERE player = ? AND game = ? AND kind = ? AND since = ?",
            key, move.player, move.game, move.kind, move.since,
        )  # fmt: skip

    def take_dropped(self, player: str) -> list[HeldMove]:
        """Return the player's queued moves that were dropped, and forget them: each is told once."""
        if not self._database.run(f"SELECT 1 FROM held_moves {OF_DROPPED}", player):
            return []
        return [_read(row) for row in self._database.run(TAKE_DROPPED, player)]


def _read(row: tuple[str, str, Kind, str, int, int, str | None]) -> HeldMove:
    player, game, kind, moves, version, since, dropped = row
    return HeldMove(player, game, kind, tuple(json.loads(moves)), version, since, dropped)


def erase_player(transaction: Transaction, player: str) -> None:
    """Forget the player's moves for later."""
    transaction.run("DELETE FROM held_moves WHERE player = ?", player)


class StoredHeldMoves(TypedDict):
    """The lines of a move that the caller keeps for later."""

    game: Uuid
    kind: Kind
    moves: list[str]


def own_data(database: Database, player: str) -> list[StoredHeldMoves]:
    """Return the moves that the player keeps for later."""
    rows = database.run("SELECT game, kind, moves FROM held_moves WHERE player = ? ORDER BY game, kind", player)
    return [{"game": game, "kind": kind, "moves": json.loads(moves)} for game, kind, moves in rows]
