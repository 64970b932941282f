"""The epoch of each player's tokens: it grows whenever all tokens, or all others, are ended.

A reply address of a mail holds the epoch under its signature, so that it ends with the tokens of its time.
"""

from typing import Protocol

from projections.storage.database import Database, RowValues, Transaction

TABLES = ("CREATE TABLE IF NOT EXISTS token_epochs (player TEXT PRIMARY KEY, epoch BIGINT NOT NULL)",)
NEXT = """INSERT INTO token_epochs VALUES (?, 1)
    ON CONFLICT (player) DO UPDATE SET epoch = token_epochs.epoch + 1"""


class _Runner(Protocol):
    def run(self, statement: str, *values: object) -> list[RowValues]:
        """Execute one statement."""


def begin_epoch(runner: _Runner, player: str) -> None:
    """End the epoch of a player's tokens, in a transaction or by itself."""
    runner.run(NEXT, player)


def epoch_of(database: Database, player: str) -> int:
    """Return the epoch of a player's tokens, 0 before the first end."""
    rows = database.run("SELECT epoch FROM token_epochs WHERE player = ?", player)
    return int(rows[0][0]) if rows else 0


def erase_player(transaction: Transaction, player: str) -> None:
    """Forget the player's epoch."""
    transaction.run("DELETE FROM token_epochs WHERE player = ?", player)
